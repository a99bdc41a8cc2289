// Where an expression stands. prettier's layout rules, and its rules for parentheses, look upwards as far as they need.

import { isBlock } from "./facts.js";
import type { TsExpr } from "./tree.js";

export type Role =
  | "binary.left" | "binary.right" | "unary" | "cond.test" | "cond.then" | "cond.else" | "call.fn" | "call.arg" | "new.fn" | "new.arg"
  | "yield" | "member" | "index.object" | "index.index" | "arrow.body" | "property" | "item" | "as" | "assign.target" | "assign.value"
  | "const" | "let" | "statement" | "return" | "throw" | "if" | "while" | "switch" | "case" | "for.test" | "for.step"; // prettier-ignore

/** `parent` and `up`, the parent's own place, are null where the parent is a statement. */
export interface Place {
  readonly role: Role;
  readonly parent: TsExpr | null;
  readonly up: Place | null;
}

/** The place of an expression directly under a statement. */
export function underStatement(role: Role): Place {
  return { role, parent: null, up: null };
}

export function under(role: Role, parent: TsExpr, up: Place): Place {
  return { role, parent, up };
}

/** The value of a declaration. */
export function isDeclared(role: Role): boolean {
  return role === "const" || role === "let";
}

/** prettier's two types of binary expressions. */
export function isLogical(op: string): boolean {
  return op === "&&" || op === "||" || op === "??";
}

// prettier-ignore
const precedences: ReadonlyMap<string, number> = new Map(
  [["??"], ["||"], ["&&"], ["===", "!=="], ["<", "<=", ">", ">="], [">>"], ["+", "-"], ["*", "/", "%"], ["**"]].flatMap((operators, level) =>
    operators.map((operator) => [operator, level] as const),
  ),
);

function precedence(op: string): number {
  return precedences.get(op) ?? -1;
}

const isEquality = (op: string): boolean => op === "===" || op === "!==";
const isMultiplicative = (op: string): boolean => op === "*" || op === "/" || op === "%";

/** Whether `(a inner b) outer c` is laid out as one list of operands, without parentheses. */
export function flattens(outer: string, inner: string): boolean {
  if (precedence(inner) !== precedence(outer) || outer === "**" || outer === ">>") return false;
  if (isEquality(outer) && isEquality(inner)) return false;
  if (isMultiplicative(outer) && isMultiplicative(inner)) return outer === inner && outer !== "%";
  return !(outer === ">" && inner === "<");
}

/** Whether prettier puts an expression in parentheses. */
export function needsParens(expr: TsExpr, place: Place): boolean {
  const { role, parent } = place;
  const isCallee = role === "call.fn" || role === "new.fn";
  const isObject = role === "member" || role === "index.object";
  switch (expr.kind) {
    case "number":
      return isObject;
    case "string":
      return role === "statement";
    case "object":
      return startsArrowBodyOrStatement(place);
    case "unary":
      if (parent?.kind === "unary") return expr.op === "-" && parent.op === "-";
      return isObject || isCallee || (role === "binary.left" && parent?.kind === "binary" && parent.op === "**");
    case "binary":
    case "as":
      return isCallee || isObject || role === "unary" || isNestedBinary(expr, place);
    case "assign":
      return !(role === "for.step" || role === "statement" || parent?.kind === "assign");
    case "cond":
      return (
        isCallee || isObject || role === "unary" || role === "as" || role === "cond.test" || parent?.kind === "binary"
      );
    case "arrow":
    case "yield":
      return (
        isCallee || isObject || role === "unary" || role === "as" || role === "cond.test" || parent?.kind === "binary"
      );
    case "call":
    case "member":
    case "index":
      return role === "new.fn" && containsCall(expr);
    default:
      return false;
  }
}

function isNestedBinary(expr: Extract<TsExpr, { kind: "binary" | "as" }>, { role, parent }: Place): boolean {
  if (role === "as") return expr.kind !== "as";
  if (parent?.kind === "cond") return expr.kind === "as" || expr.op === "??";
  if (role === "assign.target") return expr.kind === "as";
  if (parent?.kind !== "binary") return false;
  if (expr.kind === "as") return true;
  if (isLogical(parent.op) && isLogical(expr.op)) return parent.op !== expr.op;
  if (parent.op === ">>") return true;
  const outer = precedence(parent.op);
  const inner = precedence(expr.op);
  if (outer > inner) return true;
  if (outer === inner) return role === "binary.right" || !flattens(parent.op, expr.op);
  return expr.op === "%" && (parent.op === "+" || parent.op === "-");
}

function containsCall(expr: TsExpr): boolean {
  let node = expr;
  while (node.kind === "member" || node.kind === "index") node = node.object;
  return node.kind === "call";
}

/** Whether the expression's text begins an arrow function's body or a statement, where `{` would open a block. */
function startsArrowBodyOrStatement(place: Place): boolean {
  let at: Place | null = place;
  while (at !== null) {
    switch (at.role) {
      case "statement":
        return true;
      case "arrow.body":
        // An assignment has parentheses already
        return at.parent?.kind !== "arrow" || isBlock(at.parent.body) || at.parent.body.kind !== "assign";
      case "binary.left":
      case "call.fn":
      case "member":
      case "index.object":
      case "cond.test":
      case "as":
      case "assign.target":
        at = at.up;
        break;
      default:
        return false;
    }
  }
  return false;
}
