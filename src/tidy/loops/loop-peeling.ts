// Loop peeling, of the first iteration of a reverse sweep.
//
// The reverse sweep of a loop with one way out begins with the iteration that took it: what is done in that iteration alone stands in front of the loop.
//
//   for (let i = n; i >= 0; i--) { if (i === n) A else B }        A; for (let i = n - 1; i >= 0; i--) B

import { mapSame } from "../../same.js";
import { binary, id, number } from "../../typescript/build.js";
import { isName, isNumber } from "../../typescript/facts.js";
import {
  mapBlocks,
  mapParts,
  mapStmt,
  replaced,
  visitParts,
  visitStatements,
  visitStmt,
  type Rewriting,
  type Visiting,
} from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { separated, type Bindings } from "../analysis/bindings.js";
import { assigns } from "../analysis/mentions.js";
import { countsDownFrom, type For } from "../analysis/counting.js";
import type { Surroundings } from "../analysis/purity.js";
import { surveyed } from "../analysis/survey.js";
import { folded } from "../expressions/fold.js";

/** A first iteration of more statements is not written twice. */
const longest = 8;

export function withFirstIterationsOutside(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  let counters: ReadonlySet<string> | null = null;
  const outside = (stmt: TsStmt): TsStmt | readonly TsStmt[] => {
    const count = stmt.kind === "for" ? countOf(stmt) : null;
    if (stmt.kind !== "for" || count === null) return stmt;
    counters ??= countersOf(fn);
    if (!counters.has(count)) return stmt;
    const isKept = (surveyed(fn).variables.get(count)?.writes ?? 1) === 0 || !assigns(stmt.body, count);
    return isKept ? peeled(stmt, count, bindings, surroundings) : stmt;
  };
  return mapBlocks(fn, (body) => replaced(body, outside));
}

/** The variable that a loop counts down from to zero. */
function countOf(loop: For): string | null {
  const from = countsDownFrom(loop);
  return from?.kind === "id" ? from.name : null;
}

function peeled(loop: For, count: string, bindings: Bindings, surroundings: Surroundings): TsStmt | readonly TsStmt[] {
  let found = 0;
  const isFirst = (expr: TsExpr): boolean => {
    if (expr.kind !== "binary" || (expr.op !== "===" && expr.op !== "!==")) return false;
    return isName(expr.left, loop.name) && isName(expr.right, count);
  };
  const taken = (isTaken: boolean): readonly TsStmt[] => {
    const rewriting: Rewriting = {
      expr: (expr) => {
        if (!isFirst(expr)) return isTaken && isName(expr, loop.name) ? id(count) : mapParts(expr, rewriting);
        found++;
        return { kind: "boolean", value: (expr.kind === "binary" && expr.op === "===") === isTaken };
      },
      block: (body) => mapSame(body, (stmt) => mapStmt(stmt, rewriting)),
    };
    return folded({ ...empty, body: rewriting.block(loop.body) }, surroundings).body;
  };
  const first = taken(true);
  if (found === 0 || sizeOf(first) > longest) return loop;
  const copy = separated({ ...empty, body: first }, bindings, (name) => bindings.wanted(name));
  const rest: For = { ...loop, from: binary("-", id(count), number(1)), body: taken(false) };
  return [...copy.body, rest];
}

const empty: TsFunction = { name: "", typeParams: [], params: [], result: { kind: "literal", value: null }, body: [] };

/** Variables that begin at zero and are never less; and those that get what has been saved of such in an array. */
function countersOf(fn: TsFunction): ReadonlySet<string> {
  const counters = new Set<string>();
  const others = new Set<string>();
  /** By array the variables of which it gets values, and those that get values from it. */
  const [given, taken] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const note = (map: Map<string, string[]>, array: string, name: string): void => {
    const names = map.get(array);
    if (names === undefined) map.set(array, [name]);
    else names.push(name);
  };
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "assign" && expr.target.kind === "id") {
        const isCount = expr.op === "+=" && expr.value.kind === "number" && expr.value.value >= 0;
        if (!isCount) others.add(expr.target.name);
      }
      const array = expr.kind === "assign" ? elementOf(expr.target) : null;
      if (expr.kind === "assign" && array !== null)
        note(given, array, expr.op === "=" && expr.value.kind === "id" ? expr.value.name : "");
      visitParts(expr, visiting);
    },
    block: (body) => {
      for (const stmt of body) {
        if (stmt.kind === "let" && stmt.init !== null && isNumber(stmt.init, 0)) counters.add(stmt.name);
        const array = stmt.kind === "const" && typeof stmt.target === "string" ? elementOf(stmt.init) : null;
        if (stmt.kind === "const" && typeof stmt.target === "string" && array !== null) note(taken, array, stmt.target);
        visitStmt(stmt, visiting);
      }
    },
  };
  visiting.block(fn.body);
  for (const name of others) counters.delete(name);
  const { variables } = surveyed(fn);
  for (const [array, names] of taken) {
    const values = given.get(array) ?? [];
    // Nothing else has the array, and might change it
    const isOwn = variables.get(array)?.reads === values.length + names.length;
    if (isOwn && values.length > 0 && values.every((name) => counters.has(name))) for (const name of names) counters.add(name); // prettier-ignore
  }
  return counters;
}

/** The array of which an expression is an element. */
function elementOf(expr: TsExpr): string | null {
  return expr.kind === "index" && expr.object.kind === "id" ? expr.object.name : null;
}

function sizeOf(stmts: readonly TsStmt[]): number {
  let size = 0;
  visitStatements(stmts, () => size++);
  return size;
}
