// Loops of which one iteration does something.
//
//   for (let j = 0; j < n; j++) {                if (i >= 0 && i < n) {
//     if (j === i) S;                     =>       S, with i in the place of j
//     else x[j] = x[j];                          }
//   }

import { binary, number } from "../../typescript/build.js";
import { isName, isNumber } from "../../typescript/facts.js";
import { mapBlocks } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { iterationsOf, type For } from "../analysis/counting.js";
import { jumps, mentionsIn } from "../analysis/mentions.js";
import { indexTested, iterationAt } from "../analysis/one-index.js";

export function withSingleIterations(fn: TsFunction): TsFunction {
  return mapBlocks(fn, (body) => body.map((stmt) => (stmt.kind === "for" ? (single(stmt) ?? stmt) : stmt)));
}

/** What a loop does, without the loop; null where other iterations than one may do something. */
function single(loop: For): TsStmt | null {
  const [choice, ...others] = loop.body;
  const count = iterationsOf(loop);
  if (choice?.kind !== "if" || others.length > 0 || count === null || jumps(loop.body)) return null;
  const at = indexTested(choice.test, loop);
  if (at === null || !isNothing(choice.else, loop.name) || mentionsIn([{ kind: "expr", expr: count }], loop.name)) return null; // prettier-ignore
  const test = binary("&&", binary(">=", at, number(0)), binary("<", at, count));
  return { kind: "if", test, then: iterationAt(loop, at).block(choice.then), else: [] };
}

/** `x[j] = x[j]`, or `const t = x[j]; x[j] = 0; x[j] += t`. */
function isNothing(stmts: readonly TsStmt[], index: string): boolean {
  const [first, second, third, ...others] = stmts;
  if (first === undefined) return true;
  if (second === undefined) {
    const copy = assignOf(first, "=");
    const array = copy === null ? null : arrayOf(copy.target, index);
    return copy !== null && array !== null && arrayOf(copy.value, index) === array;
  }
  const [cleared, added] = [assignOf(second, "="), assignOf(third, "+=")];
  if (first.kind !== "const" || typeof first.target !== "string" || cleared === null || added === null) return false;
  const array = arrayOf(first.init, index);
  if (array === null || others.length > 0 || !isNumber(cleared.value, 0) || !isName(added.value, first.target)) return false; // prettier-ignore
  return arrayOf(cleared.target, index) === array && arrayOf(added.target, index) === array;
}

/** x, of `x[j]`. */
function arrayOf(expr: TsExpr, index: string): string | null {
  return expr.kind === "index" && expr.object.kind === "id" && isName(expr.index, index) ? expr.object.name : null;
}

function assignOf(stmt: TsStmt | undefined, op: "=" | "+="): (TsExpr & { readonly kind: "assign" }) | null {
  return stmt?.kind === "expr" && stmt.expr.kind === "assign" && stmt.expr.op === op ? stmt.expr : null;
}
