// Loops of the reverse sweep that have nothing to contribute in some iterations of the loop around them: a unit of a network that is off has no part in the
// gradient, nor have its weights.
//
//   const y_ = x > 0 ? z_ : 0;
//   if (y_ !== 0) for (j < n) w_[j] += y_ * v[j]

import { binary, number } from "../typescript/build.js";
import type { TsExpr, TsStmt } from "../typescript/tree.js";

/** A loop that contributes multiples of its only seed alone, left out where that comes from a branch that was not taken, and is zero. */
export function unlessZero(seeds: readonly (TsExpr | null)[], loop: TsStmt, before: readonly TsStmt[]): TsStmt {
  const [seed, ...others] = seeds.filter((one) => one !== null);
  if (seed?.kind !== "id" || others.length > 0 || !mayBeZero(seed, before)) return loop;
  return { kind: "if", test: binary("!==", seed, number(0)), then: [loop], else: [] };
}

/** Whether an expression is a product with a cotangent that is zero where a branch was not taken. */
function mayBeZero(expr: TsExpr, before: readonly TsStmt[]): boolean {
  switch (expr.kind) {
    case "id": {
      const found = before.find((stmt) => stmt.kind === "const" && stmt.target === expr.name);
      return found?.kind === "const" && mayBeZero(found.init, before);
    }
    case "cond":
      return [expr.then, expr.else].some((arm) => arm.kind === "number" && arm.value === 0);
    case "binary":
      return expr.op === "*" && (mayBeZero(expr.left, before) || mayBeZero(expr.right, before));
    case "unary":
      return mayBeZero(expr.arg, before);
    default:
      return false;
  }
}
