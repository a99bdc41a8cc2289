// Double buffering of rows.
//
// Where each iteration of a loop makes an array of rows out of the one before, and nothing keeps that, the rows of two such arrays take turns, whatever the loop begins with.
//
//   let y = x;
//   for (..) { const y1 = new Array(n); for (j < n) { const row = new Float64Array(m); .. y[j] ..; y1[j] = row; } y = y1; }
//     =>
//   let y = x; let spare = []; let spare1 = [];
//   for (..) { const y1 = spare; for (j < n) { const row = rowAgain(y1, j, m); .. y[j] ..; y1[j] = row; } spare = spare1; spare1 = y1; y = y1; }
//
// The rows of an array that each iteration makes for a function alone, which keeps nothing of it, are those of the first iteration:
//
//   for (..) { const y = new Array(n); for (j < n) { const row = new Float64Array(m); ..; y[j] = row; } .. f(y) .. }
//     =>   const y = []; for (..) { for (j < n) { const row = rowAgain(y, j, m); ..; y[j] = row; } .. f(y) .. }
//
// So do the stores of zeros that a reverse sweep makes for them: `zeroRows(ySaved[i])`, which becomes `zeroRowsAgain(spare, ySaved[i])`.

import { array, assigned, callOf, constant, id, member, number, typeName } from "../../typescript/build.js";
import { isSameExpr } from "../../typescript/facts.js";
import { mapBlocks } from "../../typescript/traverse.js";
import type { TsFunction, TsStmt } from "../../typescript/tree.js";
import type { Bindings } from "../analysis/bindings.js";
import {
  arrayMadeBy,
  countsUpTo,
  fillingOf,
  isElement,
  tableMadeBy,
  type ArrayMade,
  type For,
} from "../analysis/counting.js";
import { confinedUses } from "../analysis/lending.js";
import { assignedFrom, declares, jumps } from "../analysis/mentions.js";
import { isLoop, type Loop } from "../analysis/loops.js";
import { isCallOf, type Surroundings } from "../analysis/purity.js";
import { surveyed } from "../analysis/survey.js";
import { usesIn } from "../analysis/uses.js";

/** The functions of the runtime that give memory again. */
export const rowMakers = { row: "adjoint.rowAgain", zeros: "adjoint.zeroRowsAgain" } as const;

type Const = TsStmt & { readonly kind: "const" };

/** An array of rows that each iteration of a loop makes. */
interface Made {
  readonly stmt: Const;
  readonly name: string;
  /** How its rows are made: one after the other in a loop, or all at once. */
  readonly filled: Filled | null;
  /** Where the next iteration gets it; null where that gets nothing, and functions are lent it. */
  readonly handed: TsStmt | null;
}

interface Filled {
  readonly loop: For;
  readonly row: ArrayMade;
  readonly stored: TsStmt;
}

export function withRowsSwapped(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  const [rowAgain, zeroRowsAgain] = [rowMakers.row, rowMakers.zeros].map((maker) => surroundings.nameOf(maker) ?? null);
  if (rowAgain == null || zeroRowsAgain == null) return fn;
  const { variables } = surveyed(fn);

  /** How the rows of an array are made that a statement of a loop makes; undefined where they are not, or not all. */
  const fillingIn = (stmt: TsStmt, loop: Loop): Filled | null | undefined => {
    if (stmt.kind !== "const" || typeof stmt.target !== "string") return undefined;
    const { target, init } = stmt;
    if (isCallOf(init, "adjoint.zeroRows", surroundings)) return null;
    const size = tableMadeBy(stmt)?.size;
    const isFixed = size?.kind === "number" || (size?.kind === "id" && variables.get(size.name)?.writes === 0 && !declares(loop, size.name)); // prettier-ignore
    if (size === undefined || !isFixed) return undefined;
    for (const inner of loop.body) {
      if (inner.kind !== "for" || !isSameExpr(countsUpTo(inner), size) || jumps(inner.body)) continue;
      const stored = inner.body.find((each) => rowStoredBy(each, target, inner.name) !== null);
      const made = stored && inner.body.map(arrayMadeBy).find((row) => row?.array === rowStoredBy(stored, target, inner.name)); // prettier-ignore
      if (stored !== undefined && made != null && usesIn(made.array, inner.body, surroundings).others === 1)
        return { loop: inner, row: made, stored };
    }
    return undefined;
  };

  const madeIn = (stmt: TsStmt, loop: Loop): Made | null => {
    const filled = fillingIn(stmt, loop);
    if (filled === undefined || stmt.kind !== "const" || typeof stmt.target !== "string") return null;
    const name = stmt.target;
    const handed = loop.body.find((each) => assignedFrom(each, name) !== null) ?? null;
    const known = new Set([stmt, ...(handed === null ? [] : [handed]), ...(filled === null ? [] : [filled.stored])]);
    const usesOf = (rows: string): ReturnType<typeof confinedUses> => confinedUses(rows, [loop], surroundings, known);
    const uses = usesOf(name);
    if (uses === null) return null;
    const to = handed === null ? null : assignedFrom(handed, name);
    if (to === null) return uses.lent === 0 ? null : { stmt, name, filled, handed };
    return variables.get(to)?.writes === 1 && !declares(loop, to) && usesOf(to) !== null ? { stmt, name, filled, handed } : null; // prettier-ignore
  };

  /** A loop whose iterations take rows that are there, and the variables in which they find them: two that take turns, or the one that all fill again. */
  const reused = (loop: Loop, { stmt, name, filled, handed }: Made): readonly TsStmt[] => {
    const spares = handed === null ? [name] : [bindings.fresh("spare"), bindings.fresh("spare")];
    const [spare = name, other = name] = spares;
    const [zeroed] = filled === null && stmt.init.kind === "call" ? stmt.init.args : [];
    const init = zeroed === undefined ? id(spare) : callOf(id(zeroRowsAgain), id(spare), zeroed);
    const body = loop.body.flatMap((each): readonly TsStmt[] => {
      if (each === stmt && handed !== null) return [{ ...stmt, init }];
      if (each === stmt) return zeroed === undefined ? [] : [assigned(name, init)];
      if (each === handed) return [assigned(spare, id(other)), assigned(other, id(name)), each];
      return each === filled?.loop ? [{ ...filled.loop, body: filled.loop.body.flatMap(rowIn(name, filled)) }] : [each];
    });
    const type = typeName("Array", typeName("Float64Array"));
    const isConstant = handed === null && zeroed === undefined;
    const empty = spares.map((each): TsStmt => isConstant ? constant(each, type, array([])) : { kind: "let", name: each, type, init: array([]) }); // prettier-ignore
    return [...empty, { ...loop, body }];
  };

  const rowIn =
    (rows: string, { loop, row }: Filled) =>
    (stmt: TsStmt): readonly TsStmt[] => {
      if (stmt !== row.stmt) return [stmt];
      const again: TsStmt = { ...row.stmt, init: callOf(id(rowAgain), id(rows), id(loop.name), row.size) };
      const others = loop.body.filter((each) => each !== stmt);
      const filling = fillingOf(others, row.array);
      const isFilled = filling !== null && isSameExpr(filling.iterations, row.size);
      return isFilled ? [again] : [again, { kind: "expr", expr: callOf(member(id(row.array), "fill"), number(0)) }];
    };

  return mapBlocks(fn, (body) =>
    body.flatMap((stmt): readonly TsStmt[] => {
      if (!isLoop(stmt)) return [stmt];
      let out: readonly TsStmt[] = [stmt];
      for (const each of stmt.body) {
        const loop = out.at(-1);
        if (loop?.kind !== stmt.kind) break;
        const made = madeIn(each, loop);
        if (made !== null) out = [...out.slice(0, -1), ...reused(loop, made)];
      }
      return out;
    }),
  );
}

/** `row`, of `rows[index] = row`. */
function rowStoredBy(stmt: TsStmt, rows: string, index: string): string | null {
  if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op !== "=") return null;
  const { target, value } = stmt.expr;
  return isElement(target, rows, index) && value.kind === "id" ? value.name : null;
}
