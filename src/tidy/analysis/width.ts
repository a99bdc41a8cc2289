// About how many columns an expression takes, on one line.

import { isBlock } from "../../typescript/facts.js";
import type { TsExpr } from "../../typescript/tree.js";

export function widthOf(expr: TsExpr): number {
  switch (expr.kind) {
    case "id":
      return nameWidth(expr.name);
    case "number":
      return String(expr.value).length;
    case "string":
      return expr.value.length + 2;
    case "boolean":
      return 5;
    case "null":
      return 4;
    case "undefined":
      return 9;
    case "binary":
      return operandWidth(expr.left) + operandWidth(expr.right) + expr.op.length + 2;
    case "unary":
      return 1 + operandWidth(expr.arg);
    case "cond":
      return widthOf(expr.test) + widthOf(expr.then) + widthOf(expr.else) + 6;
    case "call":
      return widthOf(expr.fn) + listWidth(expr.args) + 2;
    case "new":
      return widthOf(expr.fn) + listWidth(expr.args) + 6;
    case "member":
      return widthOf(expr.object) + expr.name.length + 1;
    case "index":
      return widthOf(expr.object) + widthOf(expr.index) + (expr.certain ? 3 : 2);
    case "arrow":
      return isBlock(expr.body) ? 200 : 10 + widthOf(expr.body);
    case "object":
      return expr.fields.reduce((sum, { name, value }) => sum + name.length + widthOf(value) + 4, 2);
    case "array":
      return listWidth(expr.items) + 2;
    case "as":
      return widthOf(expr.expr) + 12;
    case "yield":
      return widthOf(expr.value) + 8;
    case "assign":
      return widthOf(expr.target) + widthOf(expr.value) + expr.op.length + 2;
  }
}

/** Without what makes the name unlike all others while the function is tidied. */
export function nameWidth(name: string): number {
  const end = name.indexOf("#");
  return end < 0 ? name.length : end;
}

function operandWidth(expr: TsExpr): number {
  return widthOf(expr) + (expr.kind === "binary" || expr.kind === "cond" ? 2 : 0);
}

function listWidth(exprs: readonly TsExpr[]): number {
  return exprs.reduce((sum, expr) => sum + widthOf(expr) + 2, exprs.length === 0 ? 0 : -2);
}
