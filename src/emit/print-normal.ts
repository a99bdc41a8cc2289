// What a parser would make of the text of a tree: printing the normal form gives text that reads back as the normal form.

import type { TsArrowParam, TsBinaryOp, TsExpr, TsStmt, TsTarget } from "./typescript.js";
import { isLogical } from "./print-place.js";

export type Target = "ts" | "js";

/**
 * The normal form of an expression: negative numbers are negations, NaN and infinities are names, members whose name is no identifier are
 * indices, and `a && (b && c)` is `(a && b) && c`. The `js` target has no types.
 */
export function normalExpr(expr: TsExpr, target: Target): TsExpr {
  const n = (e: TsExpr): TsExpr => normalExpr(e, target);
  // prettier-ignore
  switch (expr.kind) {
    case "number": return normalNumber(expr.value);
    case "undefined": return { kind: "id", name: "undefined" };
    case "binary": return normalBinary(expr, target);
    case "unary": return { ...expr, arg: n(expr.arg) };
    case "cond": return { kind: "cond", test: n(expr.test), then: n(expr.then), else: n(expr.else) };
    case "call": return { ...expr, fn: n(expr.fn), args: expr.args.map(n) };
    case "new": return { ...expr, fn: n(expr.fn), args: expr.args.map(n) };
    case "member": return normalMember(n(expr.object), expr.name);
    case "index": return { ...expr, object: n(expr.object), index: n(expr.index) };
    case "arrow": return normalArrow(expr, target);
    case "object": return { ...expr, fields: expr.fields.map((field) => ({ ...field, value: n(field.value) })) };
    case "array": return { ...expr, items: expr.items.map(n) };
    case "as": return target === "js" ? n(expr.expr) : { ...expr, expr: n(expr.expr) };
    case "assign": return { ...expr, target: n(expr.target), value: n(expr.value) };
    default: return expr;
  }
}

function normalNumber(value: number): TsExpr {
  if (Number.isNaN(value)) return { kind: "id", name: "NaN" };
  if (value < 0 || Object.is(value, -0)) return { kind: "unary", op: "-", arg: normalNumber(-value) };
  return value === Infinity ? { kind: "id", name: "Infinity" } : { kind: "number", value };
}

/** Walks down the left operands with a loop: chains may be longer than the stack is deep. */
function normalBinary(expr: Extract<TsExpr, { kind: "binary" }>, target: Target): TsExpr {
  const spine: Extract<TsExpr, { kind: "binary" }>[] = [];
  let leftmost: TsExpr = expr;
  while (leftmost.kind === "binary") {
    spine.push(leftmost);
    leftmost = leftmost.left;
  }
  let left = normalExpr(leftmost, target);
  for (const { op, right } of spine.reverse()) {
    left = combine(op, left, normalExpr(right, target));
  }
  return left;
}

/** `left op right`, where operands of one logical operator are grouped to the left. */
function combine(op: TsBinaryOp, left: TsExpr, right: TsExpr): TsExpr {
  const operands: TsExpr[] = [];
  let rest = right;
  while (isLogical(op) && rest.kind === "binary" && rest.op === op) {
    operands.push(rest.right);
    rest = rest.left;
  }
  operands.push(rest);
  return operands.reduceRight((sum, operand) => ({ kind: "binary", op, left: sum, right: operand }), left);
}

function normalMember(object: TsExpr, name: string): TsExpr {
  if (isIdentifierName(name)) return { kind: "member", object, name };
  return { kind: "index", object, index: { kind: "string", value: name } };
}

function normalArrow(expr: Extract<TsExpr, { kind: "arrow" }>, target: Target): TsExpr {
  const untyped = (param: TsArrowParam): TsArrowParam => ({ name: param.name, type: null });
  return {
    kind: "arrow",
    params: target === "js" ? expr.params.map(untyped) : expr.params,
    result: target === "js" ? null : expr.result,
    body: isBlock(expr.body) ? expr.body : normalExpr(expr.body, target),
  };
}

export function isBlock(body: TsExpr | readonly TsStmt[]): body is readonly TsStmt[] {
  return Array.isArray(body);
}

/** A pattern without holes at its end. */
export function normalTarget(target: TsTarget): TsTarget {
  if (typeof target === "string") return target;
  const last = target.findLastIndex((name) => name !== null);
  return target.slice(0, last + 1);
}

const identifierName = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** Whether `.name` and `{ name: .. }` can be written without quotes. */
export function isIdentifierName(name: string): boolean {
  return identifierName.test(name);
}
