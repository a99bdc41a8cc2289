// Choices of the reverse sweep that need not know which way the forward sweep went: all ways do the same, or in the body of a loop all that lead out of it do,
// and all that lead to a next iteration. Which of the two it was the number of the iteration says: a way out is taken in the last one.

import { keyOf } from "../key.js";
import type { Block } from "../flat/program.js";
import { isSameExpr } from "../typescript/facts.js";
import { not } from "../typescript/build.js";
import type { TsExpr, TsStmt } from "../typescript/tree.js";
import { leaves } from "./blocks.js";
import { branching } from "./code.js";

/** A way of the forward sweep, and what the reverse sweep does for it. */
interface Way {
  readonly body: Block;
  readonly stmts: readonly TsStmt[];
}

/** What is done in the last iteration of a loop, and in those before it; null where that is never come to. */
interface Done {
  readonly last: readonly TsStmt[] | null;
  readonly before: readonly TsStmt[] | null;
}

/** What is done for each of some ways, told by no more than whether it `isLast`, an iteration of a loop; null where that is not enough. */
export function decidedByIteration(ways: readonly Way[], isLast: TsExpr | null): readonly TsStmt[] | null {
  const done = ways.map((way) => doneBy(way, isLast));
  const [last, before] = [common(done.map((one) => one.last)), common(done.map((one) => one.before))];
  if (last === null || before === null) return null;
  const [out, on] = [last[0], before[0]];
  if (out === undefined || on === undefined || isSame(out, on)) return out ?? on ?? [];
  return isLast === null ? null : [branching(isLast, out, on)];
}

function doneBy({ body, stmts }: Way, isLast: TsExpr | null): Done {
  if (leaves(body, "yield")) return { last: stmts, before: null };
  if (leaves(body, "next")) return { last: null, before: stmts };
  const [only] = stmts;
  if (stmts.length === 1 && only?.kind === "if" && isLast !== null) {
    if (isSameExpr(only.test, isLast)) return { last: only.then, before: only.else };
    if (isSameExpr(only.test, not(isLast))) return { last: only.else, before: only.then };
  }
  return { last: stmts, before: stmts };
}

/** Statements that are the same, if there are any, in a list of at most one; null where they differ. */
function common(all: readonly (readonly TsStmt[] | null)[]): readonly (readonly TsStmt[])[] | null {
  const [first, ...others] = all.filter((stmts) => stmts !== null);
  if (first === undefined) return [];
  return others.every((other) => isSame(first, other)) ? [first] : null;
}

function isSame(a: readonly TsStmt[], b: readonly TsStmt[]): boolean {
  return a.length === b.length && a.every(({ kind }, index) => b[index]?.kind === kind) && keyOf(a) === keyOf(b);
}
