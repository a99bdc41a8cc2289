// Loop peeling, of the last iteration.
//
// What a loop does in its last iteration alone stands behind it, or in front of it where it counts down: a `scanl` has one element more than the array that it walks.
//
//   const count = n + 1;
//   for (let i = 0; i < count; i++) { states[i] = s; s = i < n ? f(s, xs[i]) : s; }
//     =>   for (let i = 0; i < n; i++) { states[i] = s; s = f(s, xs[i]); } states[n] = s;
//
// Arrays whose last element nothing else needs are as long as the others then.

import { mapSame } from "../../same.js";
import { number } from "../../typescript/build.js";
import { isName, isNumber, isSameExpr } from "../../typescript/facts.js";
import { mapBlocks, mapParts, mapStmt, replaced, visitNames, visitStatements, type Rewriting } from "../../typescript/traverse.js"; // prettier-ignore
import type { TsBinaryOp, TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { separated, type Bindings } from "../analysis/bindings.js";
import { counting, countsUpTo, elementsOf, iterationsOf, type For } from "../analysis/counting.js";
import { jumps } from "../analysis/mentions.js";
import { isCallOf, type Surroundings } from "../analysis/purity.js";
import { surveyed } from "../analysis/survey.js";
import { folded } from "../expressions/fold.js";

/** A last iteration of more statements is not written twice. */
const longest = 16;

export function withLastIterationsOutside(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  const successors = successorsIn(fn, surroundings);
  if (successors.size === 0) return fn;
  const { variables } = surveyed(fn);
  const outside = (stmt: TsStmt): TsStmt | readonly TsStmt[] => {
    const iterations = stmt.kind === "for" && variables.get(stmt.name)?.writes === 1 ? iterationsOf(stmt) : null;
    const rest = iterations?.kind === "id" ? successors.get(iterations.name) : undefined;
    if (stmt.kind !== "for" || rest === undefined || jumps(stmt.body)) return stmt;
    const peeled = withoutLast(stmt, rest, bindings, surroundings);
    if (peeled === null) return stmt;
    return countsUpTo(stmt) === null ? [...peeled.last, peeled.loop] : [peeled.loop, ...peeled.last];
  };
  return withShorterArrays(
    mapBlocks(fn, (body) => replaced(body, outside)),
    successors,
  );
}

/** By constant that is one more than a number that is not negative: that number. */
function successorsIn(fn: TsFunction, surroundings: Surroundings): ReadonlyMap<string, TsExpr> {
  const counts = new Set<string>();
  const successors = new Map<string, TsExpr>();
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind !== "const" || typeof stmt.target !== "string") return;
    const { target, init } = stmt;
    if (isCount(init, surroundings)) counts.add(target);
    const isOneMore = init.kind === "binary" && init.op === "+" && isNumber(init.right, 1);
    if (isOneMore && init.left.kind === "id" && counts.has(init.left.name)) successors.set(target, init.left);
  });
  return successors;
}

/** Whether an expression is an integer that is not negative, and as large as an array at most. */
function isCount(expr: TsExpr, surroundings: Surroundings): boolean {
  return expr.kind === "member" ? expr.name === "length" : isCallOf(expr, "numbers.sameLength", surroundings);
}

/** A loop of one iteration less, and what its last iteration does; null where that is more than to hand values on, or nothing tells it from the others. */
function withoutLast(
  loop: For,
  rest: TsExpr,
  bindings: Bindings,
  surroundings: Surroundings,
): { readonly loop: For; readonly last: readonly TsStmt[] } | null {
  let found = 0;
  /** Whether a comparison of the counter is true in all iterations but the last, or in that alone. */
  const ofAllButLast = (expr: TsExpr): boolean | undefined => {
    if (expr.kind !== "binary" || !isName(expr.left, loop.name) || !isSameExpr(expr.right, rest)) return undefined;
    return allButLast.get(expr.op);
  };
  const taken = (isLast: boolean): readonly TsStmt[] => {
    const rewriting: Rewriting = {
      expr: (expr) => {
        const value = ofAllButLast(expr);
        if (value === undefined) return isLast && isName(expr, loop.name) ? rest : mapParts(expr, rewriting);
        found++;
        return { kind: "boolean", value: value !== isLast };
      },
      block: (body) => mapSame(body, (stmt) => mapStmt(stmt, rewriting)),
    };
    return folded({ ...empty, body: rewriting.block(loop.body) }, surroundings).body;
  };
  const last = withoutUnread(taken(true));
  if (found === 0 || last.length > longest || !last.every(handsOn)) return null;
  const copy = separated({ ...empty, body: last }, bindings, (name) => bindings.wanted(name));
  const direction = countsUpTo(loop) === null ? "down" : "up";
  return { loop: { ...loop, ...counting(loop.name, rest, direction), body: taken(false) }, last: copy.body };
}

/** Comparisons of a counter with its last value. */
const allButLast: ReadonlyMap<TsBinaryOp, boolean> = new Map<TsBinaryOp, boolean>([
  ["<", true],
  ["!==", true],
  [">=", false],
  ["===", false],
]);

/** Arrays made as long as the loops that alone use their elements: of the one behind nothing is left then. */
function withShorterArrays(fn: TsFunction, successors: ReadonlyMap<string, TsExpr>): TsFunction {
  const shorter = shorterArrays(fn, successors);
  if (shorter.size === 0) return fn;
  const isBehind = (expr: TsExpr): boolean => {
    const array = expr.kind === "index" && expr.object.kind === "id" ? expr.object.name : "";
    return expr.kind === "index" && isSameExpr(expr.index, shorter.get(array));
  };
  return mapBlocks(fn, (body) =>
    replaced(body, (stmt) => {
      if (stmt.kind === "expr" && stmt.expr.kind === "assign" && isBehind(stmt.expr.target)) return [];
      if (stmt.kind === "let" && stmt.init !== null && isBehind(stmt.init)) return { ...stmt, init: number(0) };
      if (stmt.kind !== "const" || typeof stmt.target !== "string") return stmt;
      if (isBehind(stmt.init)) return { ...stmt, init: number(0) };
      const rest = shorter.get(stmt.target);
      return rest === undefined || stmt.init.kind !== "new" ? stmt : { ...stmt, init: { ...stmt.init, args: [rest] } };
    }),
  );
}

/** How often something is done with an array; with the element behind those that loops use it is set, or read. */
interface Mentions {
  readonly rest: TsExpr;
  readonly isOfZeros: boolean;
  all: number;
  inLoops: number;
  set: number;
  read: number;
}

/** Arrays that may be one element shorter, and how long they are then. */
function shorterArrays(fn: TsFunction, successors: ReadonlyMap<string, TsExpr>): ReadonlyMap<string, TsExpr> {
  const arrays = new Map<string, Mentions>();
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind !== "const" || typeof stmt.target !== "string" || stmt.init.kind !== "new") return;
    const [size, ...others] = stmt.init.args;
    const rest = size?.kind === "id" && others.length === 0 ? successors.get(size.name) : undefined;
    const isOfZeros = isName(stmt.init.fn, "Float64Array");
    if (rest !== undefined && (isOfZeros || isName(stmt.init.fn, "Array")))
      arrays.set(stmt.target, { rest, isOfZeros, all: 0, inLoops: 0, set: 0, read: 0 });
  });
  if (arrays.size === 0) return new Map();
  visitNames(fn.body, (name) => {
    const array = arrays.get(name);
    if (array !== undefined) array.all++;
  });
  const behind = (expr: TsExpr | null): Mentions | undefined => {
    const array = expr?.kind === "index" && expr.object.kind === "id" ? arrays.get(expr.object.name) : undefined;
    return expr?.kind === "index" && isSameExpr(expr.index, array?.rest) ? array : undefined;
  };
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind === "for") {
      const iterations = iterationsOf(stmt);
      for (const [name, array] of arrays)
        if (isSameExpr(iterations, array.rest)) array.inLoops += elementsOf(stmt, name);
    }
    const assigned = stmt.kind === "expr" && stmt.expr.kind === "assign" && stmt.expr.op === "=" ? stmt.expr : null;
    const set = assigned !== null && isThere(assigned.value) ? behind(assigned.target) : undefined;
    if (set !== undefined) set.set++;
    const read = stmt.kind === "const" || stmt.kind === "let" ? behind(stmt.init) : undefined;
    if (read !== undefined) read.read++;
  });
  const shorter = [...arrays].filter(([, { isOfZeros, all, inLoops, set, read }]) => {
    if (inLoops === 0 || all !== inLoops + set + read) return false;
    return read === 0 || (set === 0 && isOfZeros);
  });
  return new Map(shorter.map(([name, { rest }]) => [name, rest]));
}

const empty: TsFunction = { name: "", typeParams: [], params: [], result: { kind: "literal", value: null }, body: [] };

/** The statements of an iteration without constants that none of them reads. */
function withoutUnread(stmts: readonly TsStmt[]): readonly TsStmt[] {
  const read = new Set<string>();
  const kept = stmts.toReversed().filter((stmt) => {
    if (stmt.kind === "const" && typeof stmt.target === "string" && !read.has(stmt.target) && isThere(stmt.init))
      return false;
    visitNames([stmt], (name) => read.add(name));
    return true;
  });
  return kept.toReversed();
}

/** Whether a statement gives something a value that is there, or adds one. */
function handsOn(stmt: TsStmt): boolean {
  switch (stmt.kind) {
    case "comment":
      return true;
    case "const":
      return isThere(stmt.init);
    case "let":
      return stmt.init === null || isThere(stmt.init);
    case "expr":
      return stmt.expr.kind === "assign" && isThere(stmt.expr.target) && isThere(stmt.expr.value);
    default:
      return false;
  }
}

/** Whether an expression is a literal, a variable, or an element at one. */
function isThere(expr: TsExpr): boolean {
  if (expr.kind === "index") return expr.object.kind === "id" && expr.index.kind === "id";
  return expr.kind === "id" || expr.kind === "number" || expr.kind === "boolean";
}
