// Where numbers go in a program: from what a variable holds, all the numbers in it, to another one.

import { moderate, natural, positive, type Assumption, type Interval } from "../core/intervals.js";
import { relationOf, type Relation } from "../core/primitives.js";
import { keyOf } from "../key.js";
import { repOf } from "./build.js";
import { Leaves } from "./leaves.js";
import type { Atom, Block, End, Operation, Procedure, Program, Rep, Stmt, Var } from "./program.js";
import { sameLengths } from "./same-lengths.js";

/** A variable, by its name, or what several share: a field of the objects of a type, what unknown functions take and give. */
export type Place = string;

export type Primitive = Operation & { readonly kind: "prim" };

/** Which of the numbers go on: `none` if a loop has iterations, which use them then. What does not go on has no cotangent from there. */
type Share = "all" | "some" | "none";

export type Flow =
  /** Numbers go on as they are. */
  | { readonly kind: "move"; readonly from: Atom | Place; readonly to: Place; readonly share: Share }
  /** A number is computed. `partly`: the arguments of which it may be that nothing is computed. `assumed`: what tests have said of numbers. */
  | {
      readonly kind: "prim";
      readonly op: Primitive;
      readonly to: Var;
      readonly partly: ReadonlySet<number>;
      readonly assumed: Assumptions;
    };

/** By place of a number that has been compared with literals: what is known then. */
export type Assumptions = ReadonlyMap<Place, readonly Assumption[]>;

/** What an entry gives, if it is one number: nothing takes it away. */
export const outcome: Place = "the value";
/** What unknown functions are given, and what they give. */
const given: Place = "what functions are given";
const returned: Place = "what functions give";

/** All flows of a program, and the places that have numbers from elsewhere: from outside, iterations, lengths. */
export interface Flows {
  readonly flows: readonly Flow[];
  readonly sources: ReadonlyMap<Place, Interval>;
}

export function flowsOf(program: Program): Flows {
  const { flows, sources } = new Collector(program);
  return { flows, sources };
}

/** Leaf `index` of the objects that a constructor makes. */
function leafPlace(type: { readonly kind: string }, con: string, index: number): Place {
  return `${keyOf(type)} ${con} ${String(index)}`;
}

/** Whether there are numbers in a value, those in objects, which have places of their own, left out. */
function holdsNumbers(rep: Rep): boolean {
  return rep.kind === "array" ? holdsNumbers(rep.element) : rep.kind === "real" || rep.kind === "int";
}

/** What the values go to that a block ends in, by position. */
interface Ends {
  readonly yields: readonly (readonly Place[])[];
  readonly next: readonly (readonly Place[])[];
}

class Collector {
  readonly flows: Flow[] = [];
  readonly sources = new Map<Place, Interval>();
  readonly #procedures: ReadonlyMap<string, Procedure>;
  readonly #lengths;
  /** By variable the block that binds it. */
  readonly #homes = new Map<string, Block>();
  /** By index of a loop how many iterations it has, and the block that it stands in. */
  readonly #loops = new Map<string, { readonly count: Atom; readonly block: Block }>();
  /** By name of a condition the comparison that it is. */
  readonly #comparisons = new Map<string, Primitive>();
  #assumed: Assumptions = new Map();

  constructor(program: Program) {
    this.#procedures = new Map(program.procedures.map((procedure) => [procedure.name, procedure]));
    this.#lengths = sameLengths(program);
    for (const procedure of program.procedures) {
      const { captured, params, results, body, name, kind } = procedure;
      this.#bind([...captured, ...params], body);
      if (kind === "lambda") params.forEach((param) => { this.#moves(given, param, "some"); }); // prettier-ignore
      this.#block(body, { yields: results.map((_, index) => [resultPlace(name, index)]), next: [] });
      if (kind === "lambda") results.forEach((rep, index) => { if (holdsNumbers(rep)) this.#move(resultPlace(name, index), returned, "some"); }); // prettier-ignore
    }
    const leaves = new Leaves(program.data);
    for (const { procedure: name } of program.entries) this.#entry(name, leaves);
  }

  #entry(name: string, leaves: Leaves): void {
    const procedure = this.#procedures.get(name);
    if (procedure === undefined) return;
    for (const { name: place } of procedure.params) this.sources.set(place, moderate);
    const active = procedure.results.filter((rep) => rep.kind === "real" || leaves.hasStore(rep));
    const isOne = active.length === 1 && active[0]?.kind === "real";
    procedure.results.forEach((_, index) => { this.#move(resultPlace(name, index), outcome, isOne ? "all" : "some"); }); // prettier-ignore
  }

  #bind(variables: readonly Var[], home: Block): void {
    for (const { name } of variables) this.#homes.set(name, home);
  }

  /** Whether a block is within one that binds a variable: it may be that nothing comes to it. */
  #isPartly(atom: Atom, block: Block): boolean {
    return atom.kind === "var" && this.#homes.get(atom.variable.name) !== block;
  }

  #shareOf(atom: Atom, block: Block): Share {
    return this.#isPartly(atom, block) ? "some" : "all";
  }

  #moves(from: Atom | Place, { name, rep }: Var, share: Share): void {
    if (holdsNumbers(rep)) this.#move(from, name, share);
  }

  #move(from: Atom | Place, to: Place, share: Share): void {
    this.flows.push({ kind: "move", from, to, share });
  }

  #block(block: Block, ends: Ends): void {
    for (const stmt of block.stmts) this.#stmt(stmt, block);
    this.#end(block.end, ends, block);
  }

  #end(end: End, ends: Ends, block: Block): void {
    switch (end.kind) {
      case "yield":
      case "next": {
        const places = end.kind === "yield" ? ends.yields : ends.next;
        end.values.forEach((value, index) => {
          if (!holdsNumbers(repOf(value))) return;
          for (const place of places[index] ?? []) this.#move(value, place, this.#shareOf(value, block));
        });
        return;
      }
      case "if":
        this.#assume(end.cond, true, () => { this.#block(end.then, ends); }); // prettier-ignore
        this.#assume(end.cond, false, () => { this.#block(end.else, ends); }); // prettier-ignore
        return;
      case "switch":
        for (const { body } of end.branches) this.#block(body, ends);
    }
  }

  /** Within `visit` a condition is known to hold, or not to. */
  #assume(cond: Atom, holds: boolean, visit: () => void): void {
    const before = this.#assumed;
    const comparison = cond.kind === "var" ? this.#comparisons.get(cond.variable.name) : undefined;
    if (comparison !== undefined) this.#assumed = assuming(before, comparison, holds);
    visit();
    this.#assumed = before;
  }

  #stmt(stmt: Stmt, block: Block): void {
    const move = (from: Atom, to: Var): void => { this.#moves(from, to, this.#shareOf(from, block)); }; // prettier-ignore
    switch (stmt.kind) {
      case "check":
        return;
      case "let":
        this.#bind([stmt.result], block);
        this.#let(stmt.result, stmt.op, block);
        return;
      case "choose":
        this.#bind(stmt.results, block);
        this.#end(stmt.end, { yields: namesOf(stmt.results), next: [] }, block);
        return;
      case "call": {
        this.#bind(stmt.results, block);
        this.#procedures.get(stmt.fn)?.params.forEach((param, index) => {
          const arg = stmt.args[index];
          if (arg !== undefined) move(arg, param);
        });
        stmt.results.forEach((result, index) => { this.#moves(resultPlace(stmt.fn, index), result, "all"); }); // prettier-ignore
        return;
      }
      case "apply":
        this.#bind(stmt.results, block);
        for (const arg of stmt.args) if (holdsNumbers(repOf(arg))) this.#move(arg, given, "some");
        for (const result of stmt.results) this.#moves(returned, result, "some");
        return;
      case "loop":
        this.#bind(stmt.params, stmt.body);
        this.#bind([...stmt.results, ...stmt.arrays], block);
        stmt.params.forEach((param, index) => { const init = stmt.init[index]; if (init !== undefined) move(init, param); }); // prettier-ignore
        this.#block(stmt.body, { yields: namesOf(stmt.results), next: namesOf([...stmt.params, ...stmt.arrays]) });
        return;
      case "for":
        this.#bind([...stmt.results, ...stmt.arrays], block);
        this.#for(stmt, block);
        return;
    }
  }

  #for({ index, count, params, init, body, results, arrays }: Stmt & { readonly kind: "for" }, block: Block): void {
    this.#bind([index, ...params], body);
    this.sources.set(index.name, natural);
    this.#loops.set(index.name, { count, block });
    init.forEach((value, place) => {
      const [param, result] = [params[place], results[place]];
      if (param !== undefined) this.#moves(value, param, this.#shareOf(value, block));
      if (result !== undefined) this.#moves(value, result, "none");
    });
    const carried = params.map((param, place) => [param, results[place] ?? param].map(({ name }) => name));
    this.#block(body, { yields: [...carried, ...namesOf(arrays)], next: [] });
  }

  #let(result: Var, op: Operation, block: Block): void {
    const move = (from: Atom): void => { this.#moves(from, result, this.#shareOf(from, block)); }; // prettier-ignore
    switch (op.kind) {
      case "copy":
        move(op.value);
        return;
      case "known":
        this.#moves(op.value, result, "some");
        move(op.from);
        return;
      case "prim": {
        if (result.rep.kind === "bool") this.#comparisons.set(result.name, op);
        if (!holdsNumbers(result.rep)) return;
        const partly = op.args.flatMap((arg, index) => (this.#isPartly(arg, block) ? [index] : []));
        this.flows.push({ kind: "prim", op, to: result, partly: new Set(partly), assumed: this.#assumed });
        return;
      }
      case "cell":
        this.#moves(op.array, result, this.#isEach(op.array, op.index, block) ? "all" : "some");
        return;
      case "field": {
        const { rep } = op.object.kind === "var" ? op.object.variable : { rep: null };
        if (rep?.kind !== "object") return;
        const leaf = leafPlace(rep.type, op.con, op.index);
        this.sources.set(leaf, moderate);
        this.#moves(leaf, result, "some");
        return;
      }
      case "object":
        op.args.forEach((arg, index) => {
          if (holdsNumbers(repOf(arg))) this.#move(arg, leafPlace(op.type, op.con, index), "some");
        });
        return;
      case "array":
        for (const item of op.items) move(item);
        return;
      case "closure":
        this.#procedures.get(op.code)?.captured.forEach((variable, index) => {
          const value = op.captured[index];
          if (value !== undefined) this.#moves(value, variable, "some");
        });
        return;
      case "extern":
        this.#moves(given, result, "some");
        return;
      // Of nothing there is no mean, nor a cotangent
      case "length":
        this.sources.set(result.name, positive);
        return;
      case "realStore":
      case "objectStore":
      case "zeroStore":
        return;
    }
  }

  /** Whether an element is read in the iteration of its index, in a loop with as many iterations as there are elements. */
  #isEach(array: Atom, index: Atom, block: Block): boolean {
    if (index.kind !== "var" || this.#homes.get(index.variable.name) !== block) return false;
    const loop = this.#loops.get(index.variable.name);
    if (loop === undefined || this.#isPartly(array, loop.block)) return false;
    return this.#lengths.textOf(loop.count) === this.#lengths.textOf(array);
  }
}

function resultPlace(procedure: string, index: number): Place {
  return `result ${String(index)} of ${procedure}`;
}

function namesOf(variables: readonly Var[]): readonly (readonly Place[])[] {
  return variables.map(({ name }) => [name]);
}

/** What is known when a comparison of a number with a literal has been made. */
function assuming(before: Assumptions, { op, args: [left, right] }: Primitive, holds: boolean): Assumptions {
  const isFirst = left?.kind === "var";
  const [compared, literal] = isFirst ? [left, right] : [right, left];
  if (compared?.kind !== "var" || literal?.kind !== "real") return before;
  const assumption =
    compared.variable.rep.kind === "real" ? assumptionOf(relationOf(op, "R"), literal.value, isFirst, holds) : null;
  if (assumption === null) return before;
  const { name } = compared.variable;
  return new Map(before).set(name, [...(before.get(name) ?? []), assumption]);
}

function assumptionOf(relation: Relation | null, literal: number, isFirst: boolean, holds: boolean): Assumption | null {
  switch (relation) {
    case "gt":
    case "ge":
      return {
        kind: isFirst === holds ? "above" : "below",
        bound: literal,
        isStrict: (relation === "gt") === holds,
        holds,
      };
    case "lt":
    case "le":
      return {
        kind: isFirst === holds ? "below" : "above",
        bound: literal,
        isStrict: (relation === "lt") === holds,
        holds,
      };
    case "eq":
    case "ne":
      return (relation === "ne") === holds ? { kind: "other", than: literal } : null;
    case null:
      return null;
  }
}
