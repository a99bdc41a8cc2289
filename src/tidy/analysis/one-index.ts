// Loops that do something else at one index than at the others: `if (j === i) ..`.

import { isName } from "../../typescript/facts.js";
import { mapParts, mapStmt, visitExpressions, type Rewriting } from "../../typescript/traverse.js";
import type { TsExpr } from "../../typescript/tree.js";
import type { For } from "./counting.js";
import { declares } from "./mentions.js";

/** i, of a test `j === i` of a loop's counter, where no iteration changes it. */
export function indexTested(test: TsExpr, loop: For): TsExpr | null {
  const { name } = loop;
  if (test.kind !== "binary" || test.op !== "===") return null;
  const at = isName(test.left, name) ? test.right : isName(test.right, name) ? test.left : null;
  if (at?.kind === "number") return at;
  return at?.kind === "id" && at.name !== name && !changes(loop, at.name) ? at : null;
}

/** Whether a loop declares a variable, or assigns to it. */
function changes(loop: For, name: string): boolean {
  const assigned = new Set<string>();
  visitExpressions(loop.body, (expr) => {
    if (expr.kind === "assign" && expr.target.kind === "id") assigned.add(expr.target.name);
  });
  return assigned.has(name) || declares(loop, name);
}

/** Other expressions in the place of those for which there is one. */
export function replacing(other: (expr: TsExpr) => TsExpr | null): Rewriting {
  const rewriting: Rewriting = {
    expr: (expr) => other(expr) ?? mapParts(expr, rewriting),
    block: (stmts) => stmts.map((stmt) => mapStmt(stmt, rewriting)),
  };
  return rewriting;
}

/** An iteration of a loop with `at` in the place of its counter. */
export function iterationAt(loop: For, at: TsExpr): Rewriting {
  return replacing((expr) => (isName(expr, loop.name) ? at : null));
}
