// Arrays that a function is lent: it reads and writes their elements, and keeps nothing of them when it returns.

import { isName } from "../../typescript/facts.js";
import { visitParts, visitStmt, type Visiting } from "../../typescript/traverse.js";
import type { TsDeclaration, TsExpr, TsStmt, TsType } from "../../typescript/tree.js";
import { mentionsIn } from "./mentions.js";
import { isBorrowingCall, type Surroundings } from "./purity.js";
import { usesIn } from "./uses.js";

/** Whether a function of a module is lent its parameter at an index. */
export type IsLent = (fn: string, index: number) => boolean;

/** Which parameters the functions of a module are lent: arrays of numbers, and arrays of such rows. */
export function lendingIn(declarations: readonly TsDeclaration[], others: Omit<Surroundings, "isLent">): IsLent {
  const fns = declarations.flatMap((declaration) => ("fn" in declaration ? [declaration.fn] : []));
  const lent = new Map(
    fns.map(({ name, params }) => [name, params.map(({ type }) => isNumbers(type) || isRows(type))]),
  );
  const isLent: IsLent = (fn, index) => lent.get(fn)?.[index] === true;
  const surroundings: Surroundings = { ...others, isLent };
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (const { name, params, body } of fns) {
      params.forEach((param, index) => {
        if (!isLent(name, index)) return;
        if (isRows(param.type) ? confinedUses(param.name, body, surroundings) !== null : isConfined(param.name, body, surroundings)) return; // prettier-ignore
        lent.get(name)?.splice(index, 1, false);
        isSettled = false;
      });
    }
  }
  return isLent;
}

/** Whether statements but read and write elements of an array of numbers, and lend it. */
export function isConfined(array: string, body: readonly TsStmt[], surroundings: Surroundings): boolean {
  const { others, lent } = usesIn(array, body, surroundings);
  return others === lent;
}

function isNumbers(type: TsType): boolean {
  return type.kind === "name" && type.name === "Float64Array";
}

function isRows(type: TsType): boolean {
  return type.kind === "array" && isNumbers(type.element);
}

/**
 * How often functions are lent an array of rows, where statements but read and write elements of the rows besides; null where they do anything else with it, or with a
 * row. `known` statements are left out.
 */
export function confinedUses(
  rows: string,
  body: readonly TsStmt[],
  surroundings: Surroundings,
  known: ReadonlySet<TsStmt> = new Set(),
): { readonly lent: number } | null {
  const found: { isLost: boolean; lent: number } = { isLost: false, lent: 0 };
  /** The index of the row that an expression is; null where it is none. */
  const rowIndex = (expr: TsExpr): TsExpr | null =>
    expr.kind === "index" && isName(expr.object, rows) ? expr.index : null;
  const part = (expr: TsExpr): void => {
    const index = rowIndex(expr);
    if (index !== null) visiting.expr(index);
    else if (!isName(expr, rows)) visiting.expr(expr);
  };
  const visiting: Visiting = {
    expr: (expr) => {
      const isInFunction = expr.kind === "arrow" && mentionsIn([{ kind: "expr", expr }], rows);
      if (isName(expr, rows) || rowIndex(expr) !== null || isInFunction) found.isLost = true;
      else if (expr.kind === "index") {
        part(expr.object);
        visiting.expr(expr.index);
      } else if (expr.kind === "member" && expr.name === "length") part(expr.object);
      else if (expr.kind === "call" && expr.fn.kind === "id") {
        const { fn } = expr;
        expr.args.forEach((arg, index) => {
          if (isName(arg, rows) && surroundings.isLent(fn.name, index)) found.lent++;
          if (isBorrowingCall(fn, surroundings) || surroundings.isLent(fn.name, index)) part(arg);
          else visiting.expr(arg);
        });
      } else visitParts(expr, visiting);
    },
    block: (stmts) => {
      for (const stmt of stmts) {
        if (known.has(stmt)) continue;
        const index = stmt.kind === "const" ? rowIndex(stmt.init) : null;
        if (index !== null && stmt.kind === "const" && typeof stmt.target === "string") {
          if (!isConfined(stmt.target, body, surroundings)) found.isLost = true;
          visiting.expr(index);
        } else if (stmt.kind === "function" && mentionsIn([stmt], rows)) found.isLost = true;
        else visitStmt(stmt, visiting);
      }
    },
  };
  visiting.block(body);
  return found.isLost ? null : found;
}
