// Statements that can be done in another place.

import type { Block, Stmt } from "./program.js";
import { branchesOf } from "./traverse.js";

/** Whether a statement can be done later, elsewhere or not at all. */
export function isPure(stmt: Stmt): boolean {
  switch (stmt.kind) {
    case "let":
      // What is the caller's may throw: it is called where the program calls it, or not at all
      return stmt.op.kind === "prim" ? stmt.op.site === null : stmt.op.kind !== "extern";
    case "choose":
      return branchesOf(stmt.end).every(isPureBlock);
    case "for":
      return isPureBlock(stmt.body);
    default:
      return false;
  }
}

export function isPureBlock({ stmts, end }: Block): boolean {
  return stmts.every(isPure) && branchesOf(end).every(isPureBlock);
}
