// What statements name, declare and assign, and whether they jump.

import { isName } from "../../typescript/facts.js";
import { visitNames, visitStatements } from "../../typescript/traverse.js";
import type { TsStmt } from "../../typescript/tree.js";
import { namesOf } from "./bindings.js";

/** Whether a round may end early, or be the last one. */
export function jumps(stmts: readonly TsStmt[]): boolean {
  let found = 0;
  visitStatements(stmts, ({ kind }) => {
    if (kind === "break" || kind === "continue" || kind === "return") found++;
  });
  return found > 0;
}

/** Whether statements name an array. */
export function mentionsIn(stmts: readonly TsStmt[], array: string): boolean {
  return namesIn(stmts, array) > 0;
}

/** How often statements name an array. */
export function namesIn(stmts: readonly TsStmt[], array: string): number {
  let count = 0;
  visitNames(stmts, (name) => {
    if (name === array) count++;
  });
  return count;
}

/** Whether a loop declares a variable. */
export function declares(loop: TsStmt, name: string): boolean {
  let isFound = false;
  visitStatements([loop], (stmt) => {
    if (stmt.kind === "const" && namesOf(stmt.target).includes(name)) isFound = true;
    if ((stmt.kind === "let" || stmt.kind === "for") && stmt.name === name) isFound = true;
  });
  return isFound;
}

/** The variable that a statement assigns another one to, if that is what it does. */
export function assignedFrom(stmt: TsStmt, name: string): string | null {
  if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op !== "=") return null;
  return stmt.expr.target.kind === "id" && isName(stmt.expr.value, name) ? stmt.expr.target.name : null;
}
