// Dead-code elimination.
//
// What nothing uses and what cannot fail is left out: operations, choices, loops that end; and of loops what they carry or make for nothing.
//
//   xs, ys = for i < n (a = as, b = bs) .. yield f a, g (a, b)     =>     xs = for i < n (a = as) .. yield f a       where nothing uses ys

import { isRecurrent } from "./free-variables.js";
import { operands, atomsOf, boundBy, mapEnds } from "./traverse.js";
import type { Atom, Block, End, Operation, Procedure, Stmt } from "./program.js";

/** The procedure, with the same meaning. */
export function withoutDeadCode(procedure: Procedure): Procedure {
  return { ...procedure, body: new Sweep().block(procedure.body).block };
}

interface Swept<T> {
  readonly block: T;
  /** Whether it may fail, or not end: it is done whether its results are used or not. */
  readonly isNeeded: boolean;
}

type For = Stmt & { readonly kind: "for" };

/** Goes through blocks from the end to the beginning. */
class Sweep {
  readonly #used = new Set<string>();

  /** `isTrial`: only to see what is used, of loops without some of their results. */
  constructor(private readonly isTrial = false) {}

  block({ stmts, end }: Block): Swept<Block> {
    const last = this.#end(end);
    const kept: Stmt[] = [];
    let isNeeded = last.isNeeded;
    for (let i = stmts.length - 1; i >= 0; i -= 1) {
      const stmt = stmts[i];
      if (stmt === undefined) continue;
      const swept = this.#stmt(stmt);
      if (swept === null) continue;
      kept.push(swept.block);
      isNeeded ||= swept.isNeeded;
    }
    return { block: { stmts: kept.reverse(), end: last.block }, isNeeded };
  }

  #end(end: End): Swept<End> {
    switch (end.kind) {
      case "yield":
      case "next":
        this.#use(end.values);
        return { block: end, isNeeded: false };
      case "if": {
        const [then, otherwise] = [this.block(end.then), this.block(end.else)];
        this.#use([end.cond]);
        const block: End = { ...end, then: then.block, else: otherwise.block };
        return { block, isNeeded: then.isNeeded || otherwise.isNeeded };
      }
      case "switch": {
        const bodies = end.branches.map(({ body }) => this.block(body));
        this.#use([end.object]);
        const branches = end.branches.map(({ con, body }, index) => ({ con, body: bodies[index]?.block ?? body }));
        return { block: { ...end, branches }, isNeeded: bodies.some((body) => body.isNeeded) };
      }
    }
  }

  /** Null where the statement is left out. */
  #stmt(stmt: Stmt): Swept<Stmt> | null {
    const isUsed = boundBy(stmt).some(({ name }) => this.#used.has(name));
    switch (stmt.kind) {
      case "let": {
        const isNeeded = mayFail(stmt.op);
        if (!isUsed && !isNeeded) return null;
        this.#use(operands(stmt.op));
        return { block: stmt, isNeeded };
      }
      case "check":
      case "call":
      case "apply":
        this.#use(atomsOf(stmt));
        return { block: stmt, isNeeded: true };
      case "choose": {
        // Where it turns out not to be needed, what it uses has been noted: that keeps more than is needed, and is right
        const { block: end, isNeeded } = this.#end(stmt.end);
        return isUsed || isNeeded ? { block: { ...stmt, end }, isNeeded } : null;
      }
      case "loop": {
        const loop = this.#withoutResults(stmt);
        const { block: body } = this.block(loop.body);
        this.#use(loop.init);
        return { block: { ...loop, body }, isNeeded: true };
      }
      case "for": {
        const loop = this.#withoutUnused(stmt);
        const { block: body, isNeeded } = this.block(loop.body);
        if (!isUsed && !isNeeded) return null;
        this.#use(atomsOf(loop));
        return { block: { ...loop, body }, isNeeded };
      }
    }
  }

  /** A loop without the arrays that nothing uses, and without what it carries for itself alone. */
  #withoutUnused(loop: For): For {
    const arrays = loop.arrays.map(({ name }) => this.#used.has(name));
    let params = loop.results.map(({ name }) => this.#used.has(name));
    if ([...params, ...arrays].every((used) => used) || isRecurrent(loop)) return loop;
    if (this.isTrial) return reduced(loop, [...params.map(() => true), ...arrays]);
    for (;;) {
      const trial = new Sweep(true);
      trial.block(reduced(loop, [...params, ...arrays]).body);
      const needed = loop.params.map(({ name }, index) => params[index] === true || trial.#used.has(name));
      if (needed.every((each, index) => each === params[index])) return reduced(loop, [...params, ...arrays]);
      params = needed;
    }
  }

  /** A loop without the results that nothing uses. */
  #withoutResults(loop: Stmt & { readonly kind: "loop" }): Stmt & { readonly kind: "loop" } {
    const isUsed = loop.results.map(({ name }) => this.#used.has(name));
    if (isUsed.every((used) => used)) return loop;
    const body = mapEnds(loop.body, (end) => (end.kind === "yield" ? { ...end, values: some(end.values, isUsed) } : end)); // prettier-ignore
    return { ...loop, results: some(loop.results, isUsed), body };
  }

  #use(atoms: readonly Atom[]): void {
    for (const atom of atoms) if (atom.kind === "var") this.#used.add(atom.variable.name);
  }
}

/** A loop with some of what it carries and makes. */
function reduced(loop: For, isKept: readonly boolean[]): For {
  const [params, arrays] = [isKept.slice(0, loop.params.length), isKept.slice(loop.params.length)];
  const body = mapEnds(loop.body, (end) => (end.kind === "yield" ? { ...end, values: some(end.values, isKept) } : end));
  return {
    ...loop,
    params: some(loop.params, params),
    init: some(loop.init, params),
    results: some(loop.results, params),
    arrays: some(loop.arrays, arrays),
    body,
  };
}

function some<T>(list: readonly T[], isKept: readonly boolean[]): readonly T[] {
  return list.filter((_, index) => isKept[index] === true);
}

function mayFail(op: Operation): boolean {
  return op.kind === "prim" && op.site !== null;
}
