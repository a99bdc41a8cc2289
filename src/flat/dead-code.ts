// What nothing uses and what cannot fail is left out: operations, choices, loops that end.

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

/** Goes through blocks from the end to the beginning. */
class Sweep {
  readonly #used = new Set<string>();

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
        const { block: body, isNeeded } = this.block(stmt.body);
        if (!isUsed && !isNeeded) return null;
        this.#use(atomsOf(stmt));
        return { block: { ...stmt, body }, isNeeded };
      }
    }
  }

  /** A loop without the results that nothing uses. */
  #withoutResults(loop: Stmt & { readonly kind: "loop" }): Stmt & { readonly kind: "loop" } {
    const isUsed = loop.results.map(({ name }) => this.#used.has(name));
    if (isUsed.every((used) => used)) return loop;
    const kept = <T>(list: readonly T[]): readonly T[] => list.filter((_, index) => isUsed[index] !== false);
    const body = mapEnds(loop.body, (end) => (end.kind === "yield" ? { ...end, values: kept(end.values) } : end));
    return { ...loop, results: kept(loop.results), body };
  }

  #use(atoms: readonly Atom[]): void {
    for (const atom of atoms) if (atom.kind === "var") this.#used.add(atom.variable.name);
  }
}

function mayFail(op: Operation): boolean {
  return op.kind === "prim" && op.site !== null;
}
