// Arrays, over operands that are lowered already.

import type { Site } from "../../core/term.js";
import type { Term } from "../../target-calculus/term.js";
import type { Type } from "../../target-calculus/type.js";
import { siteText, type Refer } from "./lower-operators.js";
import { binary, callOf, id, number, string, typeName } from "../../typescript/build.js";
import type { TsExpr, TsStmt, TsType } from "../../typescript/tree.js";

/** `[item1, .., itemn]`. */
export function arrayLiteral(element: Type, items: readonly TsExpr[]): TsExpr {
  if (element.kind !== "real") return { kind: "array", items };
  const content: TsExpr = items.length === 0 ? number(0) : { kind: "array", items };
  return { kind: "new", fn: id("Float64Array"), args: [content] };
}

/** An array that is yet to be filled, and the type that it must be told. */
export function emptyArray(
  element: Type,
  lowered: TsType,
  size: TsExpr,
): { readonly type: TsType | null; readonly value: TsExpr } {
  const isReal = element.kind === "real";
  return {
    type: isReal ? null : typeName("Array", lowered),
    value: { kind: "new", fn: id(isReal ? "Float64Array" : "Array"), args: [size] },
  };
}

/** The size of an array, checked where it may be none. */
export function lowerSize(term: Term, size: TsExpr, site: Site | null, refer: Refer): TsExpr {
  const isSize = site === null || term.kind === "length" || (term.kind === "int" && term.value >= 0);
  return isSize ? size : callOf(refer("arrays.arraySize"), size, string(siteText(site)));
}

/** `array ! index`; `lowered` is the type of the elements. Where nothing says where it stands, it cannot fail. */
export function lowerIndex(
  array: TsExpr,
  index: TsExpr,
  element: Type,
  lowered: TsType,
  site: Site | null,
  refer: Refer,
): TsExpr {
  const item: TsExpr = { kind: "index", object: array, index, certain: false };
  if (site === null) return { kind: "as", expr: item, type: lowered };
  const isNull = element.kind === "tuple" && element.items.length === 0;
  const place = string(siteText(site));
  if (isPath(array) && (index.kind === "id" || index.kind === "number") && !isNull) {
    return binary("??", item, callOf(refer("arrays.outside"), array, index, place));
  }
  return callOf(refer(element.kind === "real" ? "arrays.numberAt" : "arrays.itemAt"), array, index, place);
}

/** `for (let i = 0; i < end; i++) { .. }` */
export function counting(index: string, end: TsExpr, body: readonly TsStmt[]): TsStmt {
  const step: TsExpr = { kind: "assign", op: "+=", target: id(index), value: number(1) };
  return { kind: "for", name: index, from: number(0), test: binary("<", id(index), end), step, body };
}

/** A variable, or a field of one: it can be read twice. */
export function isPath(expr: TsExpr): boolean {
  return expr.kind === "id" || (expr.kind === "member" && isPath(expr.object));
}
