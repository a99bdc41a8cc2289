// What a parser would make of the text of a tree: printing the normal form gives text that reads back as the normal form.

import type { TsArrowParam, TsBinaryOp, TsExpr, TsFunction, TsParam, TsTarget, TsType } from "./tree.js";
import { isBlock, isPure, oppositeOf } from "./facts.js";
import { isLogical } from "./print-place.js";
import { mapParts } from "./traverse.js";

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
    case "unary": return normalUnary(expr, target);
    case "call": return { ...expr, fn: n(expr.fn), args: normalList(expr.args, target) };
    case "new": return { ...expr, fn: n(expr.fn), args: normalList(expr.args, target) };
    case "member": return normalMember(n(expr.object), expr.name);
    case "index": return { ...expr, object: n(expr.object), index: n(expr.index), certain: expr.certain && target === "ts" };
    case "arrow": return normalArrow(expr, target);
    case "array": return { ...expr, items: normalList(expr.items, target) };
    case "as": return target === "js" ? n(expr.expr) : { kind: "as", expr: n(expr.expr), type: normalType(expr.type) };
    case "assign": return { ...expr, target: n(expr.target), value: n(expr.value) };
    default: return mapParts(expr, { expr: n, block: (body) => body });
  }
}

function normalNumber(value: number): TsExpr {
  if (Number.isNaN(value)) return { kind: "id", name: "NaN" };
  if (value < 0 || Object.is(value, -0)) return { kind: "unary", op: "-", arg: normalNumber(-value) };
  return value === Infinity ? { kind: "id", name: "Infinity" } : { kind: "number", value };
}

/** `!(i < n)` of integers is `i >= n`. */
function normalUnary(expr: Extract<TsExpr, { kind: "unary" }>, target: Target): TsExpr {
  const opposite = expr.op === "!" ? oppositeOf(expr.arg) : null;
  return opposite === null ? { ...expr, arg: normalExpr(expr.arg, target) } : normalExpr(opposite, target);
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
    for (const part of operandsOf(op, right)) {
      const operand = normalExpr(part, target);
      left = combine(op, left, op === "<" && target === "ts" ? withoutGreater(operand) : operand);
    }
  }
  return left;
}

/** The operands of a logical operator, from left to right; else the operand itself. */
function operandsOf(op: TsBinaryOp, operand: TsExpr): readonly TsExpr[] {
  if (!isLogical(op)) return [operand];
  const parts: TsExpr[] = [];
  const waiting = [operand];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === "binary" && node.op === op) waiting.push(node.right, node.left);
    else parts.push(node);
  }
  return parts;
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

/** TypeScript reads the `<` and `>` of `f(a < b, c > (d))` as brackets of type arguments; `f(a < b, (d) < c)` is safe. */
function normalList(items: readonly TsExpr[], target: Target): readonly TsExpr[] {
  const normal = items.map((item) => normalExpr(item, target));
  const opening = normal.findIndex(endsInLess);
  if (target === "js" || opening < 0) return normal;
  return normal.map((item, index) => (index > opening ? withoutGreater(item) : item));
}

/** Whether the text of an expression may end in `< a`. */
function endsInLess(expr: TsExpr): boolean {
  let node = expr;
  for (;;) {
    switch (node.kind) {
      case "binary":
        if (node.op === "<") return true;
        node = node.right;
        break;
      case "unary":
        node = node.arg;
        break;
      case "cond":
        node = node.else;
        break;
      case "assign":
      case "yield":
        node = node.value;
        break;
      case "arrow":
        if (isBlock(node.body)) return false;
        node = node.body;
        break;
      default:
        return false;
    }
  }
}

/**
 * The same value, where no `>` follows the first operand of the text that could be the end of a type. What has effects is no type, `c()` as little as `c += 1`,
 * and stays in front: the order of effects is the program's.
 */
function withoutGreater(expr: TsExpr): TsExpr {
  const w = withoutGreater;
  // prettier-ignore
  switch (expr.kind) {
    case "binary": {
      const left = w(expr.left);
      return expr.op === ">" && isPure(left) ? { kind: "binary", op: "<", left: expr.right, right: left } : { ...expr, left };
    }
    case "cond": return { ...expr, test: w(expr.test) };
    case "call": return { ...expr, fn: w(expr.fn) };
    case "member": return { ...expr, object: w(expr.object) };
    case "index": return { ...expr, object: w(expr.object) };
    case "as": return { ...expr, expr: w(expr.expr) };
    default: return expr;
  }
}

function normalMember(object: TsExpr, name: string): TsExpr {
  if (isIdentifierName(name)) return { kind: "member", object, name };
  return { kind: "index", object, index: { kind: "string", value: name }, certain: false };
}

function normalArrow(expr: Extract<TsExpr, { kind: "arrow" }>, target: Target): TsExpr {
  const typed = (type: TsType | null): TsType | null => (target === "js" || type === null ? null : normalType(type));
  return {
    kind: "arrow",
    params: expr.params.map((param): TsArrowParam => ({ name: param.name, type: typed(param.type) })),
    result: typed(expr.result),
    body: isBlock(expr.body) ? expr.body : normalExpr(expr.body, target),
  };
}

/** A pattern without holes at its end. */
export function normalTarget(target: TsTarget): TsTarget {
  if (typeof target === "string") return target;
  const last = target.findLastIndex((name) => name !== null);
  return target.slice(0, last + 1);
}

/** The normal form of a type: a union's members are no unions, and a union of one is its member. */
export function normalType(type: TsType): TsType {
  // prettier-ignore
  switch (type.kind) {
    case "name": return { ...type, args: type.args.map(normalType) };
    case "literal": return type;
    case "tuple": return { ...type, items: type.items.map(normalType) };
    case "array": return { ...type, element: normalType(type.element) };
    case "object": return { ...type, fields: type.fields.map((field) => ({ ...field, type: normalType(field.type) })) };
    case "slot": return { kind: "slot", type: normalType(type.type) };
    case "union": return normalUnion(type.members.map(normalType));
    case "function": return { ...type, params: normalParams(type.params), result: normalType(type.result) };
  }
}

function normalUnion(members: readonly TsType[]): TsType {
  const flat = members.flatMap((member) => (member.kind === "union" ? member.members : [member]));
  const [only] = flat;
  return flat.length === 1 && only !== undefined ? only : { kind: "union", members: flat };
}

function normalParams(params: readonly TsParam[]): readonly TsParam[] {
  return params.map((param) => ({ ...param, type: normalType(param.type) }));
}

/** A function whose types are in normal form; its body is as it was. */
export function normalFunction(fn: TsFunction): TsFunction {
  return { ...fn, params: normalParams(fn.params), result: normalType(fn.result) };
}

const identifierName = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** Whether `.name` and `{ name: .. }` can be written without quotes. */
export function isIdentifierName(name: string): boolean {
  return identifierName.test(name);
}
