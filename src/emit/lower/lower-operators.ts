// Primitive operations and their partial derivatives, over operands that are lowered already.

import { InternalError } from "../../internal-error.js";
import { isIntegerOp, isQuotient, primitive, relationOf } from "../../core/primitives.js";
import type { IntegerOp, OpName, Partial } from "../../core/primitives.js";
import type { Site } from "../../core/term.js";
import { binary, callOf, cond, id, member, not, number, string, unary } from "../../typescript/build.js";
import { hasLiteralType, isComparison } from "../../typescript/facts.js";
import type { TsExpr } from "../../typescript/tree.js";

/** Mentions a declaration of the runtime (`file.name`) and gives its identifier. */
export type Refer = (reference: string) => TsExpr & { readonly kind: "id" };

/** `op(args)`. */
export function lowerOp(op: OpName, args: readonly TsExpr[], site: Site | null, refer: Refer): TsExpr {
  const folded = foldComparison(op, args);
  if (folded !== null) return folded;
  const [left = number(0), right = number(0)] = args;
  const plain = (site === null ? plainInteger(op, left, right) : null) ?? product(op, left, right);
  if (plain !== null) return plain;
  const { typescript: spelling, mayFail, params } = primitive(op);
  switch (spelling.kind) {
    case "infix": {
      const plain = binary(spelling.operator, widened(left, right), right);
      return params[0] === "Z" && isComparison(spelling.operator) ? { ...plain, isOrdered: true } : plain;
    }
    case "prefix":
      return negated(left);
    case "same":
      return left;
    case "math":
      return callOf(member(id("Math"), spelling.fn), ...args);
    case "runtime":
      return callOf(refer(`${spelling.file}.${spelling.fn}`), ...args, ...(mayFail ? [string(siteText(site))] : []));
  }
}

/** How arithmetic on integers that is known not to fail is written, where that is shorter. */
const unchecked: Readonly<Record<IntegerOp, "+" | "-" | "*" | "quotient" | null>> = {
  addZ: "+", subZ: "-", mulZ: "*", divZ: "quotient",
  negZ: null, absZ: null, minZ: null, maxZ: null, powZ: null, modZ: null, remZ: null, shrZ: null, sameLength: null,
}; // prettier-ignore

function plainInteger(op: OpName, left: TsExpr, right: TsExpr): TsExpr | null {
  const form = isIntegerOp(op) ? unchecked[op] : null;
  if (form === null) return null;
  if (form !== "quotient") return binary(form, left, right);
  const isPositive = right.kind === "number" && right.value > 0;
  return isPositive ? callOf(member(id("Math"), "floor"), binary("/", left, right)) : null;
}

/** A square or a cube, which is many times faster than `Math.pow`. */
function product(op: OpName, base: TsExpr, exponent: TsExpr): TsExpr | null {
  if ((op !== "pow" && op !== "powInt") || base.kind !== "id" || exponent.kind !== "number") return null;
  const square = binary("*", base, base);
  return exponent.value === 2 ? square : exponent.value === 3 ? binary("*", square, base) : null;
}

/** What a run-time error says first: `loss (model.lam:3:5)`, `loss (model.lam:3:5): dot`; what is shown is called `model.lam:3:5 "y"`. */
export function siteText(site: Site | null): string {
  if (site === null) return "";
  if (site.label !== undefined) return `${site.position} ${site.label}`;
  const parts = [site.via, site.reason ?? ""].filter((part) => part !== "");
  return [`${site.definition} (${site.position})`, ...parts].join(": ");
}

/** TypeScript rejects comparisons of two literals, and comparisons with a boolean literal are better said without. */
function foldComparison(op: OpName, [left, right]: readonly TsExpr[]): TsExpr | null {
  const relation = relationOf(op, primitive(op).params[0] ?? "B");
  if (left === undefined || right === undefined || (relation !== "eq" && relation !== "ne")) return null;
  const holds = relation === "eq";
  if (left.kind === "number" && right.kind === "number") return { kind: "boolean", value: (left.value === right.value) === holds }; // prettier-ignore
  if (right.kind === "boolean") return equals(left, right.value === holds);
  return left.kind === "boolean" ? equals(right, left.value === holds) : null;
}

function equals(expr: TsExpr, value: boolean): TsExpr {
  return value ? expr : not(expr);
}

function widened(left: TsExpr, right: TsExpr): TsExpr {
  if (left.kind === "number" || !hasLiteralType(left) || !hasLiteralType(right)) return left;
  const boolean = left.kind === "boolean" || left.kind === "unary";
  return { kind: "as", expr: left, type: { kind: "name", name: boolean ? "boolean" : "number", args: [] } };
}

function negated(expr: TsExpr): TsExpr {
  return expr.kind === "number" ? number(-expr.value) : unary("-", expr);
}

/**
 * `d_index op(args)(cotangent)`: the cotangent times the partial derivative; where one of them may be infinite, zero times it is zero. `isGuarded`: one may
 * be though the operation is not singular.
 */
export function lowerPartial(
  op: OpName,
  index: number,
  args: readonly TsExpr[],
  result: TsExpr,
  cotangent: TsExpr,
  refer: Refer,
  isGuarded: boolean,
): TsExpr {
  const partial = primitive(op).partials[index];
  if (partial === undefined || partial === null)
    throw new InternalError("emit", `${op} has no partial derivative ${index}`);
  const value = (part: Partial): TsExpr => lowerPartialValue(part, args, result, refer);
  const times = (part: Partial): TsExpr => {
    if (part.kind === "number" && part.value === 0) return number(0);
    if (part.kind === "number" && part.value === 1) return cotangent;
    if (part.kind === "number" && part.value === -1) return negated(cotangent);
    if (part.kind === "if")
      return chosen(
        value(part.cond),
        () => times(part.then),
        () => times(part.else),
      );
    if (cotangent.kind === "number" && cotangent.value === 1) return value(part);
    const factor = value(part);
    if (factor.kind === "number" && factor.value === 0) return number(0);
    const isSafe = !mayBeInfinite(op, args) && !(isGuarded && !isConstant(factor));
    const scaled = (by: TsExpr, of: TsExpr): TsExpr => (isSafe ? binary("*", of, by) : callOf(refer("numbers.scale"), of, by)); // prettier-ignore
    const divided = (by: TsExpr): TsExpr => (isSafe ? binary("/", cotangent, by) : callOf(refer("numbers.ratio"), cotangent, by)); // prettier-ignore
    const [first, second] = part.kind === "op" ? part.args : [];
    if (part.kind !== "op" || first === undefined) return scaled(factor, cotangent);
    if (part.op === "neg" && (isSafe || isQuotient(op))) return negated(times(first));
    if (part.op !== "div" || second === undefined) return scaled(factor, cotangent);
    if (first.kind === "number" && first.value === 1) return divided(value(second));
    // c / y is the cotangent of x in x / y, too
    return isQuotient(op) ? scaled(value(first), divided(value(second))) : scaled(factor, cotangent);
  };
  return times(partial);
}

function isConstant(expr: TsExpr): boolean {
  return expr.kind === "number" || (expr.kind === "binary" && isConstant(expr.left) && isConstant(expr.right));
}

/** Whether a partial derivative may be infinite or NaN though the arguments are finite; literals say more than the operation alone. */
function mayBeInfinite(op: OpName, [left, right]: readonly TsExpr[]): boolean {
  if (right?.kind === "number" && op === "div") return right.value === 0;
  if (right?.kind === "number" && (op === "pow" || op === "powInt"))
    return !(Number.isInteger(right.value) && right.value > 0);
  if (left?.kind === "number" && op === "pow") return left.value <= 0;
  return primitive(op).singular !== null;
}

function lowerPartialValue(partial: Partial, args: readonly TsExpr[], result: TsExpr, refer: Refer): TsExpr {
  const value = (part: Partial): TsExpr => lowerPartialValue(part, args, result, refer);
  switch (partial.kind) {
    case "arg":
      return args[partial.index] ?? number(NaN);
    case "result":
      return result;
    case "number":
      return number(partial.value);
    case "op":
      return lowerPartialOp(partial.op, partial.args.map(value), refer);
    case "if":
      return chosen(
        value(partial.cond),
        () => value(partial.then),
        () => value(partial.else),
      );
  }
}

function chosen(test: TsExpr, then: () => TsExpr, otherwise: () => TsExpr): TsExpr {
  if (test.kind === "boolean") return test.value ? then() : otherwise();
  const [left, right] = [then(), otherwise()];
  // `a ? (b ? x : y) : y`
  const isSame = left.kind === "cond" && JSON.stringify(left.else) === JSON.stringify(right);
  return isSame ? cond(binary("&&", test, left.test), left.then, right) : cond(test, left, right);
}

/** The derivative of `x ^ 2` is `2 * x`: exponents are literals most of the time, and bases sometimes. */
function lowerPartialOp(op: OpName, args: readonly TsExpr[], refer: Refer): TsExpr {
  const [left, right, third] = args;
  if (op === "powSlope" && left !== undefined && right?.kind === "number") {
    if (right.value === 0) return number(0);
    return lowerOp("mul", [right, lowerPartialOp("pow", [left, number(right.value - 1)], refer)], null, refer);
  }
  if (op === "powRate" && left?.kind === "number" && left.value !== 0 && third !== undefined)
    return lowerOp("mul", [third, lowerOp("log", [left], null, refer)], null, refer);
  if (left !== undefined && right?.kind === "number") {
    if (op === "sub" && left.kind === "number") return number(left.value - right.value);
    if (op === "pow" && right.value === 1) return left;
  }
  return lowerOp(op, args, null, refer);
}
