// Statements that can be done in another place.

import type { Block, Operation, Stmt } from "./program.js";
import { branchesOf } from "./traverse.js";

/** Whether a statement can be done later, elsewhere or not at all. */
export function isPure(stmt: Stmt): boolean {
  return isPlainly(stmt, isPureOperation);
}

/** Whether all that it can fail by is that lengths differ that must be the same. */
export function comparesLengths(stmt: Stmt): boolean {
  return isPlainly(stmt, (op) => isPureOperation(op) || (op.kind === "prim" && op.op === "sameLength"));
}

export function isPureBlock(block: Block): boolean {
  return isPlainlyBlock(block, isPureOperation);
}

/** What is the caller's may throw: it is called where the program calls it, or not at all. */
function isPureOperation(op: Operation): boolean {
  return op.kind === "prim" ? op.site === null : op.kind !== "extern";
}

function isPlainly(stmt: Stmt, isPlain: (op: Operation) => boolean): boolean {
  switch (stmt.kind) {
    case "let":
      return isPlain(stmt.op);
    case "choose":
      return branchesOf(stmt.end).every((block) => isPlainlyBlock(block, isPlain));
    case "for":
      return isPlainlyBlock(stmt.body, isPlain);
    default:
      return false;
  }
}

function isPlainlyBlock({ stmts, end }: Block, isPlain: (op: Operation) => boolean): boolean {
  return stmts.every((stmt) => isPlainly(stmt, isPlain)) && branchesOf(end).every((block) => isPlainlyBlock(block, isPlain)); // prettier-ignore
}
