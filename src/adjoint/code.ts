// Statements that both sweeps are made of.

import { binary, id, member, not, number, string } from "../typescript/build.js";
import { endsInJump, reads } from "../typescript/facts.js";
import type { TsDeclaration, TsExpr, TsParam, TsStmt, TsType } from "../typescript/tree.js";

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

/** Assignments that all read before any of them writes. */
export function assignAll(
  assignments: readonly { readonly target: string; readonly value: TsExpr }[],
  another: (name: string) => string,
): readonly TsStmt[] {
  const moved = assignments.filter(({ target, value }) => !(value.kind === "id" && value.name === target));
  const before: TsStmt[] = [];
  const after: TsStmt[] = [];
  moved.forEach(({ target, value }, index) => {
    const isRead = moved.slice(index + 1).some((later) => reads(later.value, target));
    const [name] = isRead ? [another(target)] : [null];
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

/** What is done with an object of one constructor. */
export interface TagCase {
  readonly con: string;
  readonly body: readonly TsStmt[];
}

/**
 * `switch (object.tag) { .. }` with a case for each constructor, or an `if` where that says it; nothing is done with objects of constructors that
 * `cases` does not have.
 */
export function switchOnTag(
  object: TsExpr,
  cases: readonly TagCase[],
  constructors: readonly string[],
): readonly TsStmt[] {
  const [first, second] = cases;
  if (first === undefined) return [];
  if (constructors.length === 1) return [{ kind: "block", body: first.body }];
  const tag = member(object, "tag");
  if (second === undefined || constructors.length === 2)
    return [{ kind: "if", test: binary("===", tag, string(first.con)), then: first.body, else: second?.body ?? [] }];
  const ended = (body: readonly TsStmt[]): readonly TsStmt[] =>
    endsInJump(body) ? body : [...body, { kind: "break", label: null }];
  const bodies = new Map(cases.map(({ con, body }) => [con, body]));
  return [{ kind: "switch", subject: tag, cases: constructors.map((con) => ({ test: string(con), body: ended(bodies.get(con) ?? []) })) }]; // prettier-ignore
}

/** A function that the module does not export. */
export function functionOf(
  name: string,
  params: readonly TsParam[],
  result: TsType,
  body: readonly TsStmt[],
): TsDeclaration {
  return { kind: "function", doc: "", exported: false, fn: { name, typeParams: [], params, result, body } };
}

/** `if (test) ..`, of which one branch may be empty. */
export function branching(test: TsExpr, then: readonly TsStmt[], otherwise: readonly TsStmt[]): TsStmt {
  if (then.length === 0) return { kind: "if", test: not(test), then: otherwise, else: [] };
  return { kind: "if", test, then, else: otherwise };
}
