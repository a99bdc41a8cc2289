// Allocation hoisting where each iteration makes an array of another length: one that is as long as the longest so far.
//
//   for (..) { const n = row.length; const s = new Float64Array(n); for (i < n) { s[i] = e; .. } for (i < n) { .. s[i] .. } }
//     =>
//   let s = new Float64Array(8); for (..) { const n = row.length; if (s.length < n) s = new Float64Array(n); for (i < n) { s[i] = e; .. } .. }
//
// Nothing else than elements may be used, and where they are not all set before they are read, those of the iteration are emptied.

import { binary, callOf, id, lengthAlone, member, number } from "../../typescript/build.js";
import { isName } from "../../typescript/facts.js";
import {
  mapBlocks,
  mapExpressions,
  mapParts,
  replaced,
  visitExpressions,
  visitStatements,
} from "../../typescript/traverse.js";
import { locatedCode } from "../../typescript/locate.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { location } from "../../location.js";
import { sizesOf } from "../analysis/array-sizes.js";
import { arrayMadeBy } from "../analysis/counting.js";
import { fillingsIn } from "../analysis/fillings.js";
import { declares } from "../analysis/mentions.js";
import { innerLoops, isLoop } from "../analysis/loops.js";
import { isCallOf, type Surroundings } from "../analysis/purity.js";
import { usesIn } from "../analysis/uses.js";
import { commentOn } from "./row-offsets.js";

/** What an array is long from the beginning: V8 makes such a one fast. */
const shortest = 8;

export function withLongestArrays(fn: TsFunction, surroundings: Surroundings): TsFunction {
  const isSize = sizesOf(fn, surroundings);
  const { isFilledWhole } = fillingsIn(fn, surroundings);

  /** By the name of an array that is as long as the longest how long that of the iteration is. */
  const sizes = new Map<string, TsExpr>();

  /** What says that an index is out of range, of an array of the iteration. */
  const told = (expr: TsExpr): TsExpr => {
    const [array, ...others] = isCallOf(expr, "arrays.outside", surroundings) ? expr.args : [];
    const size = array?.kind === "id" ? sizes.get(array.name) : undefined;
    return size === undefined || expr.kind !== "call" ? expr : { ...expr, args: [lengthAlone(size), ...others] };
  };

  /** What an iteration of a loop does in place of a statement of a block; null where that makes no array of a length of its own. */
  const instead = (stmt: TsStmt, block: readonly TsStmt[], loop: TsStmt): readonly TsStmt[] | null => {
    const made = arrayMadeBy(stmt);
    if (made === null) return null;
    const { array, size } = made;
    const of = size.kind === "member" ? size.object : size;
    if (of.kind !== "id" || !declares(loop, of.name) || !(size.kind === "member" ? size.name === "length" : isSize(size))) return null; // prettier-ignore
    const { elements, others } = usesIn(array, block, surroundings);
    if (others > 0 || elements !== elementsIn(block, array)) return null;
    sizes.set(array, size);
    const longer: TsStmt = { kind: "expr", expr: { kind: "assign", op: "=", target: id(array), value: { kind: "new", fn: id("Float64Array"), args: [size] } } }; // prettier-ignore
    const enough: TsStmt = {
      kind: "if",
      test: binary("<", member(id(array), "length"), size),
      then: [longer],
      else: [],
    };
    const emptied: TsStmt = { kind: "expr", expr: callOf(member(id(array), "fill"), number(0), number(0), size) };
    return isFilledWhole(block, array, size) ? [enough] : [enough, emptied];
  };

  const hoisted = (loop: TsStmt): readonly TsStmt[] => {
    if (hasFunctions(loop)) return [loop];
    const made: TsStmt[] = [];
    const inside = mapBlocks({ ...fn, body: [loop] }, (block) => {
      const gone = new Set<TsStmt>();
      const out = replaced(block, (stmt) => {
        const other = instead(stmt, block, loop);
        if (other === null || stmt.kind !== "const" || typeof stmt.target !== "string") return stmt;
        const comment = commentOn(stmt, block);
        const init: TsStmt = { kind: "let", name: stmt.target, type: stmt.type, init: { kind: "new", fn: id("Float64Array"), args: [number(shortest)] } }; // prettier-ignore
        made.push(...(comment === undefined ? [] : [comment]), ...locatedCode([init], stmt[location]));
        if (comment !== undefined) gone.add(comment);
        return locatedCode(other, stmt[location]);
      });
      return gone.size === 0 ? out : out.filter((stmt) => !gone.has(stmt));
    });
    return made.length === 0 ? [loop] : [...made, ...mapExpressions(inside, (expr, rewriting) => told(mapParts(expr, rewriting))).body]; // prettier-ignore
  };

  const inner = innerLoops(fn);
  return mapBlocks(fn, (body) => replaced(body, (stmt) => (isLoop(stmt) && !inner.has(stmt) ? hoisted(stmt) : stmt)));
}

/** Whether a statement has functions in it, which may run at any time. */
function hasFunctions(stmt: TsStmt): boolean {
  let found = false;
  visitStatements([stmt], ({ kind }) => {
    if (kind === "function") found = true;
  });
  visitExpressions([stmt], ({ kind }) => {
    if (kind === "arrow") found = true;
  });
  return found;
}

/** How often statements read or set elements of an array. */
function elementsIn(stmts: readonly TsStmt[], array: string): number {
  let count = 0;
  visitExpressions(stmts, (expr) => {
    if (expr.kind === "index" && isName(expr.object, array)) count++;
  });
  return count;
}
