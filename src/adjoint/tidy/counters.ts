// What counts from zero is never below it: of a test of an index the half stays that may fail.
//
//   for (let i = 0; i < n; i++) { if (i < 0 || i >= xs.length) outside(xs, i, ..) }
//     =>
//   for (let i = 0; i < n; i++) { if (i >= xs.length) outside(xs, i, ..) }

import { mapSame } from "../../same.js";
import type { TsExpr, TsFunction } from "../../typescript/tree.js";
import { isNumber, type For } from "./counting.js";
import { surveyed, type Variable } from "./survey.js";
import { mapParts, mapStmt, withBody, type Rewriting } from "./walk.js";

export function withoutTestsOfCounters(fn: TsFunction): TsFunction {
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
  const rewriting: Rewriting = {
    expr: (expr) => known(mapParts(expr, rewriting), isCount),
    block: (body) =>
      mapSame(body, (stmt) => {
        if (stmt.kind === "const" && typeof stmt.target === "string" && isCount(stmt.init)) counters.add(stmt.target);
        if (stmt.kind !== "for" || !countsFromZero(stmt, variables, isCount)) return mapStmt(stmt, rewriting);
        counters.add(stmt.name);
        // The test is what ends the loop: there the counter may be less
        const inner = rewriting.block(stmt.body);
        return inner === stmt.body ? stmt : { ...stmt, body: inner };
      }),
  };
  return withBody(fn, rewriting.block(fn.body));
}

/** Whether the counter of a loop is zero or more in each round. */
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
