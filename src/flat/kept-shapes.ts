// Arrays that a loop carries and that are as long in every iteration as in the first, and so are their elements where these are arrays:
//
//   loop (v = u).. { .. [w] = for i < m ..; next w }          where u has m elements, or m is the length of v
//
// An index that is tested against m is in range of v then. The body's own loops are seen through: what they hand on is as long as what they get, if each of
// their iterations keeps that.

import type { Definitions } from "./counted.js";
import { commonShape, constant, type Linear, type Shape } from "./linear.js";
import type { Atom, Block, Stmt, Var } from "./program.js";
import type { Ranges } from "./ranges.js";
import { allStmts, boundBy, boundInside, endsOf } from "./traverse.js";

type Loop = Stmt & { readonly kind: "loop" | "for" };

/** What an analysis knows where a loop begins. */
export interface Known {
  readonly ranges: Ranges;
  readonly definitions: Definitions;
  /** What stands for an atom of the body where it is from outside. */
  readonly atom: (atom: Atom) => Atom;
}

/** The shapes of a loop's parameters that are arrays, as far as every iteration keeps them; null for other parameters. */
export function keptShapes(loop: Loop, known: Known): readonly (Shape | null)[] {
  if (!loop.params.some(({ rep }) => rep.kind === "array")) return loop.params.map(() => null);
  const shapes = new Shapes(loop.body, known).kept(loop);
  return loop.params.map(({ name, rep }) => (rep.kind === "array" ? (shapes.get(name) ?? null) : null));
}

class Shapes {
  readonly #known: Known;
  /** The statements of the body that bind other than one operation does, by what they bind. */
  readonly #makers = new Map<string, Stmt>();
  readonly #own = new Set<string>();
  /** The shapes of parameters, as far as they are taken to be kept. */
  readonly #assumed = new Map<string, Shape>();

  constructor(body: Block, known: Known) {
    this.#known = known;
    for (const stmt of allStmts(body)) {
      for (const { name } of boundBy(stmt)) this.#makers.set(name, stmt);
      for (const { name } of [...boundBy(stmt), ...boundInside(stmt)]) this.#own.add(name);
    }
  }

  /** The shapes of a loop's parameters: what they begin with, less what an iteration does not keep. */
  kept({ kind, params, init, body }: Loop): ReadonlyMap<string, Shape> {
    const iterations = kind === "for" ? "yield" : "next";
    const ends = [...endsOf(body)].filter((end) => end.kind === iterations);
    params.forEach(({ name }, index) => {
      this.#assumed.set(name, this.#of(init[index]));
    });
    for (let isSettled = false; !isSettled;) {
      isSettled = true;
      params.forEach(({ name }, index) => {
        const shape = this.#assumed.get(name) ?? [];
        if (shape.length === 0) return;
        const kept = commonShape([shape, ...ends.map(({ values }) => this.#of(values[index]))]);
        if (kept.length < shape.length) isSettled = false;
        this.#assumed.set(name, kept);
      });
    }
    return new Map(params.map(({ name }) => [name, this.#assumed.get(name) ?? []]));
  }

  #of(array: Atom | undefined): Shape {
    if (array?.kind !== "var") return [];
    const { variable } = array;
    if (variable.rep.kind !== "array") return [];
    const assumed = this.#assumed.get(variable.name);
    if (assumed !== undefined) return assumed;
    if (!this.#own.has(variable.name)) return this.#known.ranges.shapeOf(this.#known.atom(array));
    const maker = this.#makers.get(variable.name);
    return maker === undefined ? [] : this.#made(maker, variable);
  }

  #made(stmt: Stmt, variable: Var): Shape {
    const placeIn = (variables: readonly Var[]): number => variables.findIndex(({ name }) => name === variable.name);
    const common = (ends: Iterable<{ readonly values: readonly Atom[] }>, place: number): Shape =>
      commonShape([...ends].map(({ values }) => this.#of(values[place])));
    switch (stmt.kind) {
      case "let":
        if (stmt.op.kind === "cell") return this.#of(stmt.op.array).slice(1);
        if (stmt.op.kind === "copy") return this.#of(stmt.op.value);
        if (stmt.op.kind !== "array") return [];
        return [constant(stmt.op.items.length), ...commonShape(stmt.op.items.map((item) => this.#of(item)))];
      case "choose":
        return common(endsOf({ stmts: [], end: stmt.end }), placeIn(stmt.results));
      case "for": {
        const place = placeIn(stmt.arrays);
        if (place === -1) return this.kept(stmt).get(stmt.params[placeIn(stmt.results)]?.name ?? "") ?? [];
        const length = this.#countOf(stmt.count);
        if (length === null) return [];
        this.kept(stmt);
        return [length, ...common(endsOf(stmt.body), stmt.params.length + place)];
      }
      case "loop": {
        const place = placeIn(stmt.results);
        if (place === -1) return [];
        this.kept(stmt);
        return common([...endsOf(stmt.body)].filter(({ kind }) => kind === "yield"), place); // prettier-ignore
      }
      case "check":
      case "call":
      case "apply":
        return [];
    }
  }

  #countOf(count: Atom): Linear | null {
    const { definitions, ranges, atom } = this.#known;
    const op = count.kind === "var" ? definitions.get(count.variable.name) : undefined;
    if (op?.kind === "length") return this.#of(op.array)[0] ?? ranges.form(atom(count));
    if (op?.kind !== "prim" || op.op !== "sameLength") return ranges.form(atom(count));
    return op.args.map((arg) => this.#countOf(arg)).find((length) => length !== null) ?? null;
  }
}
