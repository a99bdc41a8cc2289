// Where buffers for numbers that are collected are made larger.

import { isName } from "../../typescript/facts.js";
import type { TsExpr, TsStmt } from "../../typescript/tree.js";
import { isCallOf, type Surroundings } from "./purity.js";

/** `if (count === measure.length) { buffer = grown(buffer); .. }` */
export interface Growth {
  readonly stmt: TsStmt & { readonly kind: "if" };
  readonly count: string;
  readonly measure: string;
  readonly buffers: readonly string[];
}

export function growthIn(stmt: TsStmt, surroundings: Surroundings): Growth | null {
  if (stmt.kind !== "if" || stmt.else.length > 0 || stmt.test.kind !== "binary" || stmt.test.op !== "===") return null;
  const { left, right } = stmt.test;
  if (left.kind !== "id" || right.kind !== "member" || right.name !== "length" || right.object.kind !== "id") return null; // prettier-ignore
  const buffers = stmt.then.map((inner) => (inner.kind === "expr" ? grownIn(inner.expr, surroundings) : null));
  const isGrowth = buffers.length > 0 && buffers.every((buffer) => buffer !== null);
  return isGrowth ? { stmt, count: left.name, measure: right.object.name, buffers } : null;
}

/** The buffer that a statement makes larger, alone, when it is full. */
export function ownGrowthIn(stmt: TsStmt, surroundings: Surroundings): (Growth & { readonly buffer: string }) | null {
  const growth = growthIn(stmt, surroundings);
  const [buffer] = growth?.buffers ?? [];
  return growth?.buffers.length === 1 && buffer === growth.measure ? { ...growth, buffer } : null;
}

/** `buffer`, of `buffer = grown(buffer)` */
export function grownIn(expr: TsExpr, surroundings: Surroundings): string | null {
  if (expr.kind !== "assign" || expr.op !== "=" || expr.target.kind !== "id") return null;
  const { target, value } = expr;
  const isGrown = isCallOf(value, "adjoint.grown", surroundings) && value.args.every((arg) => isName(arg, target.name));
  return isGrown ? target.name : null;
}
