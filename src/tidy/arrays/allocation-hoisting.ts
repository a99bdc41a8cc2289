// Allocation hoisting.
//
// An array that each iteration of a loop makes anew, and nothing keeps, is made once, and emptied where an iteration does not fill it before it reads it.
//
//   for (..) { const s = new Float64Array(n); for (i < n) { s[i] = e; .. } for (i < n) { .. s[i] .. } }
//     =>
//   const s = new Float64Array(n); for (..) { for (i < n) { s[i] = e; .. } for (i < n) { .. s[i] .. } }
//
//   for (..) { const s = new Float64Array(n); .. s[k] += e .. }
//     =>
//   const s = new Float64Array(n); for (..) { s.fill(0); .. s[k] += e .. }
//
// So is one that iterations make in a branch, which none may come to, where that is as long as an array that is there, and done once in a call from outside.

import { callOf, id, member, number } from "../../typescript/build.js";
import { isSameExpr } from "../../typescript/facts.js";
import { mapBlocks, replaced, withBody } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { mapBranches } from "../analysis/branches.js";
import { arrayMadeBy, elementsOf, fillingOf, iterationsOf, setsEach, type For } from "../analysis/counting.js";
import { declares } from "../analysis/mentions.js";
import type { Surroundings } from "../analysis/purity.js";
import { lengthsIn, oneMoreIn, sizesOf } from "../analysis/array-sizes.js";
import { surveyed } from "../analysis/survey.js";
import { usesIn } from "../analysis/uses.js";
import { commentOn } from "./row-offsets.js";

export function withArraysReused(fn: TsFunction, surroundings: Surroundings, isExported: boolean): TsFunction {
  const { variables } = surveyed(fn);
  const lengths = lengthsIn(fn);
  const isSize = sizesOf(fn, surroundings);
  const isOneMore = oneMoreIn(fn);
  const isFixed = (count: TsExpr): boolean =>
    count.kind === "number" || (count.kind === "id" && variables.get(count.name)?.writes === 0);

  /** Arrays that a loop further in need not make in every iteration. */
  const reused = new Set<string>();

  /** What an iteration does in place of a statement, where that makes an array which all iterations may use; null where they may not. */
  const instead = (stmt: TsStmt, block: readonly TsStmt[], loop: For): readonly TsStmt[] | null => {
    const made = arrayMadeBy(stmt);
    if (made === null) return null;
    const { array, size } = made;
    if (block !== loop.body && (size.kind !== "id" || !lengths.has(size.name))) return null;
    if (!isSize(size) || (size.kind === "id" && declares(loop, size.name))) return null;
    const users = block.filter((inner): inner is For => inner.kind === "for" && elementsOf(inner, array) > 0);
    const used = users.reduce((sum, inner) => sum + elementsOf(inner, array), 0);
    if (used === variables.get(array)?.reads && isFilledFirst(users, array, isFixed)) return [];
    if (reused.has(array)) return [];
    if (usesIn(array, block, surroundings).others > 0) return null;
    return isFilledWhole(block, array, size)
      ? []
      : [{ kind: "expr", expr: callOf(member(id(array), "fill"), number(0)) }];
  };

  /** Whether the first thing that statements do with an array is to set all its elements, one by one. */
  const isFilledWhole = (body: readonly TsStmt[], array: string, size: TsExpr): boolean => {
    const filling = fillingOf(body, array);
    if (filling === null || !isFixed(filling.iterations)) return false;
    const isWhole = isSameExpr(filling.iterations, size) || (filling.isOneMore && isOneMore(size, filling.iterations));
    return isWhole && usesIn(array, [filling.loop], surroundings).elements === elementsOf(filling.loop, array);
  };

  const hoisted = (body: readonly TsStmt[], within: typeof mapBranches): readonly TsStmt[] =>
    replaced(body, (loop) => {
      if (loop.kind !== "for") return loop;
      const made: TsStmt[] = [];
      const inside = within(loop.body, (block) => {
        const here: TsStmt[] = [];
        const out = replaced(block, (stmt) => {
          const other = instead(stmt, block, loop);
          if (other === null) return stmt;
          const comment = commentOn(stmt, block);
          here.push(...(comment === undefined ? [] : [comment]), stmt);
          if (stmt.kind === "const" && typeof stmt.target === "string") reused.add(stmt.target);
          return other;
        });
        made.push(...here);
        return here.length === 0 ? block : out.filter((stmt) => !here.includes(stmt));
      });
      return made.length === 0 ? loop : [...made, { ...loop, body: inside }];
    });

  const outside = mapBlocks(fn, (body) => hoisted(body, (block, change) => change(block)));
  return isExported ? withBody(outside, hoisted(outside.body, mapBranches)) : outside;
}

/** Whether the first loop of some that are all that uses an array sets the elements that the others, of as many iterations, use. */
function isFilledFirst(loops: readonly For[], array: string, isFixed: (count: TsExpr) => boolean): boolean {
  const [first] = loops;
  const iterations = first === undefined ? null : iterationsOf(first);
  if (first === undefined || iterations === null || !isFixed(iterations) || !setsEach(first, array)) return false;
  return loops.every((loop) => isSameExpr(iterationsOf(loop), iterations));
}
