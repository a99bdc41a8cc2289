// Loops over rows and columns.
//
// A loop over the elements of a matrix that stands in one array, which divides its counter, is a loop over columns in one over rows.
//
//   const count = n * m;
//   for (let k = 0; k < count; k++) a[k] = rows[divInt(k, m)][modInt(k, m)]
//     =>   for (let i = 0; i < n; i++) { for (let j = 0; j < m; j++) { const k = i * m + j; a[k] = rows[i][j] } }

import { binary, id, number } from "../../typescript/build.js";
import { isMath, isName } from "../../typescript/facts.js";
import { mapBlocks, mapParts, mapStmt, visitExpressions, visitStatements, type Rewriting } from "../../typescript/traverse.js"; // prettier-ignore
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import type { Bindings } from "../analysis/bindings.js";
import { counting, countsUpTo, isNewArray, type For } from "../analysis/counting.js";
import { declares } from "../analysis/mentions.js";
import { isReadingCall, type Surroundings } from "../analysis/purity.js";
import { isSettled, surveyed } from "../analysis/survey.js";
import { keyOf } from "../../key.js";

export function withoutDividedCounters(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  const { reference } = surroundings;
  const survey = surveyed(fn);
  const constants = new Map<string, TsExpr>();
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind === "const" && typeof stmt.target === "string") constants.set(stmt.target, stmt.init);
  });
  const isCallOf = (expr: TsExpr, names: readonly string[]): expr is TsExpr & { readonly kind: "call" } =>
    expr.kind === "call" && expr.fn.kind === "id" && names.some((name) => name === (expr.fn.kind === "id" ? reference(expr.fn.name) : null)); // prettier-ignore
  /** Whether a number is none below zero. */
  const isSize = (expr: TsExpr): boolean => {
    if (expr.kind === "number") return expr.value >= 0;
    if (expr.kind === "member") return expr.name === "length";
    if (isCallOf(expr, ["numbers.sameLength"])) return true;
    if (expr.kind === "binary") return (expr.op === "+" || expr.op === "*") && isSize(expr.left) && isSize(expr.right);
    const known = expr.kind === "id" ? constants.get(expr.name) : undefined;
    return known !== undefined && isSize(known);
  };
  const divisionOf = (expr: TsExpr): Division | null => {
    const part = isCallOf(expr, ["numbers.divInt"]) ? "row" : isCallOf(expr, ["numbers.modInt"]) ? "column" : null;
    const [counter, divisor] = part === null || expr.kind !== "call" ? [] : expr.args;
    if (part === null) return writtenOut(expr);
    return counter === undefined || divisor === undefined ? null : { counter, divisor, part };
  };
  /** By what the iterations of a loop divide their counter; null where that is not one number, or they do not. */
  const divisorOf = ({ name, body }: For): TsExpr | null => {
    const found = new Map<string, TsExpr>();
    visitExpressions(body, (expr) => {
      const division = divisionOf(expr);
      if (division !== null && isName(division.counter, name)) found.set(keyOf(division.divisor), division.divisor);
    });
    const [divisor] = found.values();
    return found.size === 1 && divisor !== undefined ? divisor : null;
  };
  const nested = (loop: For): TsStmt | null => {
    const count = countsUpTo(loop);
    if (count?.kind !== "id" || survey.variables.get(loop.name)?.writes !== 1 || leaves(loop.body)) return null;
    const divisor = divisorOf(loop);
    const product = constants.get(count.name);
    const factors = product?.kind === "binary" && product.op === "*" ? [product.left, product.right] : product !== undefined && isCallOf(product, ["numbers.mulInt"]) ? product.args.slice(0, 2) : []; // prettier-ignore
    const [left, right] = factors;
    if (divisor === null || left === undefined || right === undefined) return null;
    const isRight = keyOf(right) === keyOf(divisor);
    const rows = isRight ? left : right;
    if (!isRight && keyOf(left) !== keyOf(divisor)) return null;
    const isKept = (expr: TsExpr): boolean => expr.kind === "number" || (expr.kind === "id" && isSettled(survey, expr.name, loop) && !declares(loop, expr.name)); // prettier-ignore
    if (!isKept(rows) || !isKept(divisor) || !(isSize(rows) || isSize(divisor))) return null;
    const [i, j] = [bindings.fresh("i"), bindings.fresh("j")];
    const changed = changedIn(loop.body, surroundings);
    // An array that is not made here may be another one, too
    const isAlone = [...changed].every((name) => isNewArray(constants.get(name) ?? { kind: "null" }));
    /** By array of rows what its row is called. */
    const rowNames = new Map<string, string>();
    /** What constants are that are one of these. */
    const same = new Map<string, string>();
    const partOf = (expr: TsExpr): string | null => {
      const division = divisionOf(expr);
      return division === null || !isName(division.counter, loop.name) ? null : division.part === "row" ? i : j;
    };
    const isPart = (expr: TsExpr): boolean => partOf(expr) !== null || (expr.kind === "id" && same.has(expr.name));
    // What is saved for a loop over the same counter is read there
    const saved: TsExpr[] = [];
    const rewriting: Rewriting = {
      expr: (expr) => {
        if (expr.kind === "assign" && isPart(expr.value)) saved.push(expr);
        if (expr.kind === "id") return id(same.get(expr.name) ?? expr.name);
        if (expr.kind === "index" && expr.object.kind === "id") {
          const { object } = expr;
          const place = rewriting.expr(expr.index);
          const isRow =
            place.kind === "id" && place.name === i && isAlone && !changed.has(object.name) && isKept(object);
          if (!isRow) return { ...expr, index: place };
          const row = rowNames.get(object.name) ?? bindings.fresh("row");
          rowNames.set(object.name, row);
          return id(row);
        }
        const part = partOf(expr);
        return part === null ? mapParts(expr, rewriting) : id(part);
      },
      block: (body) =>
        body.flatMap((stmt) => {
          const part = stmt.kind === "const" && typeof stmt.target === "string" ? partOf(stmt.init) : null;
          if (part === null || stmt.kind !== "const" || typeof stmt.target !== "string")
            return [mapStmt(stmt, rewriting)];
          same.set(stmt.target, part);
          return [];
        }),
    };
    const inside = rewriting.block(loop.body);
    if (saved.length > 0) return null;
    const place: TsStmt = { kind: "const", target: loop.name, type: null, init: binary("+", binary("*", id(i), divisor), id(j)) }; // prettier-ignore
    const columns: TsStmt = { kind: "for", name: j, ...counting(j, divisor, "up"), body: [place, ...inside] }; // prettier-ignore
    const given = [...rowNames].map(([array, row]): TsStmt => ({ kind: "const", target: row, type: null, init: { kind: "index", object: id(array), index: id(i), certain: true } })); // prettier-ignore
    return { kind: "for", name: i, ...counting(i, rows, "up"), body: [...given, columns] };
  };
  return mapBlocks(fn, (body) => {
    const changed = body.map((stmt) => (stmt.kind === "for" ? (nested(stmt) ?? stmt) : stmt));
    return changed.every((stmt, index) => stmt === body[index]) ? body : changed;
  });
}

/** A row, or a column, that a counter is divided into. */
interface Division {
  readonly counter: TsExpr;
  readonly divisor: TsExpr;
  readonly part: "row" | "column";
}

/** `Math.floor(k / m)`, `k >> 3` or `k % m`: what divisions are written as where nothing is negative. Where m is zero there is no iteration. */
function writtenOut(expr: TsExpr): Division | null {
  if (expr.kind === "binary" && expr.op === ">>" && expr.right.kind === "number")
    return { counter: expr.left, divisor: number(2 ** expr.right.value), part: "row" };
  const isFloor = expr.kind === "call" && isMath(expr.fn) && expr.fn.kind === "member" && expr.fn.name === "floor";
  const quotient = isFloor ? expr.args[0] : expr;
  if (quotient?.kind !== "binary" || quotient.op !== (isFloor ? "/" : "%")) return null;
  const { left: counter, right: divisor } = quotient;
  const isWhole = divisor.kind === "id" || (divisor.kind === "number" && divisor.value > 0 && Number.isInteger(divisor.value)); // prettier-ignore
  return isWhole ? { counter, divisor, part: isFloor ? "row" : "column" } : null;
}

/** The arrays that iterations change, or hand to something that may; "" for one without a name. */
function changedIn(body: readonly TsStmt[], surroundings: Surroundings): ReadonlySet<string> {
  const changed = new Set<string>();
  const add = (expr: TsExpr): void => void changed.add(expr.kind === "id" ? expr.name : "");
  visitExpressions(body, (expr) => {
    if (expr.kind === "assign" && expr.target.kind === "index") add(expr.target.object);
    if (expr.kind !== "call") return;
    if (expr.fn.kind === "member" && !isMath(expr.fn)) add(expr.fn.object);
    if (expr.fn.kind === "id" && !isReadingCall(expr.fn, surroundings))
      for (const arg of expr.args) if (arg.kind === "id") add(arg);
  });
  return changed;
}

/** Whether an iteration may end the loop. */
function leaves(body: readonly TsStmt[]): boolean {
  let found = false;
  visitStatements(body, ({ kind }) => {
    if (kind === "break" || kind === "continue" || kind === "return") found = true;
  });
  return found;
}
