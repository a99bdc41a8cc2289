// What the notation of flat programs means, for readers: of what some procedures really use.

import type { LegendEntry } from "../stages/legend.js";
import type { Procedure } from "./program.js";
import { allBlocks } from "./traverse.js";

/** The notation that procedures use. */
export function flatLegend(procedures: Iterable<Procedure>): readonly LegendEntry[] {
  const found = new Set<string>();
  for (const { name, body } of procedures) {
    if (name.endsWith("!")) found.add("active");
    for (const { stmts, end } of allBlocks(body)) {
      found.add(end.kind);
      for (const stmt of stmts) {
        found.add(stmt.kind);
        if ((stmt.kind === "loop" || stmt.kind === "for") && stmt.arrays.length > 0) found.add("arrays");
        if (stmt.kind !== "let") continue;
        found.add(stmt.op.kind);
        if (stmt.op.kind === "prim" && stmt.op.site !== null) found.add("site");
        if (stmt.op.kind === "prim" && stmt.op.overflowing !== undefined) found.add("overflowing");
      }
    }
  }
  return entries.flatMap(([key, symbol, meaning]) => (found.has(key) ? [{ symbol, meaning }] : []));
}

const entries: readonly (readonly [key: string, symbol: string, meaning: string])[] = [
  ["active", "f!", "the function f, of which there is a reverse sweep"],
  ["yield", "yield a", "the value of the block"],
  ["next", "next a", "the next iteration of the loop, with new values of its variables"],
  ["loop", "loop (p = a)", "a loop: p begins as a, until a block yields"],
  ["for", "for i < n (p = a)", "n iterations, i = 0, 1, ..: an iteration yields the next p"],
  ["arrays", "[ys] = ..", "what iterations yield besides, one after the other, is the array ys"],
  ["check", "check ..", "fails at run time where it does not hold"],
  ["site", "op?", "an operation that may fail"],
  ["overflowing", "op!", "an operation on what may be infinite: a zero cotangent contributes 0"],
  ["known", "a with the derivative of b", "a number that is known, which passes its cotangent on to b"],
  ["field", "x.C.0", "the first field of what C has made"],
  ["cell", "xs ! i", "an element of an array"],
  ["extern", "extern f(x)", "a function of the caller's: a number as it gives one has no derivative"],
  ["closure", "closure f[x]", "a function as a value: f, with the variables that it has taken along"],
  ["realStore", "store of n", "cotangents of an array of n numbers, in the reverse sweep"],
  ["objectStore", "store C(..)", "cotangents of what C has made, in the reverse sweep"],
  ["zeroStore", "zero store of x", "cotangents in the shape of x, all 0"],
];
