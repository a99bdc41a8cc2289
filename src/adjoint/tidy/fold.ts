// What literals make known: `1 * x` is x, `if (true)` its branch. Every number stays the same, up to the sign of a cotangent that is zero.

import { not, simplifiedConditional } from "../../emit/lower/lower-operators.js";
import { binary, number, unary } from "../../typescript/traverse.js";
import type { TsBinaryOp, TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import type { Surroundings } from "./purity.js";
import { mapParts, mapStmt, type Rewriting } from "./walk.js";

export function folded(fn: TsFunction, surroundings: Surroundings): TsFunction {
  const rewriting: Rewriting = {
    expr: (expr) => foldedParts(mapParts(expr, rewriting), surroundings),
    block: (body) => body.flatMap((stmt) => foldedStmt(mapStmt(stmt, rewriting))),
  };
  return { ...fn, body: rewriting.block(fn.body) };
}

function foldedStmt(stmt: TsStmt): readonly TsStmt[] {
  if (stmt.kind === "if" && stmt.test.kind === "boolean") {
    const taken = stmt.test.value ? stmt.then : stmt.else;
    // What is declared in it has names unlike all others
    return taken;
  }
  if (stmt.kind === "while" && stmt.test.kind === "boolean" && !stmt.test.value) return [];
  if (stmt.kind === "expr" && stmt.expr.kind === "assign") {
    const { op, target, value } = stmt.expr;
    if (op === "=" && value.kind === "id" && target.kind === "id" && value.name === target.name) return [];
    if ((op === "+=" || op === "-=") && value.kind === "number" && value.value === 0) return [];
    if ((op === "+=" || op === "-=") && value.kind === "unary" && value.op === "-") {
      return [{ kind: "expr", expr: { kind: "assign", op: op === "+=" ? "-=" : "+=", target, value: value.arg } }];
    }
  }
  return [stmt];
}

function foldedParts(expr: TsExpr, surroundings: Surroundings): TsExpr {
  switch (expr.kind) {
    case "binary":
      return foldedBinary(expr.op, expr.left, expr.right);
    case "unary":
      return expr.op === "!" ? not(expr.arg) : negated(expr.arg);
    case "cond":
      if (expr.test.kind === "boolean") return expr.test.value ? expr.then : expr.else;
      return simplifiedConditional(expr.test, expr.then, expr.else);
    case "call": {
      const [cotangent, partial] = expr.args;
      const isScaled = expr.fn.kind === "id" && surroundings.reference(expr.fn.name) === "numbers.scale";
      if (!isScaled || cotangent?.kind !== "number" || cotangent.value === 0 || partial === undefined) return expr;
      return foldedBinary("*", cotangent, partial);
    }
    default:
      return expr;
  }
}

function negated(expr: TsExpr): TsExpr {
  if (expr.kind === "number") return number(-expr.value);
  return expr.kind === "unary" && expr.op === "-" ? expr.arg : unary("-", expr);
}

function foldedBinary(op: TsBinaryOp, left: TsExpr, right: TsExpr): TsExpr {
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
      break;
    case "/":
      if (isLiteral(right, 1)) return left;
      break;
    case "+":
      if (right.kind === "unary" && right.op === "-") return binary("-", left, right.arg);
      break;
    case "-":
      if (right.kind === "unary" && right.op === "-") return binary("+", left, right.arg);
      break;
    case "&&":
      if (left.kind === "boolean") return left.value ? right : left;
      break;
    case "||":
      if (left.kind === "boolean") return left.value ? left : right;
      break;
    default:
  }
  return binary(op, left, right);
}

/** Comparisons with the literal on the right. */
const mirrored: ReadonlyMap<TsBinaryOp, TsBinaryOp> = new Map<TsBinaryOp, TsBinaryOp>([
  ["<", ">"],
  ["<=", ">="],
  [">", "<"],
  [">=", "<="],
]);

function isLiteral(expr: TsExpr, value: number): boolean {
  return expr.kind === "number" && Object.is(expr.value, value);
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
