// Loops that count, and what their iterations use of arrays.

import { binary, id, number } from "../../typescript/build.js";
import { isName, isNumber } from "../../typescript/facts.js";
import { visitParts, visitStmt, type Visiting } from "../../typescript/traverse.js";
import type { TsExpr, TsStmt } from "../../typescript/tree.js";
import { jumps, mentionsIn } from "./mentions.js";

export type For = TsStmt & { readonly kind: "for" };

/** What a loop begins with that counts down to zero by one; null where it does not. */
export function countsDownFrom({ name, from, test, step }: For): TsExpr | null {
  const isDown =
    test.kind === "binary" && test.op === ">=" && isName(test.left, name) && isNumber(test.right, 0) &&
    step.kind === "assign" && step.op === "-=" && isName(step.target, name) && isNumber(step.value, 1); // prettier-ignore
  return isDown ? from : null;
}

/** What a loop counts to that counts from zero by one: the number of its iterations; null where it does not. */
export function countsUpTo({ name, from, test, step }: For): TsExpr | null {
  const isUp =
    isNumber(from, 0) && test.kind === "binary" && test.op === "<" && isName(test.left, name) &&
    step.kind === "assign" && step.op === "+=" && isName(step.target, name) && isNumber(step.value, 1); // prettier-ignore
  return isUp ? test.right : null;
}

/** Whether a loop counts by one, up from zero or down to it. */
export function countsByOne(loop: For): boolean {
  return countsUpTo(loop) !== null || countsDownFrom(loop) !== null;
}

/** How many iterations a loop has that counts by one, up from zero or down to it; null where that is not `n` or `n - 1` as it is written. */
export function iterationsOf(loop: For): TsExpr | null {
  const last = countsDownFrom(loop);
  if (last === null) return countsUpTo(loop);
  if (last.kind === "number") return number(last.value + 1);
  return last.kind === "binary" && last.op === "-" && isNumber(last.right, 1) ? last.left : null;
}

/** A loop's head for some number of iterations, up from zero or down to it. */
export function counting(
  name: string,
  iterations: TsExpr,
  direction: "up" | "down",
): Pick<For, "from" | "test" | "step"> {
  const stepBy = (op: "+=" | "-="): TsExpr => ({ kind: "assign", op, target: id(name), value: number(1) });
  if (direction === "up") return { from: number(0), test: binary("<", id(name), iterations), step: stepBy("+=") };
  return { from: binary("-", iterations, number(1)), test: binary(">=", id(name), number(0)), step: stepBy("-=") };
}

export function isElement(expr: TsExpr, array: string, index: string): boolean {
  return expr.kind === "index" && isName(expr.object, array) && isName(expr.index, index);
}

/** How often a loop uses the element of an array at its index, functions in it left out. */
export function elementsOf(loop: For, array: string): number {
  const known = elements.get(loop) ?? elementCounts(loop);
  elements.set(loop, known);
  return known.get(array) ?? 0;
}

/** By loop, as long as it is there: it may have as many arrays as statements. */
const elements = new WeakMap<For, ReadonlyMap<string, number>>();

function elementCounts({ name, body }: For): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "index" && expr.object.kind === "id" && isName(expr.index, name))
        counts.set(expr.object.name, (counts.get(expr.object.name) ?? 0) + 1);
      if (expr.kind !== "arrow") visitParts(expr, visiting);
    },
    block: (stmts) => {
      for (const stmt of stmts) visitStmt(stmt, visiting);
    },
  };
  visiting.block(body);
  return counts;
}

/** Whether an expression makes an array of numbers. */
export function isNewArray(expr: TsExpr): expr is TsExpr & { readonly kind: "new" } {
  return expr.kind === "new" && isName(expr.fn, "Float64Array");
}

/** A statement that makes an array as a constant. */
export interface ArrayMade {
  readonly stmt: TsStmt & { readonly kind: "const" };
  readonly array: string;
  readonly size: TsExpr;
}

/** A statement as one that makes an array of zeros; null where it does something else. */
export function arrayMadeBy(stmt: TsStmt): ArrayMade | null {
  return madeBy(stmt, "Float64Array");
}

/** A statement as one that makes an array of whatever will be set in it, as a rule of rows; null where it does something else. */
export function tableMadeBy(stmt: TsStmt): ArrayMade | null {
  return madeBy(stmt, "Array");
}

function madeBy(stmt: TsStmt, of: "Float64Array" | "Array"): ArrayMade | null {
  if (stmt.kind !== "const" || typeof stmt.target !== "string" || stmt.init.kind !== "new") return null;
  const [size, ...others] = isName(stmt.init.fn, of) ? stmt.init.args : [];
  return size === undefined || others.length > 0 ? null : { stmt, array: stmt.target, size };
}

/** `a`, of `array.set(a)`. */
export function filledFrom(stmt: TsStmt, array: string): string | null {
  if (stmt.kind !== "expr" || stmt.expr.kind !== "call" || stmt.expr.fn.kind !== "member") return null;
  const [from, ...others] = stmt.expr.args;
  const { object, name } = stmt.expr.fn;
  return name === "set" && isName(object, array) && from?.kind === "id" && others.length === 0 ? from.name : null;
}

/** The iterations in which a loop sets the elements of an array, where that is the first thing that statements do with it; null elsewhere. */
export interface Filling {
  readonly loop: For;
  readonly iterations: TsExpr;
  /** Whether the element behind them is set next. */
  readonly isOneMore: boolean;
}

export function fillingOf(stmts: readonly TsStmt[], array: string): Filling | null {
  const [first, second] = stmts.filter((stmt) => mentionsIn([stmt], array));
  const iterations = first?.kind === "for" ? iterationsOf(first) : null;
  if (first?.kind !== "for" || iterations === null || !setsEach(first, array)) return null;
  const isOneMore = iterations.kind === "id" && second !== undefined && setsFirst([second], array, iterations.name);
  return { loop: first, iterations, isOneMore };
}

/** Whether the first thing that each iteration of a loop does with an array is to set its element. */
export function setsEach({ name, body }: For, array: string): boolean {
  return !jumps(body) && setsFirst(body, array, name);
}

/** Whether the first thing that statements do with an array is to set the element at an index. */
function setsFirst(stmts: readonly TsStmt[], array: string, index: string): boolean {
  const first = stmts.find((stmt) => mentionsIn([stmt], array));
  if (first?.kind === "if") {
    const isTested = mentionsIn([{ kind: "expr", expr: first.test }], array);
    return !isTested && setsFirst(first.then, array, index) && setsFirst(first.else, array, index);
  }
  if (first?.kind !== "expr" || first.expr.kind !== "assign" || first.expr.op !== "=") return false;
  return isElement(first.expr.target, array, index) && !mentionsIn([{ kind: "expr", expr: first.expr.value }], array);
}
