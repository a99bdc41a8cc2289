// Questions that the TypeScript tree answers.

import { keyOf } from "../key.js";
import type { TsBinaryOp, TsExpr, TsStmt } from "./tree.js";

const opposites: ReadonlyMap<TsBinaryOp, TsBinaryOp> = new Map([
  ["<", ">="],
  [">=", "<"],
  [">", "<="],
  ["<=", ">"],
]);

/** Whether an operator says which of two numbers is larger. */
export function isComparison(op: TsBinaryOp): boolean {
  return opposites.has(op);
}

/** The comparison that holds where one does not; null where that may be none, since something is NaN. */
export function oppositeOf(expr: TsExpr): TsExpr | null {
  const op = expr.kind === "binary" && expr.isOrdered === true ? opposites.get(expr.op) : undefined;
  return expr.kind === "binary" && op !== undefined ? { ...expr, op } : null;
}

/** The expressions that an expression is directly made of, in the order in which they are evaluated; those in the statements of a function are not among them. */
export function partsOf(expr: TsExpr): readonly TsExpr[] {
  switch (expr.kind) {
    case "id":
    case "number":
    case "string":
    case "boolean":
    case "null":
    case "undefined":
      return noParts;
    case "binary":
      return [expr.left, expr.right];
    case "unary":
      return [expr.arg];
    case "cond":
      return [expr.test, expr.then, expr.else];
    case "call":
    case "new":
      return [expr.fn, ...expr.args];
    case "member":
      return [expr.object];
    case "index":
      return [expr.object, expr.index];
    case "arrow":
      return isBlock(expr.body) ? noParts : [expr.body];
    case "object":
      return expr.fields.map(({ value }) => value);
    case "array":
      return expr.items;
    case "as":
      return [expr.expr];
    case "yield":
      return [expr.value];
    case "assign":
      return [expr.target, expr.value];
  }
}

const noParts: readonly TsExpr[] = [];

/** Whether evaluating an expression later, or not at all, makes no difference: it is total and has no effect. */
export function isPure(expr: TsExpr): boolean {
  switch (expr.kind) {
    case "arrow":
      return true;
    case "new":
    case "assign":
    case "yield":
      return false;
    case "call":
      return isMath(expr.fn) && expr.args.every(isPure);
    default:
      return partsOf(expr).every(isPure);
  }
}

export function isMath(fn: TsExpr): boolean {
  return fn.kind === "member" && fn.object.kind === "id" && fn.object.name === "Math";
}

/** Whether TypeScript needs to be told the type that an expression is meant to have: it holds a literal object or tuple. */
export function needsType(expr: TsExpr): boolean {
  switch (expr.kind) {
    case "object":
    case "array":
      return true;
    case "cond":
      return needsType(expr.then) || needsType(expr.else);
    case "arrow":
      return expr.result === null && !isBlock(expr.body) && needsType(expr.body);
    default:
      return false;
  }
}

/** Whether TypeScript gives an expression a literal type, which it would not compare with another. */
export function hasLiteralType(expr: TsExpr): boolean {
  switch (expr.kind) {
    case "number":
    case "boolean":
      return true;
    case "unary":
      return hasLiteralType(expr.arg);
    case "cond":
      return hasLiteralType(expr.then) && hasLiteralType(expr.else);
    default:
      return false;
  }
}

/** Whether TypeScript may know more of an expression of a union type than that type. */
export function mayBeNarrow(expr: TsExpr): boolean {
  switch (expr.kind) {
    case "object":
    case "boolean":
    case "id":
      return true;
    case "unary":
      return mayBeNarrow(expr.arg);
    case "cond":
      return mayBeNarrow(expr.then) || mayBeNarrow(expr.else);
    default:
      return false;
  }
}

export function isBlock(body: TsExpr | readonly TsStmt[]): body is readonly TsStmt[] {
  return Array.isArray(body);
}

/** Whether an expression reads a variable; functions in it are taken to read every one. */
export function reads(expr: TsExpr, name: string): boolean {
  return isName(expr, name) || expr.kind === "arrow" || partsOf(expr).some((part) => reads(part, name));
}

/** Whether two expressions are written the same. */
export function isSameExpr(a: TsExpr | null | undefined, b: TsExpr | null | undefined): boolean {
  return keyOf(a) === keyOf(b);
}

/** Whether statements end with a jump: what follows them is not reached. */
export function endsInJump(body: readonly TsStmt[]): boolean {
  const last = body.at(-1);
  if (last?.kind === "if") return endsInJump(last.then) && endsInJump(last.else);
  return last?.kind === "break" || last?.kind === "continue" || last?.kind === "return" || last?.kind === "throw";
}

export function isName(expr: TsExpr, name: string): boolean {
  return expr.kind === "id" && expr.name === name;
}

export function isNumber(expr: TsExpr, value: number): boolean {
  return expr.kind === "number" && expr.value === value;
}
