// Loop normalisation.
//
// A loop of which each iteration uses nothing but the sum of its counter and a number, or a variable, counts from that.
//
//   const count = n - 1;
//   for (let i = 0; i < count; i++) { const j = 1 + i; sum += x[j] }        for (let j = 1; j < n; j++) { sum += x[j] }

import { mapSame } from "../../same.js";
import { binary, id, number } from "../../typescript/build.js";
import { isName, isNumber } from "../../typescript/facts.js";
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

/** What a loop begins at: a number above zero, or a variable. */
type Start = TsExpr & { readonly kind: "number" | "id" };

export function withStarts(fn: TsFunction, { written }: Surroundings): TsFunction {
  const survey = surveyed(fn);
  const isKept = (expr: TsExpr, stmt: TsStmt): boolean =>
    expr.kind === "id"
      ? isSettled(survey, expr.name, stmt)
      : expr.kind === "member" && expr.name === "length" && !written.has("length") && isKept(expr.object, stmt);
  /** What constants are that are less than what is kept by a number, or by a variable that is kept. */
  const differences = new Map<string, TsExpr>();
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind !== "const" || typeof stmt.target !== "string") return;
    const { base, more } = shiftedOf(stmt.init);
    const [whole, less] = more === 0 && base.kind === "binary" && base.op === "-" ? [shiftedOf(base.left).base, base.right] : [base, null]; // prettier-ignore
    const isLess = less === null ? more < 0 : less.kind === "id" && isKept(less, stmt);
    if (isLess && isKept(whole, stmt)) differences.set(stmt.target, stmt.init);
  });
  const iterationsOf = (loop: For): TsExpr | null => {
    const last = countsDownFrom(loop);
    const iterations = last === null ? countsUpTo(loop) : binary("+", last, number(1));
    if (iterations === null) return null;
    const { base, more } = shiftedOf(iterations);
    const known = base.kind === "id" ? differences.get(base.name) : undefined;
    return known === undefined ? iterations : exprOf(sum(shiftedOf(known), more));
  };
  const started = (stmt: TsStmt): TsStmt => {
    if (stmt.kind !== "for" || survey.variables.get(stmt.name)?.writes !== 1) return stmt;
    const [iterations, start] = [iterationsOf(stmt), startOf(stmt)];
    if (iterations === null || start === null || (start.kind === "id" && !isKept(start, stmt))) return stmt;
    const end = endOf(iterations, start);
    return end === null ? stmt : startingAt(stmt, start, end);
  };
  return mapBlocks(fn, (body) => mapSame(body, started));
}

/** Where a loop of some iterations ends that begins at `start`; null where that is no plain expression. */
function endOf(iterations: TsExpr, start: Start): Shifted | null {
  const { base, more } = shiftedOf(iterations);
  if (start.kind === "number") {
    const end = sum({ base, more }, start.value);
    return isPlain(end) ? end : null;
  }
  const isLess = base.kind === "binary" && base.op === "-" && isName(base.right, start.name);
  const end = isLess ? sum(shiftedOf(base.left), more) : null;
  return end !== null && isPlain(end) ? end : null;
}

function sum({ base, more }: Shifted, added: number): Shifted {
  return { base, more: more + added };
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

/** What `expr` adds to a counter; null where it is another expression. */
function addedTo(expr: TsExpr, counter: string): Start | null {
  if (expr.kind !== "binary" || expr.op !== "+") return null;
  const [added, other] = isName(expr.right, counter) ? [expr.left, expr.right] : [expr.right, expr.left];
  if (!isName(other, counter) || isName(added, counter)) return null;
  if (added.kind === "number") return Number.isSafeInteger(added.value) && added.value > 0 ? added : null;
  return added.kind === "id" ? added : null;
}

/** What each use of a loop's counter adds to it; null where there is another use, or something else is added. */
function startOf({ name, body }: For): Start | null {
  const starts: Start[] = [];
  visitExpressions(body, (expr) => {
    const added = addedTo(expr, name);
    if (added !== null) starts.push(added);
  });
  const [start] = starts;
  if (start === undefined || starts.length < namesIn(body, name)) return null;
  return starts.every((other) => (other.kind === "number" ? isNumber(start, other.value) : isName(start, other.name)))
    ? start
    : null;
}

/** A loop that counts from `start` to `end`, and calls its counter as its first constant that is one. */
function startingAt({ name, step, body, ...loop }: For, start: Start, end: Shifted): For {
  const isSum = (expr: TsExpr): boolean => addedTo(expr, name) !== null;
  const given = body.find((stmt) => stmt.kind === "const" && typeof stmt.target === "string" && isSum(stmt.init));
  const counter = given?.kind === "const" && typeof given.target === "string" ? given.target : name;
  const rewriting: Rewriting = {
    expr: (expr) => (isSum(expr) ? id(counter) : mapParts(expr, rewriting)),
    block: (stmts) => mapSame(stmts, (stmt) => mapStmt(stmt, rewriting)),
  };
  const isDown = countsDownFrom({ name, step, body, ...loop }) !== null;
  const last = exprOf(sum(end, -1));
  const isThrough = end.base.kind !== "number" && end.more === 1;
  return {
    ...loop,
    name: counter,
    from: isDown ? last : start,
    test: isDown
      ? binary(">=", id(counter), start)
      : isThrough
        ? binary("<=", id(counter), last)
        : binary("<", id(counter), exprOf(end)),
    step: step.kind === "assign" ? { ...step, target: id(counter) } : step,
    body: rewriting.block(body.filter((stmt) => stmt !== given)),
  };
}
