// Statements that both sweeps are made of.

import { binary, id, number, reads } from "../typescript/traverse.js";
import type { TsExpr, TsStmt } from "../typescript/tree.js";

/** `for (let i = 0; i < count; i++) { .. }` */
export function countingUp(index: string, count: TsExpr, body: readonly TsStmt[]): TsStmt {
  const step: TsExpr = { kind: "assign", op: "+=", target: id(index), value: number(1) };
  return { kind: "for", name: index, from: number(0), test: binary("<", id(index), count), step, body };
}

/** `for (let i = count - 1; i >= 0; i--) { .. }` */
export function countingDown(index: string, count: TsExpr, body: readonly TsStmt[]): TsStmt {
  const step: TsExpr = { kind: "assign", op: "-=", target: id(index), value: number(1) };
  const from = lessOne(count);
  return { kind: "for", name: index, from, test: binary(">=", id(index), number(0)), step, body };
}

function lessOne(count: TsExpr): TsExpr {
  if (count.kind === "number") return number(count.value - 1);
  const isOneMore =
    count.kind === "binary" && count.op === "+" && count.right.kind === "number" && count.right.value === 1;
  return isOneMore ? count.left : binary("-", count, number(1));
}

/** Whether statements end with a jump: what follows them is not reached. */
export function endsInJump(body: readonly TsStmt[]): boolean {
  const last = body.at(-1);
  return last?.kind === "break" || last?.kind === "continue" || last?.kind === "return" || last?.kind === "throw";
}

/** Assignments that all read before any of them writes. */
export function assignAll(
  assignments: readonly { readonly target: string; readonly value: TsExpr }[],
  fresh: (hint: string) => string,
): readonly TsStmt[] {
  const moved = assignments.filter(({ target, value }) => !(value.kind === "id" && value.name === target));
  const before: TsStmt[] = [];
  const after: TsStmt[] = [];
  moved.forEach(({ target, value }, index) => {
    const isRead = moved.slice(index + 1).some((later) => reads(later.value, target));
    const [name] = isRead ? [fresh(target)] : [null];
    // A later assignment reads what this one writes: so it is written last
    if (name !== null) before.push({ kind: "const", target: name, type: null, init: value });
    after.push({ kind: "expr", expr: { kind: "assign", op: "=", target: id(target), value: name === null ? value : id(name) } }); // prettier-ignore
  });
  const plain = after.filter((_, index) => before.length === 0 || !isTemporary(after[index], before));
  const last = after.filter((stmt) => !plain.includes(stmt));
  return [...before, ...plain, ...last];
}

function isTemporary(stmt: TsStmt | undefined, temporaries: readonly TsStmt[]): boolean {
  if (stmt?.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.value.kind !== "id") return false;
  const { name } = stmt.expr.value;
  return temporaries.some((temporary) => temporary.kind === "const" && temporary.target === name);
}

/** What stands where nothing is read before something else is put there. */
export const unset: TsExpr = { kind: "as", expr: { kind: "null" }, type: { kind: "name", name: "never", args: [] } };

/** An element that is there. */
export function cellOf(object: TsExpr, index: TsExpr): TsExpr {
  return { kind: "index", object, index, certain: true };
}

/** `target = value` */
export function assign(target: TsExpr, value: TsExpr): TsStmt {
  return { kind: "expr", expr: { kind: "assign", op: "=", target, value } };
}
