// Builders and questions for the TypeScript tree.

import type { TsBinaryOp, TsExpr, TsStmt, TsType } from "./tree.js";

export const id = (name: string): TsExpr => ({ kind: "id", name });
export const number = (value: number): TsExpr => ({ kind: "number", value });
export const string = (value: string): TsExpr => ({ kind: "string", value });
export const binary = (op: TsBinaryOp, left: TsExpr, right: TsExpr): TsExpr => ({ kind: "binary", op, left, right });
export const unary = (op: "-" | "!", arg: TsExpr): TsExpr => ({ kind: "unary", op, arg });
export const cond = (test: TsExpr, then: TsExpr, otherwise: TsExpr): TsExpr => ({ kind: "cond", test, then, else: otherwise }); // prettier-ignore
export const callOf = (fn: TsExpr, ...args: readonly TsExpr[]): TsExpr => ({ kind: "call", fn, args });
export const member = (object: TsExpr, name: string): TsExpr => ({ kind: "member", object, name });
export const thunk = (body: TsExpr | readonly TsStmt[]): TsExpr => ({ kind: "arrow", params: [], result: null, body });
export const typeName = (name: string, ...args: readonly TsType[]): TsType => ({ kind: "name", name, args });

export const returned = (value: TsExpr): TsStmt => ({ kind: "return", value });
export const constant = (name: string, type: TsType | null, init: TsExpr): TsStmt => ({ kind: "const", target: name, type, init }); // prettier-ignore
export const assigned = (name: string, value: TsExpr): TsStmt => ({ kind: "expr", expr: { kind: "assign", op: "=", target: id(name), value } }); // prettier-ignore
export const effect = (expr: TsExpr): TsStmt => ({ kind: "expr", expr });

/** A body that only returns a value is that value. */
export function arrowBody(body: readonly TsStmt[]): TsExpr | readonly TsStmt[] {
  const [first] = body;
  return body.length === 1 && first?.kind === "return" && first.value !== null ? first.value : body;
}

/** Whether evaluating an expression later, or not at all, makes no difference: it is total and has no effect. */
export function isPure(expr: TsExpr): boolean {
  switch (expr.kind) {
    case "id":
    case "number":
    case "string":
    case "boolean":
    case "null":
    case "undefined":
    case "arrow":
      return true;
    case "binary":
      return isPure(expr.left) && isPure(expr.right);
    case "unary":
      return isPure(expr.arg);
    case "cond":
      return isPure(expr.test) && isPure(expr.then) && isPure(expr.else);
    case "call":
      return isMath(expr.fn) && expr.args.every(isPure);
    case "member":
      return isPure(expr.object);
    case "index":
      return isPure(expr.object) && isPure(expr.index);
    case "object":
      return expr.fields.every(({ value }) => isPure(value));
    case "array":
      return expr.items.every(isPure);
    case "as":
      return isPure(expr.expr);
    case "new":
    case "assign":
    case "yield":
      return false;
  }
}

function isMath(fn: TsExpr): boolean {
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
  switch (expr.kind) {
    case "id":
      return expr.name === name;
    case "number":
    case "string":
    case "boolean":
    case "null":
    case "undefined":
      return false;
    case "arrow":
      return true;
    case "binary":
      return reads(expr.left, name) || reads(expr.right, name);
    case "unary":
      return reads(expr.arg, name);
    case "cond":
      return [expr.test, expr.then, expr.else].some((part) => reads(part, name));
    case "call":
    case "new":
      return reads(expr.fn, name) || expr.args.some((arg) => reads(arg, name));
    case "member":
      return reads(expr.object, name);
    case "index":
      return reads(expr.object, name) || reads(expr.index, name);
    case "object":
      return expr.fields.some(({ value }) => reads(value, name));
    case "array":
      return expr.items.some((item) => reads(item, name));
    case "as":
      return reads(expr.expr, name);
    case "yield":
      return reads(expr.value, name);
    case "assign":
      return reads(expr.target, name) || reads(expr.value, name);
  }
}

/** The types that a type is directly made of. */
export function typePartsOf(type: TsType): readonly TsType[] {
  // prettier-ignore
  switch (type.kind) {
    case "name": return type.args;
    case "literal": return [];
    case "tuple": return type.items;
    case "array": return [type.element];
    case "object": return type.fields.map((field) => field.type);
    case "slot": return [type.type];
    case "union": return type.members;
    case "function": return [...type.params.map((param) => param.type), type.result];
  }
}
