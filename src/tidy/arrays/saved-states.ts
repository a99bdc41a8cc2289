// The layout of saved states: an array of structures as one block.
//
// Arrays of one size that the iterations of a loop make and keep for the reverse sweep are rows of one array, and no objects: where a row begins is enough to
// read and write its elements.
//
//   const ySaved = new Array(n); let y = x;
//   for (let i = 0; i < n; i++) { ySaved[i] = y; const y1 = new Float64Array(m); .. y1[j] = f(y[j]) ..; y = y1; }
//   ..
//   const y = ySaved[i]; .. y[j] ..
//     =>
//   const ySaved = new Float64Array((n + 1) * m); ySaved.set(x);
//   for (let i = 0; i < n; i++) { const row = i * m; const next = row + m; .. ySaved[next + j] = f(ySaved[row + j]) .. }
//   ..
//   const row = i * m; .. ySaved[row + j] ..
//
// What an iteration keeps of its own, `ySaved[i] = y1`, is the row with the number of the iteration.

import { binary, number } from "../../typescript/build.js";
import { savedOnce } from "../../typescript/called.js";
import { isMath, isName, isNumber, isSameExpr } from "../../typescript/facts.js";
import { mapBlocks, visitStatements } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import type { Bindings } from "../analysis/bindings.js";
import { arrayMadeBy, countsUpTo, isElement, isNewArray, tableMadeBy, type For } from "../analysis/counting.js";
import { assignedFrom, declares, jumps, mentionsIn } from "../analysis/mentions.js";
import { partsIn, type Parts } from "../analysis/parts.js";
import type { Surroundings } from "../analysis/purity.js";
import { lengthsIn, sizesOf } from "../analysis/array-sizes.js";
import { surveyed } from "../analysis/survey.js";
import { inOneArray, withoutTwins, type Keeping, type Trajectory } from "./row-offsets.js";

type Const = TsStmt & { readonly kind: "const" };
type Let = TsStmt & { readonly kind: "let" };

export function withTrajectories(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  const { variables } = surveyed(fn);
  const isSize = sizesOf(fn, surroundings);
  const lengths = lengthsIn(fn);

  /** What the arrays that a statement of a loop makes are to it; null where something else is done with them than with elements. */
  const trajectoryOf = (stmt: TsStmt, loop: For, body: readonly TsStmt[]): Trajectory | null => {
    const made = arrayMadeBy(stmt);
    if (made === null || !isSize(made.size)) return null;
    const { array, size } = made;
    if (size.kind === "id" && declares(loop, size.name)) return null;
    const carried = carriedFrom(array, loop, body);
    const main = keepingOf(carried?.name ?? array, loop, body);
    const own = carried === null ? null : keepingOf(array, loop, body);
    if (main === null) return null;
    const parts = partsIn(body);
    if (carried !== null) {
      const { others, writes } = parts(carried.name);
      if (!isOwn(carried.first, size, body) || others !== 2 || writes !== 0) return null;
    }
    const [inMain, inOwn] = [takenFrom(main.store, body), takenFrom(own?.store ?? "", body)];
    const later = [...inOwn].map(([name, index]) => [name, binary("+", index, number(1))] as const);
    const taken = new Map([...inMain, ...later]);
    const isWhole =
      parts(array).others === (own === null ? 1 : 2) &&
      [main, own].every((each) => each === null || isFilledOnce(parts(each.store), each === main ? inMain : inOwn)) &&
      [...taken.keys()].every((name) => parts(name).others === 0 && parts(name).writes === 0);
    return isWhole ? { loop, made, main, own, carried, taken } : null;
  };

  /** Where each iteration of a loop keeps an array; null where it does not, or not all iterations have a place. */
  const keepingOf = (array: string, loop: For, body: readonly TsStmt[]): Keeping | null => {
    const stmt = loop.body.find((each) => keptIn(each, loop, array) !== null);
    const store = stmt === undefined ? null : keptIn(stmt, loop, array);
    const saved = body.find((each): each is Const => each.kind === "const" && each.target === store);
    const count = saved === undefined ? null : countOf(saved, loop);
    if (stmt === undefined || store === null || saved === undefined || count === null) return null;
    const before = body.slice(body.indexOf(saved) + 1, body.indexOf(loop));
    return mentionsIn(before, store) ? null : { stmt, saved, store, count };
  };

  /** The variable that begins each iteration with the array of the one before, and does not change otherwise. */
  const carriedFrom = (array: string, loop: For, body: readonly TsStmt[]): Trajectory["carried"] => {
    const handing = loop.body.find((stmt) => assignedFrom(stmt, array) !== null);
    const name = handing === undefined ? null : assignedFrom(handing, array);
    const first = body.find((stmt): stmt is Let => stmt.kind === "let" && stmt.name === name);
    if (handing === undefined || name === null || first?.init == null || variables.get(name)?.writes !== 1) return null;
    const isUsed = mentionsIn(body.slice(body.indexOf(first) + 1, body.indexOf(loop)), name);
    const isUsedBehind = mentionsIn(loop.body.slice(loop.body.indexOf(handing) + 1), name);
    return isUsed || isUsedBehind ? null : { name, first, handing };
  };

  /** How many iterations a loop has, if an array of arrays has as many elements, and nothing changes that number. */
  const countOf = (saved: Const, loop: For): TsExpr | null => {
    const iterations = countsUpTo(loop);
    const count = tableMadeBy(saved)?.size;
    if (iterations === null || count === undefined || variables.get(loop.name)?.writes !== 1) return null;
    if (iterations.kind !== "number" && !(iterations.kind === "id" && variables.get(iterations.name)?.writes === 0))
      return null;
    const [low, zero] = isMaximum(count) ? count.args : [count, number(0)];
    const isSame = low !== undefined && zero !== undefined && isNumber(zero, 0) && isSameExpr(low, iterations); // prettier-ignore
    return isSame ? count : null;
  };

  /** Whether what a variable begins with has a size, and nothing changes it from then on. */
  const isOwn = (first: Let, size: TsExpr, body: readonly TsStmt[]): boolean => {
    const { init } = first;
    if (init !== null && isNewArray(init)) return init.args.length === 1 && isSameExpr(init.args[0], size);
    if (init?.kind !== "id") return false;
    const { name } = init;
    const maker = body.find((stmt) => arrayMadeBy(stmt)?.array === name);
    const isOfSize = maker === undefined ? size.kind === "id" && lengths.get(size.name) === name : isSameExpr(arrayMadeBy(maker)?.size, size); // prettier-ignore
    const isConstant = variables.get(name)?.writes === 0;
    const others = partsIn(fn.body)(name).others;
    return isOfSize && isConstant && (maker === undefined || others === 1) && partsIn(body.slice(body.indexOf(first)))(name).writes === 0; // prettier-ignore
  };

  const firstIn = (loop: TsStmt | undefined, body: readonly TsStmt[]): Trajectory | null => {
    if (loop?.kind !== "for" || countsUpTo(loop) === null || jumps(loop.body)) return null;
    for (const stmt of loop.body) {
      const found = trajectoryOf(stmt, loop, body);
      if (found !== null) return found;
    }
    return null;
  };

  const indices = new Set<string>();
  const fresh = (wanted: string): string => {
    const name = bindings.fresh(wanted);
    indices.add(name);
    return name;
  };
  const left = mapBlocks(fn, (body) => {
    let out = body;
    for (let at = 0; at < out.length; at++) {
      for (let found = firstIn(out[at], out); found !== null; found = firstIn(out[at], out)) {
        const { loop, main } = found;
        out = inOneArray(found, out, fresh);
        // Statements have come and gone in front of the loop
        at = out.findIndex((stmt) => stmt.kind === "for" && stmt.name === loop.name);
        bindings.rename(main.store, savedOnce(bindings.wanted(main.store)));
      }
    }
    return out;
  });
  return indices.size === 0 ? fn : withoutTwins(left, indices);
}

/** Where statements take elements out of an array of arrays: by variable the index. */
function takenFrom(store: string, body: readonly TsStmt[]): ReadonlyMap<string, TsExpr> {
  const taken = new Map<string, TsExpr>();
  visitStatements(body, (stmt) => {
    if (stmt.kind !== "const" || typeof stmt.target !== "string" || stmt.init.kind !== "index") return;
    if (isName(stmt.init.object, store)) taken.set(stmt.target, stmt.init.index);
  });
  return taken;
}

/** Whether one statement sets the elements of an array, and all that reads them takes them out. */
function isFilledOnce({ reads, writes, others }: Parts, taken: ReadonlyMap<string, TsExpr>): boolean {
  return others === 0 && writes === 1 && reads === taken.size;
}

function isMaximum(expr: TsExpr): expr is TsExpr & { readonly kind: "call" } {
  return expr.kind === "call" && isMath(expr.fn) && expr.fn.kind === "member" && expr.fn.name === "max";
}

/** The array in which an iteration of a loop keeps another one under its number; null where a statement does something else. */
function keptIn(stmt: TsStmt, loop: For, kept: string): string | null {
  if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op !== "=") return null;
  const { target, value } = stmt.expr;
  if (target.kind !== "index" || target.object.kind !== "id" || !isName(value, kept)) return null;
  return isElement(target, target.object.name, loop.name) ? target.object.name : null;
}
