// Short spellings of the parts of the TypeScript tree.

import type { TsBinaryOp, TsExpr, TsField, TsParam, TsProperty, TsStmt, TsTarget, TsType } from "./tree.js";

export const id = (name: string): TsExpr & { readonly kind: "id" } => ({ kind: "id", name });
export const number = (value: number): TsExpr => ({ kind: "number", value });
export const string = (value: string): TsExpr => ({ kind: "string", value });
export const binary = (op: TsBinaryOp, left: TsExpr, right: TsExpr): TsExpr & { readonly kind: "binary" } => ({ kind: "binary", op, left, right }); // prettier-ignore
export const unary = (op: "-" | "!", arg: TsExpr): TsExpr => ({ kind: "unary", op, arg });
export const cond = (test: TsExpr, then: TsExpr, otherwise: TsExpr): TsExpr => ({ kind: "cond", test, then, else: otherwise }); // prettier-ignore
export const callOf = (fn: TsExpr, ...args: readonly TsExpr[]): TsExpr => ({ kind: "call", fn, args });
export const member = (object: TsExpr, name: string): TsExpr => ({ kind: "member", object, name });
export const array = (items: readonly TsExpr[]): TsExpr => ({ kind: "array", items });
export const object = (fields: readonly TsProperty[]): TsExpr => ({ kind: "object", fields });
export const thunk = (body: TsExpr | readonly TsStmt[]): TsExpr => ({ kind: "arrow", params: [], result: null, body });
export const index = (expr: TsExpr, position: number): TsExpr => ({
  kind: "index",
  object: expr,
  index: number(position),
  certain: false,
});
export const arrow = (params: readonly string[], body: TsExpr | readonly TsStmt[]): TsExpr => ({
  kind: "arrow",
  params: params.map((name) => ({ name, type: null })),
  result: null,
  body,
});

export const returned = (value: TsExpr): TsStmt => ({ kind: "return", value });
export const constant = (target: TsTarget, type: TsType | null, init: TsExpr): TsStmt => ({ kind: "const", target, type, init }); // prettier-ignore
export const effect = (expr: TsExpr): TsStmt => ({ kind: "expr", expr });

/** `target = value` */
export const assign = (target: TsExpr, value: TsExpr): TsStmt => effect({ kind: "assign", op: "=", target, value });
export const assigned = (name: string, value: TsExpr): TsStmt => assign(id(name), value);

export const typeName = (name: string, ...args: readonly TsType[]): TsType => ({ kind: "name", name, args });
/** `{ length: size }`, which says as much as an array that is not there. */
export const lengthAlone = (size: TsExpr): TsExpr => ({ kind: "object", fields: [{ name: "length", value: size }] });
export const objectType = (fields: readonly TsField[]): TsType => ({ kind: "object", fields });
export const functionType = (params: readonly TsParam[], result: TsType): TsType => ({
  kind: "function",
  typeParams: [],
  params,
  result,
});

/** A body that only returns a value is that value. */
export function arrowBody(body: readonly TsStmt[]): TsExpr | readonly TsStmt[] {
  const [first] = body;
  return body.length === 1 && first?.kind === "return" && first.value !== null ? first.value : body;
}

/** `!expr`, simplified. */
export function not(expr: TsExpr): TsExpr {
  if (expr.kind === "boolean") return { kind: "boolean", value: !expr.value };
  if (expr.kind === "unary" && expr.op === "!") return expr.arg;
  if (expr.kind === "binary" && expr.op === "===") return { ...expr, op: "!==" };
  if (expr.kind === "binary" && expr.op === "!==") return { ...expr, op: "===" };
  return unary("!", expr);
}

/** `a && b`, `a || b` and `!a` are conditionals in the calculus. */
export function simplifiedConditional(test: TsExpr, then: TsExpr, otherwise: TsExpr): TsExpr {
  if (then.kind === "boolean" && otherwise.kind === "boolean") {
    return then.value === otherwise.value ? cond(test, then, otherwise) : then.value ? test : not(test);
  }
  if (otherwise.kind === "boolean" && !otherwise.value) return binary("&&", test, then);
  if (then.kind === "boolean" && then.value) return binary("||", test, otherwise);
  return cond(test, then, otherwise);
}
