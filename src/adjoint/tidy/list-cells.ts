// The cells of a list that a loop makes are made by a function: it makes what the literal makes, in memory that is collected more cheaply.
//
//   for (let i = n - 1; i >= 0; i--) {                         for (let i = n - 1; i >= 0; i--) {
//     const cell = { tag: "Cons", _0: x[i], _1: rest };          const cell = listCell("Cons", x[i], rest, n);
//     rest = cell;                                               rest = cell;
//   }                                                          }

import { mapSame } from "../../same.js";
import { callOf, id } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { mapBlocks } from "./blocks.js";
import { isName, roundsOf, type For } from "./counting.js";
import type { Surroundings } from "./purity.js";

/** The function of the runtime that makes a cell. */
export const cellMaker = "lists.listCell";

export function withCellsOfLists(fn: TsFunction, { nameOf }: Surroundings): TsFunction {
  const maker = nameOf(cellMaker);
  if (maker === null) return fn;
  const made = (stmt: TsStmt): TsStmt => {
    const rounds = stmt.kind === "for" ? roundsOf(stmt) : null;
    if (stmt.kind !== "for" || rounds === null) return stmt;
    const body = mapSame(stmt.body, (inner) => {
      const parts = inner.kind === "const" ? cellIn(inner.init) : null;
      if (parts === null || inner.kind !== "const" || !isNextRest(stmt, inner.target, parts.rest)) return inner;
      return { ...inner, init: callOf(id(maker), parts.tag, parts.head, parts.rest, rounds) };
    });
    return body === stmt.body ? stmt : { ...stmt, body };
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

/** Whether a round ends with a cell in the place of the list that it holds. */
function isNextRest({ body }: For, cell: string | readonly unknown[], rest: TsExpr): boolean {
  const last = body.at(-1);
  if (typeof cell !== "string" || rest.kind !== "id") return false;
  if (last?.kind !== "expr" || last.expr.kind !== "assign" || last.expr.op !== "=") return false;
  return isName(last.expr.target, rest.name) && isName(last.expr.value, cell);
}
