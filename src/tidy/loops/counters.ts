// Induction-variable range analysis.
//
// What counts from zero is never below it: of a test of an index the half stays that may fail. And what counts from one is not zero: a cotangent that is such a
// count needs no guard.
//
//   for (let i = 0; i < n; i++) { if (i < 0 || i >= xs.length) outside(xs, i, ..); .. scale(i + 1, 1 / sum) .. }
//     =>
//   for (let i = 0; i < n; i++) { if (i >= xs.length) outside(xs, i, ..); .. (i + 1) * (1 / sum) .. }

import { mapSame, withParts } from "../../same.js";
import { binary } from "../../typescript/build.js";
import { isNumber } from "../../typescript/facts.js";
import { mapParts, mapStmt, withBody, type Rewriting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction } from "../../typescript/tree.js";
import type { For } from "../analysis/counting.js";
import type { Surroundings } from "../analysis/purity.js";
import { surveyed, type Variable } from "../analysis/survey.js";

export function withoutTestsOfCounters(fn: TsFunction, { reference }: Surroundings): TsFunction {
  const { variables } = surveyed(fn);
  /** Integers that are zero or more where they can be seen. */
  const counters = new Set<string>();
  const isCount = (expr: TsExpr): boolean => {
    switch (expr.kind) {
      case "number":
        return Number.isSafeInteger(expr.value) && expr.value >= 0;
      case "id":
        return counters.has(expr.name);
      case "binary":
        // Remainders are written so where neither number is negative
        return expr.op === "%" || (expr.op === "+" && isCount(expr.left) && isCount(expr.right));
      default:
        return false;
    }
  };
  /** Of these, those that are one or more. */
  const fromOne = new Set<string>();
  const isFromOne = (expr: TsExpr): boolean => {
    if (expr.kind === "id") return fromOne.has(expr.name);
    if (expr.kind === "number") return isCount(expr) && expr.value > 0;
    return (
      expr.kind === "binary" && expr.op === "+" && isCount(expr) && (isFromOne(expr.left) || isFromOne(expr.right))
    );
  };
  /** `scale(i + 1, ..)`. */
  const unguarded = (expr: TsExpr): TsExpr => {
    if (expr.kind !== "call" || expr.fn.kind !== "id" || reference(expr.fn.name) !== "numbers.scale") return expr;
    const [cotangent, partial] = expr.args;
    const isGuarded = cotangent === undefined || partial === undefined || !isFromOne(cotangent);
    return isGuarded ? expr : binary("*", cotangent, partial);
  };
  const rewriting: Rewriting = {
    expr: (expr) => unguarded(known(mapParts(expr, rewriting), isCount)),
    block: (body) =>
      mapSame(body, (stmt) => {
        if (stmt.kind === "const" && typeof stmt.target === "string" && isCount(stmt.init)) {
          counters.add(stmt.target);
          if (isFromOne(stmt.init)) fromOne.add(stmt.target);
        }
        if (stmt.kind !== "for" || !countsFromZero(stmt, variables, isCount)) return mapStmt(stmt, rewriting);
        counters.add(stmt.name);
        // The test is what ends the loop: there the counter may be less
        return withParts(stmt, { body: rewriting.block(stmt.body) });
      }),
  };
  return withBody(fn, rewriting.block(fn.body));
}

/** Whether the counter of a loop is zero or more in each iteration. */
function countsFromZero(
  { name, from, test, step }: For,
  variables: ReadonlyMap<string, Variable>,
  isCount: (expr: TsExpr) => boolean,
): boolean {
  if (variables.get(name)?.writes !== 1 || step.kind !== "assign") return false;
  if (step.op === "+=") return isCount(from) && isCount(step.value);
  return step.op === "-=" && test.kind === "binary" && test.op === ">=" && isNumber(test.right, 0);
}

/** `i < 0` and `i >= 0` of what is zero or more. */
function known(expr: TsExpr, isCount: (expr: TsExpr) => boolean): TsExpr {
  if (expr.kind !== "binary" || (expr.op !== "<" && expr.op !== ">=")) return expr;
  if (!isNumber(expr.right, 0) || !isCount(expr.left)) return expr;
  return { kind: "boolean", value: expr.op === ">=" };
}
