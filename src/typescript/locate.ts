// Emitted statements and expressions told where in the model they are from, and asked for it.

import { locate, location, relocate, type Location } from "../location.js";
import type { TsExpr, TsStmt } from "./tree.js";
import { visitParts, visitStmt, type Visiting } from "./traverse.js";

/** Tells the statements that have been added to a list since it had `before` of them, and all in them, unless they know better. */
export function locateCode(stmts: readonly TsStmt[], before: number, at: Location | undefined): void {
  if (at === undefined) return;
  for (let index = before; index < stmts.length; index++) {
    const stmt = stmts[index];
    if (stmt !== undefined) locateStmt(stmt, at);
  }
}

/** Tells the statement, of those that have been added, that declares a variable which author's it is. */
export function nameDeclared(stmts: readonly TsStmt[], before: number, name: string, at: Location | undefined): void {
  const { variable = null } = at ?? {};
  if (variable === null) return;
  const declaration = stmts.slice(before).find((stmt) => (stmt.kind === "const" && stmt.target === name) || (stmt.kind === "let" && stmt.name === name)); // prettier-ignore
  const known = declaration?.[location];
  if (declaration !== undefined) relocate(declaration, { file: variable.file, start: variable.start, end: variable.start + variable.name.length, ...known, variable }); // prettier-ignore
}

/** Statements that know where they are from, or are from there. */
export function locatedCode(stmts: readonly TsStmt[], at: Location | undefined): readonly TsStmt[] {
  locateCode(stmts, 0, at);
  return stmts;
}

function locateStmt(stmt: TsStmt, at: Location): void {
  // Then all in it knows, too
  if (stmt[location] !== undefined) return;
  visitStmt(stmt, locating(at));
  locate(stmt, at);
}

/** Tells an expression, and its parts. Names and literals stand for whatever is called so, and some are shared by all modules. */
export function locatedExpr(expr: TsExpr, at: Location | undefined): TsExpr {
  if (at !== undefined && isMade(expr) && expr[location] === undefined) {
    visitParts(expr, locating(at));
    locate(expr, at);
  }
  return expr;
}

function locating(at: Location): Visiting {
  return {
    expr: (part) => {
      locatedExpr(part, at);
    },
    block: (body) => {
      locateCode(body, 0, at);
    },
  };
}

function isMade({ kind }: TsExpr): boolean {
  switch (kind) {
    case "binary":
    case "unary":
    case "cond":
    case "call":
    case "new":
    case "index":
    case "member":
    case "assign":
    case "array":
    case "object":
      return true;
    default:
      return false;
  }
}

/** Where a statement is from: what it is told itself, or the first of its expressions, or else the first of those in its blocks; undefined where nothing is known. */
export function locationOf(stmt: TsStmt): Location | undefined {
  let found = stmt[location];
  const within: (readonly TsStmt[])[] = [];
  const visiting: Visiting = {
    expr: (part) => {
      if (found !== undefined) return;
      found = part[location];
      if (found === undefined) visitParts(part, visiting);
    },
    block: (body) => {
      within.push(body);
    },
  };
  if (found === undefined) visitStmt(stmt, visiting);
  for (const inner of within.flat()) found ??= locationOf(inner);
  return found;
}
