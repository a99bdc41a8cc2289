// Outlining of allocations.
//
// The cells of a list that a loop makes are made by a function: it makes what the literal makes, in memory that is collected more cheaply.
//
//   for (let i = n - 1; i >= 0; i--) {                         for (let i = n - 1; i >= 0; i--) {
//     rest = { tag: "Cons", _0: x[i], _1: rest };                rest = listCell("Cons", x[i], rest, n);
//   }                                                          }

import { mapSame } from "../../same.js";
import { assign, callOf, id } from "../../typescript/build.js";
import { isName } from "../../typescript/facts.js";
import { mapBlocks } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { iterationsOf } from "../analysis/counting.js";
import type { Surroundings } from "../analysis/purity.js";
import { surveyed } from "../analysis/survey.js";

/** The function of the runtime that makes a cell. */
export const cellMaker = "lists.listCell";

export function withCellsOfLists(fn: TsFunction, { nameOf }: Surroundings): TsFunction {
  const maker = nameOf(cellMaker);
  if (maker === null) return fn;
  const isUsedOnce = (name: string): boolean => surveyed(fn).variables.get(name)?.reads === 1;
  const made = (stmt: TsStmt): TsStmt => {
    const iterations = stmt.kind === "for" ? iterationsOf(stmt) : null;
    if (stmt.kind !== "for" || iterations === null) return stmt;
    const [before, next] = [stmt.body.at(-2), stmt.body.at(-1)];
    if (next?.kind !== "expr" || next.expr.kind !== "assign" || next.expr.op !== "=") return stmt;
    const { target, value } = next.expr;
    const isNamed = before?.kind === "const" && typeof before.target === "string" && isName(value, before.target) && isUsedOnce(before.target); // prettier-ignore
    const parts = cellIn(isNamed ? before.init : value);
    if (parts?.rest.kind !== "id" || !isName(target, parts.rest.name)) return stmt;
    const { tag, head, rest } = parts;
    const cell = assign(rest, callOf(id(maker), tag, head, rest, iterations));
    return { ...stmt, body: [...stmt.body.slice(0, isNamed ? -2 : -1), cell] };
  };
  return mapBlocks(fn, (body) => mapSame(body, made));
}

interface CellParts {
  readonly tag: TsExpr;
  readonly head: TsExpr;
  readonly rest: TsExpr;
}

/** The parts of `{ tag, _0, _1 }`. */
function cellIn(expr: TsExpr): CellParts | null {
  if (expr.kind !== "object" || expr.fields.map(({ name }) => name).join() !== "tag,_0,_1") return null;
  const [tag, head, rest] = expr.fields.map(({ value }) => value);
  return tag === undefined || head === undefined || rest === undefined ? null : { tag, head, rest };
}
