// Copy propagation through loops.
//
// Values that are others: arrays that a loop makes as copies of one that is as long, and what every iteration of a loop hands on as it is.
//
//   r, s = for i < n (y = a, m = b) { [q] = for k < l { .. m ! k ..; }; [c] = for k < l { e = m ! k; yield e }; yield q, c }
//     =>   r = for i < n (y = a) { [q] = for k < l { .. b ! k ..; }; yield q }                                     where l = length m, and s is b
//
// A record with new values in some of its fields leaves such copies of the others.

import { isVariable, sameAtom } from "./build.js";
import { Copy } from "./copy.js";
import { withoutCopies } from "./array-copies.js";
import type { Atom, Block, Program, Stmt, Var } from "./program.js";
import { sameLengths } from "./same-lengths.js";
import { endsOf, mapBlocks, mapEnds } from "./traverse.js";

type Loop = Stmt & { readonly kind: "loop" | "for" };

/** The program, with the same meaning. `names` are those of the program. */
export function sameArrays(program: Program): Program {
  const lengths = sameLengths(program);
  const hasSize = (array: Atom, size: Atom): boolean => lengths.textOf(array) === lengths.textOf(size);
  const procedures = program.procedures.map((procedure) => {
    const copied = withoutCopies(procedure, hasSize);
    const removal = new Removal();
    const body = removal.block(copied.body);
    const same = removal.resolved();
    if (copied === procedure && same.size === 0) return procedure;
    return { ...copied, body: new Copy(null, same).block(body) };
  });
  return { ...program, procedures };
}

class Removal {
  readonly #same = new Map<string, Atom>();

  /** What stands for the parameters and results of loops that are gone. */
  resolved(): ReadonlyMap<string, Atom> {
    return new Map([...this.#same].map(([name, atom]) => [name, this.#resolved(atom)]));
  }

  block({ stmts, end }: Block): Block {
    return { stmts: stmts.map((stmt) => this.#stmt(stmt)), end: mapBlocks(end, (inner) => this.block(inner)) };
  }

  #stmt(stmt: Stmt): Stmt {
    switch (stmt.kind) {
      case "choose":
        return { ...stmt, end: mapBlocks(stmt.end, (inner) => this.block(inner)) };
      case "loop":
      case "for":
        return this.#loop({ ...stmt, body: this.block(stmt.body) });
      default:
        return stmt;
    }
  }

  /** A loop without the parameters that its iterations hand on as they are. */
  #loop(loop: Loop): Loop {
    const iterations = loop.kind === "for" ? "yield" : "next";
    const ends = [...endsOf(loop.body)].filter(({ kind }) => kind === iterations);
    const isKept = loop.params.map((param, index) => {
      const init = loop.init[index];
      if (init === undefined || !ends.every(({ values }) => this.#isHandedOn(values[index], param, init))) return true;
      this.#same.set(param.name, init);
      const result = loop.kind === "for" ? loop.results[index] : undefined;
      if (result !== undefined) this.#same.set(result.name, init);
      return false;
    });
    if (isKept.every((kept) => kept)) return loop;
    const left = <T>(list: readonly T[]): readonly T[] => list.filter((_, index) => isKept[index] !== false);
    const body = mapEnds(loop.body, (end) => (end.kind === iterations ? { ...end, values: left(end.values) } : end));
    const [params, init] = [left(loop.params), left(loop.init)];
    return loop.kind === "for"
      ? { ...loop, params, init, body, results: left(loop.results) }
      : { ...loop, params, init, body };
  }

  #isHandedOn(value: Atom | undefined, param: Var, init: Atom): boolean {
    if (value === undefined) return false;
    const next = this.#resolved(value);
    return isVariable(next, param) || sameAtom(next, this.#resolved(init));
  }

  #resolved(atom: Atom): Atom {
    const next = atom.kind === "var" ? this.#same.get(atom.variable.name) : undefined;
    return next === undefined ? atom : this.#resolved(next);
  }
}
