// Questions that prettier's layout rules ask of expressions, whatever their documents.

import type { TsExpr } from "./tree.js";
import { flattens } from "./print-place.js";
import { isBlock } from "./facts.js";
import { printNumber, printString } from "./print-literals.js";

export type Binary = Extract<TsExpr, { kind: "binary" }>;
export type Call = Extract<TsExpr, { kind: "call" }>;
export type Arrow = Extract<TsExpr, { kind: "arrow" }>;

function isSignedNumber(expr: TsExpr): boolean {
  return expr.kind === "unary" && expr.op === "-" && expr.arg.kind === "number";
}

/** All items are numbers: laid out to fill lines. */
export function isNumberArray(expr: TsExpr): boolean {
  if (expr.kind !== "array" || expr.items.length === 0) return false;
  return expr.items.every((item) => item.kind === "number" || isSignedNumber(item));
}

/** `test && { .. }`: the object stays on the operator's line. */
export function inlinesRight(expr: Binary): boolean {
  if (expr.op !== "&&" && expr.op !== "||" && expr.op !== "??") return false;
  const { right } = expr;
  return (right.kind === "object" && right.fields.length > 0) || (right.kind === "array" && right.items.length > 0);
}

/** As `inlinesRight`, for all operands of a chain. */
export function inlinesEveryRight(expr: Binary): boolean {
  let node: Binary = expr;
  while (inlinesRight(node)) {
    if (node.left.kind !== "binary" || !flattens(node.op, node.left.op)) return true;
    node = node.left;
  }
  return false;
}

/** An argument that is short enough not to be worth a line of its own. */
export function isShortArgument(expr: TsExpr): boolean {
  const limit = 20;
  switch (expr.kind) {
    case "id":
      return expr.name.length <= limit;
    case "number":
    case "boolean":
    case "null":
      return true;
    case "string":
      return printString(expr.value).length <= limit;
    case "unary":
      return isSignedNumber(expr) || isShortArgument(expr.arg);
    case "call":
      return expr.args.length === 0 && expr.fn.kind === "id" && expr.fn.name.length <= limit - 2;
    default:
      return false;
  }
}

/** An argument without functions and operators, nested at most `depth` deep. */
export function isSimpleArgument(expr: TsExpr, depth = 2): boolean {
  if (depth <= 0) return false;
  const below = (inner: TsExpr): boolean => isSimpleArgument(inner, depth - 1);
  switch (expr.kind) {
    case "id":
    case "number":
    case "string":
    case "boolean":
    case "null":
      return true;
    case "object":
      return expr.fields.every((field) => field.name !== "__proto__" && (isShorthand(field) || below(field.value)));
    case "array":
      return expr.items.every(below);
    case "call":
    case "new":
      return isSimpleArgument(expr.fn, depth) && expr.args.length <= depth && expr.args.every(below);
    case "member":
      return isSimpleArgument(expr.object, depth);
    case "index":
      return isSimpleArgument(expr.object, depth) && isSimpleArgument(expr.index, depth);
    case "unary":
      return isSimpleArgument(expr.arg, depth);
    default:
      return false;
  }
}

export function isShorthand(field: { readonly name: string; readonly value: TsExpr }): boolean {
  return field.value.kind === "id" && field.value.name === field.name && field.name !== "__proto__";
}

/** An argument that may stay with the parentheses of its call while it breaks inside. */
export function couldHug(expr: TsExpr, nested = false): boolean {
  switch (expr.kind) {
    case "object":
      return expr.fields.length > 0;
    case "array":
      return expr.items.length > 0;
    case "as":
      return couldHug(expr.expr);
    case "arrow":
      return couldHugBody(expr.body, nested);
    default:
      return false;
  }
}

function couldHugBody(body: Arrow["body"], nested: boolean): boolean {
  if (isBlock(body) || body.kind === "object" || body.kind === "array") return true;
  if (body.kind === "arrow") return couldHug(body, true);
  return !nested && (body.kind === "cond" || body.kind === "call");
}

/** Two functions among the arguments, or one beside a call with a function: every argument gets a line. */
export function isComposition(args: readonly TsExpr[]): boolean {
  if (args.length <= 1) return false;
  let functions = 0;
  for (const arg of args) {
    if (arg.kind === "arrow") functions += 1;
    else if (arg.kind === "call" && arg.args.some((inner) => inner.kind === "arrow")) return true;
  }
  return functions > 1;
}

/** `f(() => { .. }, [a])`, as React's hooks are called. */
export function isHook(args: readonly TsExpr[]): boolean {
  const [first, second, third] = args;
  if (args.length === 2) return isThunk(first) && second?.kind === "array";
  return args.length === 3 && first?.kind === "id" && isThunk(second) && third?.kind === "array";
}

function isThunk(expr: TsExpr | undefined): boolean {
  return expr?.kind === "arrow" && expr.params.length === 0 && isBlock(expr.body);
}

/** An argument that fits behind a function with a body: short, without functions. */
export function isShortTail(expr: TsExpr): boolean {
  if (expr.kind === "as") {
    let { type } = expr;
    for (let depth = 0; depth < 2 && type.kind === "array"; depth += 1) type = type.element;
    const [only] = type.kind === "name" ? type.args : [];
    if (type.kind === "name" && type.args.length === 1 && only !== undefined) type = only;
    const simple = type.kind === "literal" || (type.kind === "name" && type.args.length === 0);
    return simple && isSimpleArgument(expr.expr, 1);
  }
  if ((expr.kind === "call" || expr.kind === "new") && expr.args.length > 1) return false;
  if (expr.kind === "binary") return isSimpleArgument(expr.left, 1) && isSimpleArgument(expr.right, 1);
  return isSimpleArgument(expr);
}

/** The width of a property's name that is too short for its value to go below it. */
export const shortKeyWidth = 5;

/** A conditional that does not begin with `{`. */
export function isPlainConditional(expr: TsExpr): boolean {
  return expr.kind === "cond" && leftmost(expr).kind !== "object";
}

function leftmost(expr: TsExpr): TsExpr {
  let node = expr;
  for (;;) {
    switch (node.kind) {
      case "binary":
        node = node.left;
        break;
      case "assign":
        node = node.target;
        break;
      case "member":
      case "index":
        node = node.object;
        break;
      case "call":
        node = node.fn;
        break;
      case "cond":
        node = node.test;
        break;
      case "as":
        node = node.expr;
        break;
      default:
        return node;
    }
  }
}

/** The text of a literal that prettier never lays out otherwise. */
export function literalText(expr: TsExpr): string | null {
  switch (expr.kind) {
    case "id":
      return expr.name;
    case "number":
      return printNumber(expr.value);
    case "string":
      return printString(expr.value);
    case "boolean":
      return String(expr.value);
    case "null":
      return "null";
    case "undefined":
      return "undefined";
    default:
      return null;
  }
}
