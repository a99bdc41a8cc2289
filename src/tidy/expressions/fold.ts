// Constant folding and algebraic simplification.
//
// What literals make known: `1 * x` is x, `if (true)` its branch; a test in a test is one; what both branches end with stands behind them; `relu(x) > 0` is `x > 0`; `c * x + c * x` is `2 * (c * x)`, also of `scale(c, x)`;
// in the branches of a constant's test it is `true` or `false`; the larger one of 0 and another number is not negative.
// Every number stays the same, up to the sign of a cotangent that is zero.

import { withParts } from "../../same.js";
import { keyOf } from "../../key.js";
import { binary, not, number, simplifiedConditional, unary } from "../../typescript/build.js";
import { isComparison, isMath, isPure } from "../../typescript/facts.js";
import { mapParts, mapStmt, replaced, withBody, type Rewriting } from "../../typescript/traverse.js";
import type { TsBinaryOp, TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { isTotal, type Surroundings } from "../analysis/purity.js";
import { surveyed } from "../analysis/survey.js";

/** `settled`: statements in which there is nothing to fold; those that are found are added. */
export function folded(fn: TsFunction, surroundings: Surroundings, settled = new Set<TsStmt>()): TsFunction {
  /** By the name of a constant what it is in the branch that is being folded, which its test has led to. */
  const known = new Map<string, boolean>();
  const notNegative = new Set<string>();
  const exponentials = new Set<string>();
  const isExponential = (expr: TsExpr): boolean => {
    if (expr.kind === "id") return exponentials.has(expr.name);
    if (expr.kind !== "call") return false;
    const isOfMath = isMath(expr.fn) && expr.fn.kind === "member" && expr.fn.name === "exp";
    return isOfMath || isRuntime(expr.fn, "exp", surroundings);
  };
  const branchOf = (name: string, value: boolean, body: readonly TsStmt[]): readonly TsStmt[] => {
    known.set(name, value);
    const branch = rewriting.block(body);
    known.delete(name);
    return branch;
  };
  const mapped = (stmt: TsStmt): TsStmt => {
    const name = stmt.kind === "if" && stmt.test.kind === "id" ? stmt.test.name : null;
    const isTold = name !== null && !known.has(name) && surveyed(fn).variables.get(name)?.kind === "const";
    if (stmt.kind !== "if" || !isTold) return mapStmt(stmt, rewriting);
    return withParts(stmt, { then: branchOf(name, true, stmt.then), else: branchOf(name, false, stmt.else) });
  };
  const rewriting: Rewriting = {
    expr: (expr) => {
      const value = expr.kind === "id" ? known.get(expr.name) : undefined;
      if (value !== undefined) return { kind: "boolean", value };
      const isNegative = expr.kind === "binary" && expr.op === "<" && isLiteral(expr.right, 0);
      if (isNegative && expr.left.kind === "id" && notNegative.has(expr.left.name)) return { kind: "boolean", value: false }; // prettier-ignore
      return foldedParts(withoutZero(mapParts(expr, rewriting), isExponential), surroundings);
    },
    block: (body) =>
      replaced(body, (stmt) => {
        if (stmt.kind === "const" && typeof stmt.target === "string" && isLargerThanZero(stmt.init))
          notNegative.add(stmt.target);
        if (stmt.kind === "const" && typeof stmt.target === "string" && isExponential(stmt.init))
          exponentials.add(stmt.target);
        if (settled.has(stmt)) return stmt;
        const next = foldedStmt(mapped(stmt));
        if (next === stmt) settled.add(stmt);
        return next;
      }),
  };
  return withBody(fn, rewriting.block(fn.body));
}

/** Whether an expression is `Math.max(0, x)`. */
function isLargerThanZero(expr: TsExpr): boolean {
  const [first] = expr.kind === "call" && isMath(expr.fn) && expr.fn.kind === "member" && expr.fn.name === "max" ? expr.args : []; // prettier-ignore
  return first !== undefined && isLiteral(first, 0);
}

function foldedStmt(stmt: TsStmt): TsStmt | readonly TsStmt[] {
  if (stmt.kind === "if" && stmt.test.kind === "boolean") {
    const taken = stmt.test.value ? stmt.then : stmt.else;
    // What is declared in it has names unlike all others
    return taken;
  }
  const [only, ...others] = stmt.kind === "if" && stmt.else.length === 0 ? stmt.then : [];
  if (stmt.kind === "if" && only?.kind === "if" && only.else.length === 0 && others.length === 0) {
    return { ...only, test: binary("&&", stmt.test, only.test) };
  }
  if (stmt.kind === "if") return withoutCommonEnd(stmt);
  if (stmt.kind === "while" && stmt.test.kind === "boolean" && !stmt.test.value) return [];
  if (stmt.kind === "expr" && stmt.expr.kind === "assign") {
    const { op, target, value } = stmt.expr;
    if (op === "=" && value.kind === "id" && target.kind === "id" && value.name === target.name) return [];
    if (op === "=" && target.kind === "index" && target.certain) {
      return { kind: "expr", expr: { ...stmt.expr, target: { ...target, certain: false } } };
    }
    if ((op === "+=" || op === "-=") && value.kind === "number" && value.value === 0) return [];
    const positive = op === "+=" || op === "-=" ? opposite(value) : null;
    if (positive !== null) {
      return { kind: "expr", expr: { kind: "assign", op: op === "+=" ? "-=" : "+=", target, value: positive } };
    }
  }
  if (stmt.kind !== "for") return stmt;
  return withParts(stmt, { from: foldedCount(stmt.from) });
}

/** What both branches end with stands behind them; a test that nothing is left to depend on goes where it does nothing. */
function withoutCommonEnd(stmt: TsStmt & { readonly kind: "if" }): TsStmt | readonly TsStmt[] {
  const most = Math.min(stmt.then.length, stmt.else.length);
  let count = 0;
  while (count < most && isSameStep(stmt.then.at(-1 - count), stmt.else.at(-1 - count))) count++;
  if (count === 0) return stmt;
  const ends = stmt.then.slice(-count);
  const [then, otherwise] = [stmt.then.slice(0, -count), stmt.else.slice(0, -count)];
  if (then.length > 0) return [{ ...stmt, then, else: otherwise }, ...ends];
  if (otherwise.length > 0) return [{ kind: "if", test: not(stmt.test), then: otherwise, else: [] }, ...ends];
  return isPure(stmt.test) ? ends : [{ kind: "expr", expr: stmt.test }, ...ends];
}

function isSameStep(one: TsStmt | undefined, other: TsStmt | undefined): boolean {
  return one?.kind === "expr" && other?.kind === "expr" && keyOf(one) === keyOf(other);
}

/** `n - 1 - 1` is `n - 2`: counts are integers. */
function foldedCount(expr: TsExpr): TsExpr {
  if (expr.kind !== "binary" || expr.op !== "-" || expr.right.kind !== "number") return expr;
  const { left, right } = expr;
  if (left.kind !== "binary" || left.right.kind !== "number") return expr;
  if (left.op === "-") return binary("-", left.left, number(left.right.value + right.value));
  return left.op === "+" && left.right.value === right.value ? left.left : expr;
}

/** `e` for an expression that is `-e`, or that is so when it is written so. */
function opposite(expr: TsExpr): TsExpr | null {
  if (expr.kind === "number") return expr.value < 0 ? number(-expr.value) : null;
  if (expr.kind === "unary") return expr.op === "-" ? expr.arg : null;
  if (expr.kind !== "binary" || (expr.op !== "*" && expr.op !== "/")) return null;
  const left = opposite(expr.left);
  if (left !== null) return foldedBinary(expr.op, left, expr.right);
  const right = opposite(expr.right);
  return right === null ? null : foldedBinary(expr.op, expr.left, right);
}

/** `0 + y + x` without the zero, where x is never -0: its sum with 0, or with -0, is what its sum with y is. */
function withoutZero(expr: TsExpr, isNeverNegativeZero: (expr: TsExpr) => boolean): TsExpr {
  if (expr.kind !== "binary" || expr.op !== "+") return expr;
  const { left, right } = expr;
  if (left.kind !== "binary" || left.op !== "+" || !isLiteral(left.left, 0)) return expr;
  return isNeverNegativeZero(right) || isNeverNegativeZero(left.right) ? binary("+", left.right, right) : expr;
}

function foldedParts(expr: TsExpr, surroundings: Surroundings): TsExpr {
  switch (expr.kind) {
    case "binary": {
      const { op, left, right } = expr;
      const [arg, ...others] =
        op === ">" && left.kind === "call" && isRuntime(left.fn, "relu", surroundings) ? left.args : [];
      // `relu(x) > 0`
      if (arg !== undefined && others.length === 0 && isLiteral(right, 0)) return binary(">", arg, right);
      if (op === "+" && isScaled(left, surroundings) && keyOf(left) === keyOf(right))
        return binary("*", number(2), left);
      const simpler = simplerBinary(op, left, right) ?? expr;
      const isOrdered = expr.isOrdered === true && simpler.kind === "binary" && isComparison(simpler.op);
      return isOrdered && simpler !== expr ? { ...simpler, isOrdered } : simpler;
    }
    case "unary": {
      const simpler = expr.op === "!" ? not(expr.arg) : negated(expr.arg);
      return simpler.kind === "unary" && simpler.arg === expr.arg ? expr : simpler;
    }
    case "cond": {
      if (expr.test.kind === "boolean") return expr.test.value ? expr.then : expr.else;
      if (isSameValue(expr.then, expr.else) && isPure(expr.test)) return expr.then;
      const simpler = simplifiedConditional(expr.test, expr.then, expr.else);
      return simpler.kind === "cond" && simpler.test === expr.test ? expr : simpler;
    }
    case "call": {
      const [cotangent, partial] = expr.args;
      if (isLogarithm(expr.fn) && cotangent !== undefined && isLiteral(cotangent, 1)) return number(0);
      if (isRuntime(expr.fn, "ratio", surroundings) && cotangent?.kind === "number" && partial !== undefined)
        return cotangent.value !== 0 ? foldedBinary("/", cotangent, partial) : isTotal(partial, surroundings) ? number(0) : expr; // prettier-ignore
      if (!isRuntime(expr.fn, "scale", surroundings) || cotangent === undefined || partial === undefined) return expr;
      if (isLiteral(cotangent, 0)) return isTotal(partial, surroundings) ? number(0) : expr;
      if (isLiteral(partial, 0)) return isTotal(cotangent, surroundings) ? number(0) : expr;
      return cotangent.kind === "number" || partial.kind === "number" ? foldedBinary("*", cotangent, partial) : expr;
    }
    default:
      return expr;
  }
}

function isLogarithm(fn: TsExpr): boolean {
  return isMath(fn) && fn.kind === "member" && fn.name === "log";
}

/** Whether an expression is `scale` of what may be left out. */
function isScaled(expr: TsExpr, surroundings: Surroundings): boolean {
  return expr.kind === "call" && isRuntime(expr.fn, "scale", surroundings) && expr.args.every(isPure);
}

function isRuntime(fn: TsExpr, name: "relu" | "scale" | "ratio" | "exp", { reference }: Surroundings): boolean {
  return fn.kind === "id" && reference(fn.name) === `numbers.${name}`;
}

function negated(expr: TsExpr): TsExpr {
  if (expr.kind === "number") return number(-expr.value);
  return expr.kind === "unary" && expr.op === "-" ? expr.arg : unary("-", expr);
}

function foldedBinary(op: TsBinaryOp, left: TsExpr, right: TsExpr): TsExpr {
  return simplerBinary(op, left, right) ?? binary(op, left, right);
}

/** Null where there is nothing to fold. */
function simplerBinary(op: TsBinaryOp, left: TsExpr, right: TsExpr): TsExpr | null {
  if (left.kind === "number" && right.kind === "number") {
    const value = ofLiterals(op, left.value, right.value);
    if (value !== null) return value;
  }
  if (left.kind === "number" && mirrored.has(op)) return foldedBinary(mirrored.get(op) ?? op, right, left);
  switch (op) {
    case "*":
      if (isLiteral(left, 1)) return right;
      if (isLiteral(right, 1)) return left;
      if (isLiteral(left, -1)) return negated(right);
      if (isLiteral(right, -1)) return negated(left);
      return left.kind === "number" ? scaled(left.value, right) : null;
    case "/":
      if (isLiteral(right, 1)) return left;
      break;
    case "+": {
      if (isSameProduct(left, right)) return foldedBinary("*", number(2), left);
      const less = opposite(right);
      if (less !== null) return binary("-", left, less);
      const first = opposite(left);
      // A sum of two is the same in either order
      if (first !== null && isPure(left) && isPure(right)) return binary("-", right, first);
      break;
    }
    case "-": {
      if (isLiteral(right, 0)) return left;
      const first = opposite(left);
      if (first !== null && isSameProduct(first, right)) return foldedBinary("*", number(-2), first);
      const more = opposite(right);
      if (more !== null) return binary("+", left, more);
      break;
    }
    case "&&":
      if (left.kind === "boolean") return left.value ? right : left;
      if (right.kind === "boolean" && (right.value || isPure(left))) return right.value ? left : right;
      break;
    case "||":
      if (left.kind === "boolean") return left.value ? left : right;
      if (right.kind === "boolean" && (!right.value || isPure(left))) return right.value ? right : left;
      break;
    default:
  }
  return null;
}

/** A multiple of an expression that has a literal as its first factor, or divides one, where that is exact; null elsewhere. */
function scaled(factor: number, expr: TsExpr): TsExpr | null {
  if (expr.kind !== "binary" || (expr.op !== "*" && expr.op !== "/")) return null;
  const { op, left, right } = expr;
  if (left.kind !== "number") return null;
  const product = factor * left.value;
  const isExact = isScaling(factor) || (op === "*" && isScaling(left.value));
  return isExact && isNormal(product) ? foldedBinary(op, number(product), right) : null;
}

/** Whether two expressions are one product, with its factors in either order: what both operands of a square contribute to. */
function isSameProduct(one: TsExpr, other: TsExpr): boolean {
  if (one.kind !== "binary" || other.kind !== "binary" || one.op !== "*" || other.op !== "*" || !isPure(one))
    return false;
  const [left, right] = [keyOf(one.left), keyOf(one.right)];
  const [otherLeft, otherRight] = [keyOf(other.left), keyOf(other.right)];
  return (left === otherLeft && right === otherRight) || (left === otherRight && right === otherLeft);
}

/** Comparisons with the literal on the right. */
const mirrored: ReadonlyMap<TsBinaryOp, TsBinaryOp> = new Map<TsBinaryOp, TsBinaryOp>([
  ["<", ">"],
  ["<=", ">="],
  [">", "<"],
  [">=", "<="],
]);

/** Whether products with a number are exact, as far as they are normal: it is a power of two. */
function isScaling(factor: number): boolean {
  const exponent = Math.round(Math.log2(Math.abs(factor)));
  return 2 ** exponent === Math.abs(factor);
}

/** Whether a number is finite, and has as many digits as others. */
function isNormal(value: number): boolean {
  return Number.isFinite(value) && Math.abs(value) >= 2 ** -1022;
}

function isLiteral(expr: TsExpr, value: number): boolean {
  return expr.kind === "number" && Object.is(expr.value, value);
}

/** Whether two expressions are one literal or variable. */
function isSameValue(one: TsExpr, other: TsExpr): boolean {
  if (one.kind === "id") return other.kind === "id" && one.name === other.name;
  if (one.kind === "number") return other.kind === "number" && Object.is(one.value, other.value);
  return one.kind === "boolean" && other.kind === "boolean" && one.value === other.value;
}

/** Whether a quotient is no longer than it is as one: 0.5, and not a third. */
function isShort(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0) && String(value).length <= 5;
}

/** Null where it is better left as it is written. */
function ofLiterals(op: TsBinaryOp, left: number, right: number): TsExpr | null {
  const integer = (value: number): TsExpr | null =>
    Number.isSafeInteger(left) && Number.isSafeInteger(right) && Number.isSafeInteger(value) ? number(value) : null;
  const boolean = (value: boolean): TsExpr => ({ kind: "boolean", value });
  switch (op) {
    case "+":
      return integer(left + right);
    case "-":
      return integer(left - right);
    case "*":
      return integer(left * right);
    case "/":
      return isShort(left / right) ? number(left / right) : null;
    case "<":
      return boolean(left < right);
    case "<=":
      return boolean(left <= right);
    case ">":
      return boolean(left > right);
    case ">=":
      return boolean(left >= right);
    case "===":
      return boolean(left === right);
    case "!==":
      return boolean(left !== right);
    default:
      return null;
  }
}
