// Arrays of the places at which rows begin, and of columns, are of 32-bit integers from the beginning.
//
//   const c = new Array(n); .. c[k] = j; .. mergedRows({ column: c, .. })    =>    const c = new Int32Array(n); ..

import { id } from "../../typescript/build.js";
import { isName } from "../../typescript/facts.js";
import { visitExpressions, withBody } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction } from "../../typescript/tree.js";
import { namesIn } from "../analysis/mentions.js";
import { isCallOf, type Surroundings } from "../analysis/purity.js";

export function withIndexArrays(fn: TsFunction, surroundings: Surroundings): TsFunction {
  const merged: TsExpr[] = [];
  const set = new Map<string, number>();
  visitExpressions(fn.body, (expr) => {
    if (isCallOf(expr, "compressed.mergedRows", surroundings)) merged.push(...expr.args);
    if (expr.kind !== "assign" || expr.target.kind !== "index" || expr.target.object.kind !== "id") return;
    const { name } = expr.target.object;
    set.set(name, (set.get(name) ?? 0) + 1);
  });
  const [matrix, ...others] = merged;
  if (matrix?.kind !== "object" || others.length > 0) return fn;
  /** Whether nothing is done with an array but that its elements are set, and that it is handed on. */
  const isOfPlaces = (name: string): boolean => namesIn(fn.body, name) === (set.get(name) ?? 0) + 1;
  const places = new Set(matrix.fields.flatMap(({ name, value }) => ((name === "rowStart" || name === "column") && value.kind === "id" && isOfPlaces(value.name) ? [value.name] : []))); // prettier-ignore
  const body = fn.body.map((stmt) => {
    if (stmt.kind !== "const" || typeof stmt.target !== "string" || !places.has(stmt.target)) return stmt;
    const { init } = stmt;
    if (init.kind !== "new" || !isName(init.fn, "Array")) return stmt;
    return { ...stmt, type: null, init: { ...init, fn: id("Int32Array") } };
  });
  return body.every((stmt, index) => stmt === fn.body[index]) ? fn : withBody(fn, body);
}
