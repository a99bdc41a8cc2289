// Where rooms for numbers that are collected are made larger.

import { isName } from "../../typescript/facts.js";
import type { TsExpr, TsStmt } from "../../typescript/tree.js";
import type { Surroundings } from "./purity.js";

/** `if (count === measure.length) { room = grown(room); .. }` */
export interface Growth {
  readonly stmt: TsStmt & { readonly kind: "if" };
  readonly count: string;
  readonly measure: string;
  readonly rooms: readonly string[];
}

export function growthIn(stmt: TsStmt, surroundings: Surroundings): Growth | null {
  if (stmt.kind !== "if" || stmt.else.length > 0 || stmt.test.kind !== "binary" || stmt.test.op !== "===") return null;
  const { left, right } = stmt.test;
  if (left.kind !== "id" || right.kind !== "member" || right.name !== "length" || right.object.kind !== "id") return null; // prettier-ignore
  const rooms = stmt.then.map((inner) => (inner.kind === "expr" ? grownIn(inner.expr, surroundings) : null));
  const isGrowth = rooms.length > 0 && rooms.every((room) => room !== null);
  return isGrowth ? { stmt, count: left.name, measure: right.object.name, rooms } : null;
}

/** The room that a statement makes larger, alone, when it is full. */
export function ownGrowthIn(stmt: TsStmt, surroundings: Surroundings): (Growth & { readonly room: string }) | null {
  const growth = growthIn(stmt, surroundings);
  const [room] = growth?.rooms ?? [];
  return growth?.rooms.length === 1 && room === growth.measure ? { ...growth, room } : null;
}

/** `room`, of `room = grown(room)` */
export function grownIn(expr: TsExpr, { reference }: Surroundings): string | null {
  if (expr.kind !== "assign" || expr.op !== "=" || expr.target.kind !== "id" || expr.value.kind !== "call") return null;
  const { fn, args } = expr.value;
  const room = expr.target.name;
  const isGrown = fn.kind === "id" && reference(fn.name) === "adjoint.grown";
  return isGrown && args.every((arg) => isName(arg, room)) ? room : null;
}
