// Passes that look at statements beside each other: at the blocks of a function.

import { mapSame } from "../../same.js";
import type { TsFunction } from "../../typescript/tree.js";
import { hasStatements, mapParts, mapStmt, withBody, type Rewriting } from "./walk.js";

/** A function in which `rewrite` has been applied to every block, to those within others first. */
export function mapBlocks(fn: TsFunction, rewrite: Rewriting["block"]): TsFunction {
  const rewriting: Rewriting = {
    expr: (expr) => (hasStatements(expr) ? mapParts(expr, rewriting) : expr),
    block: (body) => rewrite(mapSame(body, (stmt) => mapStmt(stmt, rewriting))),
  };
  return withBody(fn, rewriting.block(fn.body));
}
