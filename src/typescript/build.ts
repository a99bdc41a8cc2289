// Short spellings of what the exported functions consist of.

import { number } from "./traverse.js";
import type { TsExpr, TsField, TsParam, TsProperty, TsStmt, TsTarget, TsType } from "./tree.js";

export { id, number, string } from "./traverse.js";

export const call = (fn: TsExpr, args: readonly TsExpr[]): TsExpr => ({ kind: "call", fn, args });
export const array = (items: readonly TsExpr[]): TsExpr => ({ kind: "array", items });
export const object = (fields: readonly TsProperty[]): TsExpr => ({ kind: "object", fields });
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

export const returns = (value: TsExpr): TsStmt => ({ kind: "return", value });
export const statement = (expr: TsExpr): TsStmt => ({ kind: "expr", expr });
export const constant = (target: TsTarget, init: TsExpr): TsStmt => ({ kind: "const", target, type: null, init });

export const objectType = (fields: readonly TsField[]): TsType => ({ kind: "object", fields });
export const functionType = (params: readonly TsParam[], result: TsType): TsType => ({
  kind: "function",
  typeParams: [],
  params,
  result,
});
