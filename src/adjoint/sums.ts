// Sums whose iterations use the tape, or have inner loops of nobody knows how many iterations: those that both sweeps may go through at once (swept-by-iteration.ts).
// What stands behind one and needs nothing of it comes before it, since the reverse sweep of that may need it there.
//
//   s = for i < n .. s + f(x ! i) ..          r = toReal n
//   r = toReal n                              s = for i < n .. s + f(x ! i) ..
//   y = s / r                                 y = s / r

import { isScalar } from "../flat/build.js";
import { freeVariables } from "../flat/free-variables.js";
import type { Block, Stmt } from "../flat/program.js";
import { allStmts, blocksOf, boundBy } from "../flat/traverse.js";
import { stmtCalls } from "./effects.js";
import type { ActiveProgram } from "./stores.js";

/**
 * Whether a loop is one of those whose iterations would save most, and the cotangents of what it gives may be there before it: those of elements are not,
 * those of a sum are the same in each iteration.
 */
export function isSum(stmt: Stmt, program: ActiveProgram): stmt is Stmt & { readonly kind: "for" } {
  if (stmt.kind !== "for" || stmt.body.end.kind !== "yield") return false;
  if (!usesTape(stmt, program) && !hasOpenLoop(stmt, program)) return false;
  return stmt.params.every(({ rep }) => isScalar(rep)) && !stmt.arrays.some((array) => program.activity.has(array));
}

/** Whether a statement calls functions that use the tape. */
export function usesTape(stmt: Stmt, { procedures }: ActiveProgram): boolean {
  return stmtCalls(stmt, (fn) => procedures.has(fn));
}

/** Whether there are loops in a statement of which nobody knows beforehand how many iterations they have, and through which cotangents flow. */
function hasOpenLoop(stmt: Stmt, { activity }: ActiveProgram): boolean {
  const isOpen = (inner: Stmt): boolean =>
    inner.kind === "loop" && [...inner.results, ...inner.arrays].some((result) => activity.has(result));
  return blocksOf(stmt).flatMap(allStmts).some(isOpen);
}

/** A body in which what stands behind sums and needs none of them comes before them. */
export function withSumsLast(body: Block, program: ActiveProgram): Block {
  const at = body.end.kind === "yield" ? body.stmts.findIndex((stmt) => isSum(stmt, program)) : -1;
  if (at === -1) return body;
  const [early, late]: [Stmt[], Stmt[]] = [body.stmts.slice(0, at), []];
  const behind = new Set<string>();
  let [isChecked, mayFail] = [false, false];
  for (const stmt of body.stmts.slice(at)) {
    const sum = isSum(stmt, program) ? stmt : null;
    const isFree = freeVariables({ stmts: [stmt], end: nothing }).every(({ name }) => !behind.has(name));
    const isSafe = cannotFail(stmt, program);
    // A check says of what comes behind it that it can be done; of two errors the first one is reported
    const isMovable = isNumber(stmt) || (isSafe && !isChecked) || !mayFail;
    if (sum === null && isFree && isMovable) {
      early.push(stmt);
      continue;
    }
    late.push(sum === null ? stmt : { ...sum, body: withSumsLast(sum.body, program) });
    isChecked ||= isCheck(stmt);
    mayFail ||= !isSafe;
    for (const { name } of boundBy(stmt)) behind.add(name);
  }
  return { ...body, stmts: [...early, ...late] };
}

const nothing = { kind: "yield", values: [] } as const;

/** Whether what comes behind a statement may be what it is since that has not failed, such as a comparison of two lengths. */
function isCheck(stmt: Stmt): boolean {
  return stmt.kind === "check" || (stmt.kind === "let" && stmt.op.kind === "prim" && stmt.op.site !== null);
}

/** Whether a statement does nothing but compute a number, which always succeeds. */
function isNumber(stmt: Stmt): boolean {
  return stmt.kind === "let" && (stmt.op.kind === "length" || (stmt.op.kind === "prim" && stmt.op.site === null));
}

/** Whether a statement never ends in an error. */
export function cannotFail(stmt: Stmt, program: ActiveProgram): boolean {
  const failing = failingIn(program);
  return [stmt, ...blocksOf(stmt).flatMap(allStmts)].every(
    (each) => !isCheck(each) && each.kind !== "apply" && (each.kind !== "call" || !failing(each.fn)),
  );
}

const known = new WeakMap<ActiveProgram, ReadonlySet<string>>();

/** Which functions may end in an error: found out once for a program. What has no active version is taken to. */
function failingIn(program: ActiveProgram): (fn: string) => boolean {
  const { procedures } = program;
  const failing = known.get(program) ?? failingProcedures(program);
  known.set(program, failing);
  return (fn) => failing.has(fn) || !procedures.has(fn);
}

function failingProcedures({ procedures }: ActiveProgram): ReadonlySet<string> {
  const callers = new Map<string, string[]>();
  const failing = new Set<string>();
  for (const [name, { procedure }] of procedures) {
    for (const stmt of allStmts(procedure.body)) {
      if (stmt.kind === "call") callers.set(stmt.fn, [...(callers.get(stmt.fn) ?? []), name]);
      if (isCheck(stmt) || stmt.kind === "apply" || (stmt.kind === "call" && !procedures.has(stmt.fn)))
        failing.add(name);
    }
  }
  // What is added while the set is gone through is gone through as well
  for (const name of failing) for (const caller of callers.get(name) ?? []) failing.add(caller);
  return failing;
}
