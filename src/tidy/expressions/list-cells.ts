// The cells of a list that a loop makes are made by a function: it makes what the literal makes, in memory that is collected more cheaply.
//
//   for (let i = n - 1; i >= 0; i--) {                         for (let i = n - 1; i >= 0; i--) {
//     const cell = { tag: "Cons", _0: x[i], _1: rest };          rest = listCell("Cons", x[i], rest, n);
//     rest = cell;                                             }
//   }

import { mapSame } from "../../same.js";
import { assign, callOf, id } from "../../typescript/build.js";
import { isName } from "../../typescript/facts.js";
import { mapBlocks } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { roundsOf } from "../analysis/counting.js";
import type { Surroundings } from "../analysis/purity.js";
import { surveyed } from "../analysis/survey.js";

/** The function of the runtime that makes a cell. */
export const cellMaker = "lists.listCell";

export function withCellsOfLists(fn: TsFunction, { nameOf }: Surroundings): TsFunction {
  const maker = nameOf(cellMaker);
  if (maker === null) return fn;
  const isUsedOnce = (name: string): boolean => surveyed(fn).variables.get(name)?.reads === 1;
  const made = (stmt: TsStmt): TsStmt => {
    const rounds = stmt.kind === "for" ? roundsOf(stmt) : null;
    if (stmt.kind !== "for" || rounds === null) return stmt;
    const [cell, next] = stmt.body.slice(-2);
    if (cell?.kind !== "const" || next === undefined || typeof cell.target !== "string" || !isUsedOnce(cell.target))
      return stmt;
    const parts = cellIn(cell.init);
    if (parts === null || !isNextRest(next, cell.target, parts.rest)) return stmt;
    const { tag, head, rest } = parts;
    return { ...stmt, body: [...stmt.body.slice(0, -2), assign(rest, callOf(id(maker), tag, head, rest, rounds))] };
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

/** Whether a statement puts a cell in the place of the list that it holds. */
function isNextRest(stmt: TsStmt, cell: string, rest: TsExpr): boolean {
  if (rest.kind !== "id" || stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op !== "=") return false;
  return isName(stmt.expr.target, rest.name) && isName(stmt.expr.value, cell);
}
