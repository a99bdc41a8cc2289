// The counts of loops that stand in front of another loop: 0 where that has no iterations, and where an array cannot have so many elements. The test of a size
// stays where it was, and its error comes if the program comes to it.
//
//   for i < n { check m; y = for j < m .. }     =>     m' = if n > 0 && m >= 0 && m < 2 ** 27 then m else 0; y = for j < m' ..; for i < n { check m }

import { atomOf, intAtom, letOf, sameAtom, yieldOf } from "./build.js";
import type { FlatNames } from "./naming.js";
import {
  bool,
  int,
  type Atom,
  type Block,
  type End,
  type Operation,
  type Rep,
  type Stmt,
  type Var,
} from "./program.js";
import { longest } from "./ranges.js";
import type { For, Loop } from "./rewrite-loops.js";
import { allStmts, mapBlocks } from "./traverse.js";

export class FrontCounts {
  /** The sizes that the loop tests. */
  readonly #tested: readonly Atom[];
  readonly #known: { readonly of: Atom; readonly count: Atom }[] = [];

  constructor(
    private readonly loop: Loop | For,
    private readonly names: FlatNames,
  ) {
    this.#tested = allStmts(loop.body).flatMap((stmt) =>
      stmt.kind === "check" && stmt.check.kind === "size" ? [stmt.check.size] : [],
    );
  }

  /** A statement in front of the loop in which no count is a size that has not been tested, behind what its counts are computed by. */
  tested(stmt: Stmt): readonly Stmt[] {
    const out: Stmt[] = [];
    const inStmt = (inner: Stmt): Stmt => {
      if (inner.kind === "choose") return { ...inner, end: mapBlocks(inner.end, inBlock) };
      if (inner.kind !== "for") return inner;
      const count = this.#isTested(inner.count) ? this.count(inner.count, out) : inner.count;
      return { ...inner, count, body: inBlock(inner.body) };
    };
    const inBlock = ({ stmts, end }: Block): Block => ({ stmts: stmts.map(inStmt), end: mapBlocks(end, inBlock) });
    const moved = inStmt(stmt);
    return [...out, moved];
  }

  /** A number that is 0 where the loop has no iterations. */
  add(count: Atom): void {
    if (!this.#isTested(count)) this.#known.push({ of: count, count });
  }

  /** Whether it is such a count. */
  has(count: Atom): boolean {
    return this.#known.some((each) => sameAtom(each.count, count));
  }

  /** The count of a loop in front in the place of its own, if it is there already. */
  known(own: Atom): Atom | null {
    return this.#known.find(({ of }) => sameAtom(of, own))?.count ?? null;
  }

  /** The same; what it is computed by, if that is not yet there, goes to `out`. */
  count(own: Atom, out: Stmt[]): Atom {
    const known = this.known(own);
    if (known !== null) return known;
    const count = this.#isBad(own) ? intAtom(0) : this.#where(this.#conditions(own), own, out);
    this.#known.push({ of: own, count });
    return count;
  }

  #isTested(size: Atom): boolean {
    return this.#tested.some((tested) => sameAtom(tested, size));
  }

  #isBad(size: Atom): boolean {
    return size.kind === "int" && this.#isTested(size) && !(size.value >= 0 && size.value <= longest);
  }

  /** What must hold if the program is to come to a loop with a count. */
  #conditions(own: Atom): readonly Operation[] {
    const { loop } = this;
    // The first iteration of a loop that leaves itself is always there
    const isRun = loop.kind === "loop" || (loop.count.kind === "int" && loop.count.value > 0);
    const some = isRun ? [] : [compared("gtZ", loop.count, 0)];
    return own.kind === "int" || !this.#isTested(own)
      ? some
      : [...some, compared("geZ", own, 0), compared("leZ", own, longest)];
  }

  /** A count where all conditions hold, 0 elsewhere. */
  #where(conditions: readonly Operation[], own: Atom, out: Stmt[]): Atom {
    const test = (condition: Operation): Atom => {
      const some = this.#fresh("some", bool);
      out.push(letOf(some, condition));
      return atomOf(some);
    };
    const [first, ...others] = conditions.map(test);
    if (first === undefined) return own;
    const cond = others.reduce((all, next) => test({ kind: "prim", op: "and", args: [all, next], site: null }), first);
    const count = this.#fresh("count", int);
    const end: End = { kind: "if", cond, then: yieldOf([], [own]), else: yieldOf([], [intAtom(0)]) };
    out.push({ kind: "choose", results: [count], end });
    return atomOf(count);
  }

  #fresh(stem: string, rep: Rep): Var {
    return { name: this.names.fresh({ stem, suffix: "" }), rep };
  }
}

function compared(op: "gtZ" | "geZ" | "leZ", left: Atom, bound: number): Operation {
  return { kind: "prim", op, args: [left, intAtom(bound)], site: null };
}
