// Indexing and records in the typed tree.

import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import type { Context } from "./context.js";
import { builtInType } from "./built-in.js";
import { type ConstructorInfo, type Ty, holeTy, prune } from "./ty.js";
import type * as Typed from "./typed.js";

type Of<K extends Tree.Expr["kind"]> = Extract<Tree.Expr, { kind: K }>;

/** What builds the rest of the tree. */
interface Builder {
  readonly cx: Context;
  type(type: Ty, span: Span): Typed.Type;
  typeOf(node: Tree.Expr | Tree.Pattern): Typed.Type;
  expr(expr: Tree.Expr): Typed.Expr;
  pattern(pattern: Tree.Pattern): Typed.Pattern;
  constructorFunction(info: ConstructorInfo, result: Ty, span: Span): { readonly constructor: Typed.Expr };
}

/** `a ! i`. */
export function buildIndex(builder: Builder, expr: Of<"index">): Typed.Expr {
  const { operatorSpan, span } = expr;
  const element = builder.cx.types.get(expr) ?? holeTy;
  const type = builder.typeOf(expr);
  const index = builtInType("index", element, element);
  const fn = {
    kind: "builtIn",
    name: "index",
    type: builder.type(index, operatorSpan),
    span: operatorSpan,
  } as const;
  const arg = builder.expr(expr.array);
  const partial = fn.type.kind === "fn" ? fn.type.to : type;
  const applied: Typed.Expr = { kind: "apply", fn, arg, type: partial, span: arg.span };
  return { kind: "apply", fn: applied, arg: builder.expr(expr.index), type, span };
}

/** `record.name`. */
export function buildField(builder: Builder, expr: Of<"field">): Typed.Expr {
  const info = builder.cx.constructors.get(expr);
  const record = builder.expr(expr.record);
  const index = positionOf(info, expr.name.name);
  const type = builder.typeOf(expr);
  return { kind: "field", record, ...namesOf(info), index, type, span: expr.span };
}

/** `{ record | name = value, .. }`. */
export function buildUpdate(builder: Builder, expr: Of<"update">): Typed.Expr {
  const info = builder.cx.constructors.get(expr);
  const record = builder.expr(expr.record);
  const fields = expr.fields.map(({ name, value }) => {
    return { index: positionOf(info, name.name), value: builder.expr(value) };
  });
  const arity = info?.fields.length ?? 0;
  return { kind: "update", record, ...namesOf(info), arity, fields, type: builder.typeOf(expr), span: expr.span };
}

function namesOf(info: ConstructorInfo | undefined): { readonly data: string; readonly constructor: string } {
  return { data: info?.data.unique ?? "", constructor: info?.name ?? "" };
}

function positionOf(info: ConstructorInfo | undefined, field: string): number {
  return info?.fieldNames?.findIndex(({ name }) => name === field) ?? -1;
}

/** `Camera { name = value, .. }`: the constructor applied to the fields in the order of their declaration. */
export function buildRecord(builder: Builder, expr: Of<"record">): Typed.Expr {
  const { span } = expr;
  const info = builder.cx.constructors.get(expr);
  const result = builder.cx.types.get(expr) ?? holeTy;
  if (info === undefined) return { kind: "tuple", items: [], type: builder.type(result, span), span };
  const values = new Map(expr.fields.map(({ name, value }) => [name.name, value]));
  let made = builder.constructorFunction(info, result, expr.name.span).constructor;
  for (const { name } of info.fieldNames ?? []) {
    const value = values.get(name);
    if (value === undefined || made.type.kind !== "fn") break;
    made = { kind: "apply", fn: made, arg: builder.expr(value), type: made.type.to, span };
  }
  return made;
}

/** `Camera { name = pattern, .. }`: the fields that are not named match anything. */
export function buildRecordPattern(
  builder: Builder,
  pattern: Extract<Tree.Pattern, { kind: "record" }>,
): Typed.Pattern {
  const { span, name } = pattern;
  const { cx } = builder;
  const info = cx.constructors.get(pattern);
  const result = prune(cx.types.get(pattern) ?? holeTy);
  const type = builder.typeOf(pattern);
  if (info === undefined || result.kind !== "data") return { kind: "wildcard", type, span };
  const given = new Map(pattern.fields.map((field) => [field.name.name, field.pattern]));
  const types = cx.fieldsAt(info, result.args);
  const args = (info.fieldNames ?? []).map((field, i): Typed.Pattern => {
    const part = given.get(field.name);
    if (part !== undefined) return builder.pattern(part);
    return { kind: "wildcard", type: builder.type(types[i] ?? holeTy, span), span };
  });
  return { kind: "constructor", data: info.data.unique, name: name.name, args, type, span };
}
