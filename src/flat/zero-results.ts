// Which results of procedures are zero whatever they are given: the number 0, and arrays of nothing else.

import { allBlocks } from "./traverse.js";
import type { Atom, Block, Procedure, Program } from "./program.js";

/** By procedure, and by position. Calls are looked through, but for those that come back. */
export class ZeroResults {
  readonly #procedures: ReadonlyMap<string, Procedure>;
  readonly #known = new Map<string, readonly boolean[]>();

  constructor(program: Program) {
    this.#procedures = new Map(program.procedures.map((procedure) => [procedure.name, procedure]));
  }

  of(name: string): readonly boolean[] {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    this.#known.set(name, []);
    const body = this.#procedures.get(name)?.body;
    const found = body === undefined ? [] : this.#yielded(body);
    this.#known.set(name, found);
    return found;
  }

  #yielded(body: Block): readonly boolean[] {
    const zeros = new Set<string>();
    const isZero = (atom: Atom | undefined): boolean =>
      atom?.kind === "real" ? atom.value === 0 : atom?.kind === "var" && zeros.has(atom.variable.name);
    // Blocks come after what stands in them
    for (const { stmts } of [...allBlocks(body)].reverse()) {
      for (const stmt of stmts) {
        if (stmt.kind === "let" && stmt.op.kind === "copy" && isZero(stmt.op.value)) zeros.add(stmt.result.name);
        else if (stmt.kind === "call") {
          const callee = this.of(stmt.fn);
          stmt.results.forEach(({ name }, place) => { if (callee[place] === true) zeros.add(name); }); // prettier-ignore
        } else if (stmt.kind === "for" && stmt.body.end.kind === "yield") {
          const { values } = stmt.body.end;
          stmt.arrays.forEach(({ name }, place) => { if (isZero(values[stmt.params.length + place])) zeros.add(name); }); // prettier-ignore
        }
      }
    }
    return body.end.kind === "yield" ? body.end.values.map(isZero) : [];
  }
}
