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

import { callOf, id, member, number, unary } from "../../typescript/build.js";
import { isName, isSameExpr } from "../../typescript/facts.js";
import { mapBlocks, replaced, visitExpressions, withBody } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { mapBranches } from "../analysis/branches.js";
import { arrayMadeBy, elementsOf, iterationsOf, setsEach, type For } from "../analysis/counting.js";
import { fillingsIn } from "../analysis/fillings.js";
import { isConfined } from "../analysis/lending.js";
import { declares, mentionsIn } from "../analysis/mentions.js";
import type { Surroundings } from "../analysis/purity.js";
import { lengthsIn, sizesOf } from "../analysis/array-sizes.js";
import { surveyed } from "../analysis/survey.js";
import { withLongestArrays } from "./longest-arrays.js";
import { commentOn } from "./row-offsets.js";

export function withArraysReused(fn: TsFunction, surroundings: Surroundings, isExported: boolean): TsFunction {
  return withLongestArrays(withArraysMadeOnce(fn, surroundings, isExported), surroundings);
}

function withArraysMadeOnce(fn: TsFunction, surroundings: Surroundings, isExported: boolean): TsFunction {
  const { variables } = surveyed(fn);
  const lengths = lengthsIn(fn);
  const isSize = sizesOf(fn, surroundings);
  const { isFixed, isFilledWhole } = fillingsIn(fn, surroundings);

  /** Arrays whose elements at literal indices each iteration sets, and of whose others none is set. */
  const known = new Set<string>();

  /** Arrays that a loop further in need not make in every iteration. */
  const reused = new Set<string>();

  /** What an iteration does in place of a statement, where that makes an array which all iterations may use; null where they may not. */
  const instead = (stmt: TsStmt, block: readonly TsStmt[], loop: For, isBody: boolean): readonly TsStmt[] | null => {
    const made = arrayMadeBy(stmt);
    if (made === null) return null;
    const { array, size } = made;
    if (!isBody && (size.kind !== "id" || !lengths.has(size.name))) return null;
    const of = size.kind === "member" ? size.object : size;
    const isLength = size.kind === "member" && size.name === "length" && isFixed(of);
    if (!(isLength || isSize(size)) || (of.kind === "id" && declares(loop, of.name))) return null;
    const users = block.filter((inner): inner is For => inner.kind === "for" && elementsOf(inner, array) > 0);
    const used = users.reduce((sum, inner) => sum + elementsOf(inner, array), 0);
    if (used === variables.get(array)?.reads && isFilledFirst(users, array, isFixed)) return [];
    if (reused.has(array)) return [];
    if (!isConfined(array, block, surroundings)) return null;
    return isFilledWhole(block, array, size) || known.has(array)
      ? []
      : [{ kind: "expr", expr: callOf(member(id(array), "fill"), number(0)) }];
  };

  const hoisted = (body: readonly TsStmt[], within: typeof mapBranches): readonly TsStmt[] =>
    replaced(body, (loop) => {
      if (loop.kind !== "for") return loop;
      const made: TsStmt[] = [];
      const inside = within(loop.body, (whole) => {
        const here: TsStmt[] = [];
        let block = whole;
        for (const stmt of whole) {
          const array = arrayMadeBy(stmt)?.array;
          const set = array === undefined ? null : withElementsSet(block, array);
          if (set === null || array === undefined) continue;
          known.add(array);
          block = set;
        }
        const out = replaced(block, (stmt) => {
          const other = instead(stmt, block, loop, whole === loop.body);
          if (other === null) return stmt;
          const comment = commentOn(stmt, block);
          here.push(...(comment === undefined ? [] : [comment]), stmt);
          if (stmt.kind === "const" && typeof stmt.target === "string") reused.add(stmt.target);
          return other;
        });
        made.push(...here);
        return here.length === 0 ? whole : out.filter((stmt) => !here.includes(stmt));
      });
      return made.length === 0 ? loop : [...made, { ...loop, body: inside }];
    });

  const outside = mapBlocks(fn, (body) => hoisted(body, (block, change) => change(block)));
  return isExported ? withBody(outside, hoisted(outside.body, mapBranches)) : outside;
}

/**
 * An iteration that sets elements at literal indices where it adds to them first; null where it does anything else to elements of the array, or reads some before
 * all of these are set.
 */
function withElementsSet(block: readonly TsStmt[], array: string): readonly TsStmt[] | null {
  const first = new Map<number, TsStmt>();
  let [last, additions] = [-1, 0];
  block.forEach((stmt, index) => {
    const place = placeAddedTo(stmt, array);
    if (place === null) return;
    additions++;
    if (first.has(place)) return;
    first.set(place, stmt);
    last = index;
  });
  let changes = 0;
  visitExpressions(block, (expr) => {
    if (expr.kind === "assign" && expr.target.kind === "index" && isName(expr.target.object, array)) changes++;
    if (expr.kind === "member" && isName(expr.object, array) && expr.name !== "length") changes = Infinity;
    // What a function is lent it may change
    if (expr.kind === "call" && expr.args.some((arg) => isName(arg, array))) changes = Infinity;
  });
  const before = block.slice(0, last).filter((stmt) => placeAddedTo(stmt, array) === null && arrayMadeBy(stmt)?.array !== array); // prettier-ignore
  if (last < 0 || changes !== additions || mentionsIn(before, array)) return null;
  const set = new Set(first.values());
  return block.map((stmt) => {
    if (!set.has(stmt) || stmt.kind !== "expr" || stmt.expr.kind !== "assign") return stmt;
    const { op, target, value } = stmt.expr;
    return {
      kind: "expr",
      expr: {
        kind: "assign",
        op: "=",
        target: { ...target, certain: false },
        value: op === "-=" ? unary("-", value) : value,
      },
    };
  });
}

/** The literal index of the element that a statement adds to, or sets; null where it does something else. */
function placeAddedTo(stmt: TsStmt, array: string): number | null {
  if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || !["=", "+=", "-="].includes(stmt.expr.op)) return null;
  const { target, value } = stmt.expr;
  if (target.kind !== "index" || !isName(target.object, array) || target.index.kind !== "number") return null;
  return mentionsIn([{ kind: "expr", expr: value }], array) ? null : target.index.value;
}

/** Whether the first loop of some that are all that uses an array sets the elements that the others, of as many iterations, use. */
function isFilledFirst(loops: readonly For[], array: string, isFixed: (count: TsExpr) => boolean): boolean {
  const [first] = loops;
  const iterations = first === undefined ? null : iterationsOf(first);
  if (first === undefined || iterations === null || !isFixed(iterations) || !setsEach(first, array)) return false;
  return loops.every((loop) => isSameExpr(iterationsOf(loop), iterations));
}
