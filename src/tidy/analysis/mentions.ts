// What statements name, declare and assign, and whether they jump.

import { isName } from "../../typescript/facts.js";
import { visitExpressions, visitNames, visitStatements } from "../../typescript/traverse.js";
import type { TsStmt } from "../../typescript/tree.js";
import { namesOf } from "./bindings.js";

/** Whether an iteration of the loop that statements are the body of may end early, or be the last one: what ends a loop within them does not count. */
export function jumps(stmts: readonly TsStmt[]): boolean {
  return stmts.some((stmt) => jumpsOut(stmt, { ofBreak: false, ofContinue: false }));
}

/** Whether a statement jumps out of itself. `inside`: whether what jumps without a label ends within the statements that are asked about. */
function jumpsOut(stmt: TsStmt, inside: { readonly ofBreak: boolean; readonly ofContinue: boolean }): boolean {
  const anyOf = (stmts: readonly TsStmt[], within = inside): boolean => stmts.some((each) => jumpsOut(each, within));
  switch (stmt.kind) {
    case "return":
      return true;
    case "break":
      return stmt.label !== null || !inside.ofBreak;
    case "continue":
      return stmt.label !== null || !inside.ofContinue;
    case "for":
    case "while":
    case "loop":
      return anyOf(stmt.body, { ofBreak: true, ofContinue: true });
    case "switch":
      return stmt.cases.some(({ body }) => anyOf(body, { ...inside, ofBreak: true }));
    case "if":
      return anyOf(stmt.then) || anyOf(stmt.else);
    case "try":
      return anyOf(stmt.body) || anyOf(stmt.handler);
    case "block":
      return anyOf(stmt.body);
    case "const":
    case "let":
    case "expr":
    case "throw":
    case "function":
    case "comment":
      return false;
  }
}

/** Whether statements name a variable. */
export function mentionsIn(stmts: readonly TsStmt[], variable: string): boolean {
  return stmts.some((stmt) => countsIn(stmt).has(variable));
}

/** How often statements name an array. */
export function namesIn(stmts: readonly TsStmt[], array: string): number {
  return stmts.reduce((count, stmt) => count + (countsIn(stmt).get(array) ?? 0), 0);
}

const counts = new WeakMap<TsStmt, ReadonlyMap<string, number>>();

/** How often a statement names each variable: read once, however many variables are asked for. */
function countsIn(stmt: TsStmt): ReadonlyMap<string, number> {
  const known = counts.get(stmt);
  if (known !== undefined) return known;
  const found = new Map<string, number>();
  visitNames([stmt], (name) => found.set(name, (found.get(name) ?? 0) + 1));
  counts.set(stmt, found);
  return found;
}

const declaredIn = new WeakMap<TsStmt, ReadonlySet<string>>();

/** Whether statements assign to a variable. */
export function assigns(stmts: readonly TsStmt[], name: string): boolean {
  let found = false;
  visitExpressions(stmts, (expr) => {
    found ||= expr.kind === "assign" && isName(expr.target, name);
  });
  return found;
}

/** Whether a loop declares a variable. */
export function declares(loop: TsStmt, name: string): boolean {
  const known = declaredIn.get(loop) ?? declarationsIn(loop);
  declaredIn.set(loop, known);
  return known.has(name);
}

function declarationsIn(loop: TsStmt): ReadonlySet<string> {
  const names = new Set<string>();
  visitStatements([loop], (stmt) => {
    if (stmt.kind === "const") for (const name of namesOf(stmt.target)) names.add(name);
    if (stmt.kind === "let" || stmt.kind === "for") names.add(stmt.name);
  });
  return names;
}

/** The variable that a statement assigns another one to, if that is what it does. */
export function assignedFrom(stmt: TsStmt, name: string): string | null {
  if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op !== "=") return null;
  return stmt.expr.target.kind === "id" && isName(stmt.expr.value, name) ? stmt.expr.target.name : null;
}
