// A loop of which each round uses nothing but the sum of its counter and a number counts from that number.
//
//   const count = n - 1;
//   for (let i = 0; i < count; i++) { const j = 1 + i; sum += x[j] }        for (let j = 1; j < n; j++) { sum += x[j] }

import { mapSame } from "../../same.js";
import { binary, id, number } from "../../typescript/build.js";
import { isName } from "../../typescript/facts.js";
import {
  mapBlocks,
  mapParts,
  mapStmt,
  visitExpressions,
  visitStatements,
  type Rewriting,
} from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { countsDownFrom, countsUpTo, type For } from "../analysis/counting.js";
import { namesIn } from "../analysis/mentions.js";
import type { Surroundings } from "../analysis/purity.js";
import { isSettled, surveyed } from "../analysis/survey.js";

/** `base + more`; the base is a number, a variable or its length. */
interface Shifted {
  readonly base: TsExpr;
  readonly more: number;
}

export function withStarts(fn: TsFunction, { written }: Surroundings): TsFunction {
  const survey = surveyed(fn);
  const isKept = (expr: TsExpr, stmt: TsStmt): boolean =>
    expr.kind === "id"
      ? isSettled(survey, expr.name, stmt)
      : expr.kind === "member" && expr.name === "length" && !written.has("length") && isKept(expr.object, stmt);
  /** Constants that are less than what is kept by a number. */
  const lessened = new Map<string, Shifted>();
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind !== "const" || typeof stmt.target !== "string") return;
    const value = shiftedOf(stmt.init);
    if (value.more < 0 && isKept(value.base, stmt)) lessened.set(stmt.target, value);
  });
  const roundsOf = (loop: For): Shifted | null => {
    const last = countsDownFrom(loop);
    const rounds = last === null ? countsUpTo(loop) : binary("+", last, number(1));
    if (rounds === null) return null;
    const { base, more } = shiftedOf(rounds);
    const less = base.kind === "id" ? lessened.get(base.name) : undefined;
    return less === undefined ? { base, more } : { base: less.base, more: less.more + more };
  };
  const started = (stmt: TsStmt): TsStmt => {
    if (stmt.kind !== "for" || survey.variables.get(stmt.name)?.writes !== 1) return stmt;
    const rounds = roundsOf(stmt);
    const start = startOf(stmt);
    if (rounds === null || start === null || !isPlain({ base: rounds.base, more: rounds.more + start })) return stmt;
    return startingAt(stmt, start, { base: rounds.base, more: rounds.more + start });
  };
  return mapBlocks(fn, (body) => mapSame(body, started));
}

/** A number that is added to others, or that they are less by. */
function shiftedOf(expr: TsExpr): Shifted {
  if (expr.kind !== "binary" || (expr.op !== "+" && expr.op !== "-")) return { base: expr, more: 0 };
  if (expr.right.kind !== "number" || !Number.isSafeInteger(expr.right.value)) return { base: expr, more: 0 };
  const { base, more } = shiftedOf(expr.left);
  return { base, more: expr.op === "+" ? more + expr.right.value : more - expr.right.value };
}

function exprOf({ base, more }: Shifted): TsExpr {
  if (base.kind === "number") return number(base.value + more);
  if (more === 0) return base;
  return binary(more > 0 ? "+" : "-", base, number(Math.abs(more)));
}

/** Whether an end is a number, or no more than the base itself. */
function isPlain({ base, more }: Shifted): boolean {
  return base.kind === "number" || more <= 1;
}

/** The number that `expr` adds to a counter; null where it is another expression. */
function addedTo(expr: TsExpr, counter: string): number | null {
  if (expr.kind !== "binary" || expr.op !== "+") return null;
  const [added, other] = expr.left.kind === "number" ? [expr.left, expr.right] : [expr.right, expr.left];
  if (added.kind !== "number" || !isName(other, counter)) return null;
  return Number.isSafeInteger(added.value) && added.value > 0 ? added.value : null;
}

/** The number that each use of a loop's counter adds to it; null where there is another use, or another number. */
function startOf({ name, body }: For): number | null {
  const starts: number[] = [];
  visitExpressions(body, (expr) => {
    const added = addedTo(expr, name);
    if (added !== null) starts.push(added);
  });
  const [start] = starts;
  if (start === undefined || starts.length < namesIn(body, name)) return null;
  return starts.every((other) => other === start) ? start : null;
}

/** A loop that counts from `start` to `end`, and calls its counter as its first constant that is one. */
function startingAt({ name, step, body, ...loop }: For, start: number, end: Shifted): For {
  const isSum = (expr: TsExpr): boolean => addedTo(expr, name) !== null;
  const given = body.find((stmt) => stmt.kind === "const" && typeof stmt.target === "string" && isSum(stmt.init));
  const counter = given?.kind === "const" && typeof given.target === "string" ? given.target : name;
  const rewriting: Rewriting = {
    expr: (expr) => (isSum(expr) ? id(counter) : mapParts(expr, rewriting)),
    block: (stmts) => mapSame(stmts, (stmt) => mapStmt(stmt, rewriting)),
  };
  const isDown = countsDownFrom({ name, step, body, ...loop }) !== null;
  const last = exprOf({ ...end, more: end.more - 1 });
  const isThrough = end.base.kind !== "number" && end.more === 1;
  return {
    ...loop,
    name: counter,
    from: isDown ? last : number(start),
    test: isDown
      ? binary(">=", id(counter), number(start))
      : isThrough
        ? binary("<=", id(counter), last)
        : binary("<", id(counter), exprOf(end)),
    step: step.kind === "assign" ? { ...step, target: id(counter) } : step,
    body: rewriting.block(body.filter((stmt) => stmt !== given)),
  };
}
