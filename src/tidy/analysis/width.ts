// About how many columns an expression takes, on one line.

import { isBlock, partsOf } from "../../typescript/facts.js";
import type { TsExpr } from "../../typescript/tree.js";

export function widthOf(expr: TsExpr): number {
  return partsOf(expr).reduce((sum, part) => sum + widthOf(part), ownWidth(expr));
}

/** Without its parts. */
function ownWidth(expr: TsExpr): number {
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
      return bracketsWidth(expr) + expr.op.length + 2;
    case "unary":
      return bracketsWidth(expr) + 1;
    case "cond":
      return 6;
    case "call":
      return listWidth(expr.args);
    case "new":
      return listWidth(expr.args) + 4;
    case "member":
      return expr.name.length + 1;
    case "index":
      return expr.certain ? 3 : 2;
    case "arrow":
      return isBlock(expr.body) ? 200 : 10;
    case "object":
      return expr.fields.reduce((sum, { name }) => sum + name.length + 4, 2);
    case "array":
      return listWidth(expr.items);
    case "as":
      return 12;
    case "yield":
      return 8;
    case "assign":
      return expr.op.length + 2;
  }
}

/** Without what makes the name unlike all others while the function is tidied. */
export function nameWidth(name: string): number {
  const end = name.indexOf("#");
  return end < 0 ? name.length : end;
}

function bracketsWidth(expr: TsExpr): number {
  return 2 * partsOf(expr).filter(({ kind }) => kind === "binary" || kind === "cond").length;
}

/** Brackets, and commas. */
function listWidth({ length }: readonly TsExpr[]): number {
  return Math.max(2, 2 * length);
}
