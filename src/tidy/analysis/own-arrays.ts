// The arrays that each iteration of a loop makes, and those of them that another loop gets: no other iteration has one.

import { isName } from "../../typescript/facts.js";
import { visitExpressions, visitStatements } from "../../typescript/traverse.js";
import type { TsExpr, TsStmt } from "../../typescript/tree.js";
import { isArrayMade, type OwnArrays } from "./accesses.js";
import { namesOf } from "./bindings.js";
import type { For } from "./counting.js";

/** `array[i] = value`, a statement of a loop's body. */
export interface Save {
  readonly array: string;
  readonly value: TsExpr;
  readonly stmt: TsStmt;
}

export function saveOf(stmt: TsStmt, index: string): Save | null {
  if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op !== "=") return null;
  const { target, value } = stmt.expr;
  if (target.kind !== "index" || target.object.kind !== "id" || !isName(target.index, index)) return null;
  return { array: target.object.name, value, stmt };
}

/** What is known of variables around two loops. */
export interface Around {
  /** Whether a variable was there before the first loop, and stays as it is. */
  readonly isBefore: (name: string) => boolean;
  /** Whether the elements of an array are numbers. */
  readonly holdsNumbers: (name: string) => boolean;
  /** Whether an array has no other name, in that nothing is done with it but that one loop sets its elements, and the other reads them. */
  readonly isAlone: (name: string) => boolean;
}

/**
 * The arrays of the iterations of a loop by their names, and by those under which another loop has what has been saved of them, and what is in that; and arrays that are
 * none of these.
 */
export function ownArrays(first: For, second: For, around: Around): OwnArrays {
  const filled = new Set(arraysFilledIn([first, second]).filter((name) => !around.holdsNumbers(name)));
  const old = oldIn([first, second], (name) => around.isBefore(name) && !filled.has(name));
  const found = arraysOfRounds(first, second, around, old);
  // What is old stays so where arrays are put into nothing but what iterations have
  const isOfRounds = (name: string): boolean => found.made.has(name) || (found.saved.has(name) && around.isAlone(name));
  return [...filled].every(isOfRounds) ? found : arraysOfRounds(first, second, around, new Set());
}

/** The same, where some arrays are known to be old. */
function arraysOfRounds(first: For, second: For, around: Around, old: ReadonlySet<string>): OwnArrays {
  const { isBefore, holdsNumbers } = around;
  const made = new Set<string>();
  visitStatements(first.body, (stmt) => {
    if (stmt.kind === "const" && isArrayMade(stmt.init) && typeof stmt.target === "string") made.add(stmt.target);
  });
  const changed = changedIn([first, second]);
  const shown = carriedIn(first, (name) => !changed.has(name), (name) => made.has(name) || isBefore(name) || old.has(name)); // prettier-ignore
  const saved = new Map<string, Set<string>>();
  visitStatements(first.body, (stmt) => {
    const save = saveOf(stmt, first.name);
    // A number may come from an array that is old, but is none
    if (save?.value.kind !== "id" || holdsNumbers(save.array)) return;
    const { name } = save.value;
    if (made.has(name)) saved.set(save.array, made);
    else if (shown.has(name)) saved.set(save.array, shown);
  });
  visitStatements(second.body, (stmt) => {
    if (stmt.kind !== "const" || typeof stmt.target !== "string") return;
    const { init } = stmt;
    if (init.kind !== "index" || init.object.kind !== "id") return;
    const found = isName(init.index, second.name) ? saved.get(init.object.name) : undefined;
    const isChanged = changed.has(stmt.target);
    if (found === made || (isChanged && made.has(init.object.name))) made.add(stmt.target);
    // What is in an array that an iteration has made may be from before
    else if (!isChanged && (found === shown || made.has(init.object.name))) shown.add(stmt.target);
  });
  return { made, shown, saved: new Set(saved.keys()), old };
}

/** The arrays from before some loops, by the names that the loops use for them: variables that are given, and what is in them. */
function oldIn(loops: readonly For[], isGiven: (name: string) => boolean): ReadonlySet<string> {
  const declared = new Set<string>();
  visitStatements(loops, (stmt) => {
    if (stmt.kind === "const") for (const name of namesOf(stmt.target)) declared.add(name);
    if (stmt.kind === "let" || stmt.kind === "for") declared.add(stmt.name);
  });
  const old = new Set<string>();
  const isOld = (name: string): boolean => old.has(name) || (isGiven(name) && !declared.has(name));
  visitExpressions(loops, (expr) => {
    if (expr.kind === "index" && expr.object.kind === "id" && isOld(expr.object.name)) old.add(expr.object.name);
  });
  visitStatements(loops, (stmt) => {
    if (stmt.kind !== "const" || typeof stmt.target !== "string" || stmt.init.kind !== "index") return;
    if (stmt.init.object.kind === "id" && isOld(stmt.init.object.name)) old.add(stmt.target);
  });
  return old;
}

/** The arrays that get elements, by name; "" for one without. */
function arraysFilledIn(stmts: readonly TsStmt[]): readonly string[] {
  const names: string[] = [];
  visitExpressions(stmts, (expr) => {
    const filled = filledBy(expr);
    if (filled !== null) names.push(filled.kind === "id" ? filled.name : "");
  });
  return names;
}

/** The array that an expression puts something in, in the place of what was there or behind it. */
function filledBy(expr: TsExpr): TsExpr | null {
  if (expr.kind === "assign" && expr.op === "=" && expr.target.kind === "index") return expr.target.object;
  return expr.kind === "call" && expr.fn.kind === "member" && expr.fn.name === "push" ? expr.fn.object : null;
}

/** The variables of a loop's iterations that only ever are arrays of which `isKnown` is true, or each other's. */
function carriedIn(loop: For, isKept: (name: string) => boolean, isKnown: (name: string) => boolean): Set<string> {
  const values = new Map<string, (TsExpr | null)[]>();
  visitStatements(loop.body, (stmt) => {
    if (stmt.kind === "let" && isKept(stmt.name)) values.set(stmt.name, stmt.init === null ? [] : [stmt.init]);
  });
  visitExpressions(loop.body, (expr) => {
    if (expr.kind !== "assign" || expr.target.kind !== "id") return;
    values.get(expr.target.name)?.push(expr.op === "=" ? expr.value : null);
  });
  for (let size = -1; size !== values.size;) {
    size = values.size;
    for (const [name, given] of values) {
      const isArray = given.every((value) => value?.kind === "id" && (isKnown(value.name) || values.has(value.name)));
      if (!isArray) values.delete(name);
    }
  }
  return new Set(values.keys());
}

/** The arrays of which elements are assigned to, by the names that are used for it. */
function changedIn(stmts: readonly TsStmt[]): ReadonlySet<string> {
  const names = new Set<string>();
  visitExpressions(stmts, (expr) => {
    if (expr.kind !== "assign" || expr.target.kind !== "index" || expr.target.object.kind !== "id") return;
    names.add(expr.target.object.name);
  });
  return names;
}
