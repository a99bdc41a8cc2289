// Destination passing, of rows.
//
// A row that each iteration makes, and copies into its place in a matrix, is that place from the beginning.
//
//   const m = new Float64Array(n * k);                        const m = new Float64Array(n * k);
//   for (i < n) {                                             for (i < n) {
//     const row = new Float64Array(k);                          const at = i * k;
//     row[2] += e;                                      =>      m[at + 2] += e;
//     for (j < k) m[i * k + j] = row[j];                      }
//   }
//
// The matrix is zeros, of which each iteration has its own, and nothing else looks at it before the loop ends.

import { binary, constant, id, number } from "../../typescript/build.js";
import { isName, isNumber, isSameExpr } from "../../typescript/facts.js";
import {
  mapBlocks,
  mapParts,
  mapStmt,
  visitExpressions,
  visitStatements,
  type Rewriting,
} from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { ArrayLengths } from "../analysis/array-lengths.js";
import type { Bindings } from "../analysis/bindings.js";
import { arrayMadeBy, countsUpTo, isNewArray, tableMadeBy, type ArrayMade, type For } from "../analysis/counting.js";
import { declares, mentionsIn, namesIn } from "../analysis/mentions.js";
import type { Surroundings } from "../analysis/purity.js";
import { isSettled, surveyed } from "../analysis/survey.js";

/** A row, the matrix that it is copied into by the last statement that knows it, and what the row begins with. */
interface Copied {
  readonly made: TsStmt;
  readonly row: string;
  readonly copy: TsStmt;
  readonly matrix: string;
  /** How long it is. */
  readonly width: TsExpr;
  readonly items: readonly TsExpr[];
}

export function withRowsInPlace(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  const survey = surveyed(fn);
  const lengths = new ArrayLengths(fn, surroundings);
  const constants = new Map<string, TsExpr>();
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind === "const" && typeof stmt.target === "string") constants.set(stmt.target, stmt.init);
  });
  const isKept = (expr: TsExpr, loop: For): boolean =>
    expr.kind === "number" || (expr.kind === "id" && isSettled(survey, expr.name, loop) && !declares(loop, expr.name));

  /** A copy into the place of iteration `i` of a loop: `for (j < width) matrix[i * width + j] = row[j]`. */
  const copyOf = (stmt: TsStmt, loop: For): Omit<Copied, "made" | "items"> | null => {
    const width = stmt.kind === "for" ? countsUpTo(stmt) : null;
    if (stmt.kind !== "for" || width === null || !isKept(width, loop)) return null;
    const place = binary("+", binary("*", id(loop.name), width), id(stmt.name));
    const [set, ...others] = withConstantsIn(stmt.body);
    if (set?.kind !== "expr" || set.expr.kind !== "assign" || set.expr.op !== "=" || others.length > 0) return null;
    const { target, value } = set.expr;
    if (target.kind !== "index" || target.object.kind !== "id" || value.kind !== "index" || value.object.kind !== "id")
      return null;
    if (!isSameExpr(target.index, place) || !isName(value.index, stmt.name)) return null;
    return { row: value.object.name, copy: stmt, matrix: target.object.name, width };
  };

  const copiedIn = (loop: For, body: readonly TsStmt[]): Copied | null => {
    for (const stmt of body) {
      const found = copyOf(stmt, loop);
      const made = body.find((other) => other.kind === "const" && other.target === found?.row);
      if (found === null || made?.kind !== "const") continue;
      const items = literalIn(made.init);
      const size = items === null ? arrayMadeBy(made)?.size : number(items.length);
      if (size === undefined || !lengths.areSame(size, found.width)) continue;
      const [from, to] = [body.indexOf(made), body.indexOf(stmt)];
      const isAlone = from < to && !mentionsIn(body.slice(to + 1), found.row) && areElements(body.slice(from + 1, to), found.row); // prettier-ignore
      if (isAlone && namesIn([loop], found.matrix) === 1) return { ...found, made, items: items ?? [] };
    }
    return null;
  };

  /** Whether an array has as many elements as so many rows of a width. */
  const holds = (size: TsExpr | undefined, rows: TsExpr, width: TsExpr): boolean => {
    const product = size?.kind === "id" ? constants.get(size.name) : size;
    if (product?.kind !== "binary" || product.op !== "*") return false;
    const { left, right } = product;
    return [[left, right], [right, left]].some(([one, other]) => one !== undefined && other !== undefined && lengths.areSame(one, rows) && lengths.areSame(other, width)); // prettier-ignore
  };

  const changed = (loop: For, before: readonly TsStmt[]): For => {
    const rows = countsUpTo(loop);
    if (rows === null || survey.variables.get(loop.name)?.writes !== 1) return loop;
    const copied = copiedIn(loop, loop.body);
    if (copied === null) return loop;
    const { matrix, width } = copied;
    const madeBy = (stmt: TsStmt): ArrayMade | null => matrixMadeBy(stmt, copied.items.length > 0);
    const start = before.findIndex((stmt) => madeBy(stmt)?.array === matrix);
    const made = before[start];
    if (made === undefined || !holds(madeBy(made)?.size, rows, width)) return loop;
    if (mentionsIn(before.slice(start + 1), matrix)) return loop;
    const at = bindings.fresh("at");
    const placed = inPlace(copied, at);
    const base = constant(at, null, binary("*", id(loop.name), width));
    const body = loop.body.flatMap((stmt) => {
      if (stmt === copied.copy) return [];
      if (stmt !== copied.made) return [placed.statement(stmt)];
      const set = copied.items.map((item, index): TsStmt => ({ kind: "expr", expr: { kind: "assign", op: "=", target: placed.element(number(index)), value: item } })); // prettier-ignore
      return [base, ...set];
    });
    // There may be others
    return changed({ ...loop, body }, before);
  };

  return mapBlocks(fn, (body) => {
    const out: TsStmt[] = [];
    for (const stmt of body) out.push(stmt.kind === "for" ? changed(stmt, out) : stmt);
    return out.every((stmt, index) => stmt === body[index]) ? body : out;
  });
}

/** The items of `new Float64Array([..])`, and of `[..]`; null where an array is made otherwise. */
function literalIn(init: TsExpr): readonly TsExpr[] | null {
  const [given] = isNewArray(init) ? init.args : [init];
  return given?.kind === "array" ? given.items : null;
}

/** The array that a statement makes, of a size; null where it does something else. `isSet`: whether its elements need not be zero before they are set. */
function matrixMadeBy(stmt: TsStmt, isSet: boolean): ArrayMade | null {
  return arrayMadeBy(stmt) ?? (isSet ? tableMadeBy(stmt) : null);
}

/** Statements with constants written where they are used. */
function withConstantsIn(body: readonly TsStmt[]): readonly TsStmt[] {
  const known = new Map<string, TsExpr>();
  const rewriting: Rewriting = {
    expr: (expr) => (expr.kind === "id" ? (known.get(expr.name) ?? expr) : mapParts(expr, rewriting)),
    block: (stmts) => stmts,
  };
  return body.flatMap((stmt) => {
    const own = mapStmt(stmt, rewriting);
    if (own.kind !== "const" || typeof own.target !== "string") return [own];
    known.set(own.target, own.init);
    return [];
  });
}

/** Whether statements use an array by its elements alone, and by its length. */
function areElements(body: readonly TsStmt[], array: string): boolean {
  let found = 0;
  visitExpressions(body, (expr) => {
    if (expr.kind === "index" && isName(expr.object, array)) found++;
    if (expr.kind === "member" && isName(expr.object, array) && expr.name === "length") found++;
  });
  return found === namesIn(body, array);
}

/** What elements of a row are in its matrix. */
function inPlace({ row, matrix, width }: Copied, at: string) {
  const element = (place: TsExpr): TsExpr & { readonly kind: "index" } => ({
    kind: "index",
    object: id(matrix),
    index: isNumber(place, 0) ? id(at) : binary("+", id(at), place),
    certain: false,
  });
  const placed = (expr: TsExpr): TsExpr & { readonly kind: "index" } | null =>
    expr.kind === "index" && isName(expr.object, row) ? { ...element(rewriting.expr(expr.index)), certain: expr.certain } : null; // prettier-ignore
  const rewriting: Rewriting = {
    expr: (expr) => {
      if (expr.kind === "member" && isName(expr.object, row)) return width;
      const target = expr.kind === "assign" ? placed(expr.target) : null;
      if (expr.kind === "assign" && target !== null) return { ...expr, target, value: rewriting.expr(expr.value) };
      return placed(expr) ?? mapParts(expr, rewriting);
    },
    block: (body) => body.map((stmt) => mapStmt(stmt, rewriting)),
  };
  return { element, statement: (stmt: TsStmt): TsStmt => mapStmt(stmt, rewriting) };
}
