// Allocation hoisting into one block.
//
// Arrays of one size that the iterations of a loop make, and that stay inside, are rows of one array. V8 takes longer to make an array of fifty numbers than
// to fill it.
//
//   const ySaved = new Array(n);
//   for (let i = 0; i < n; i++) { const y1 = new Float64Array(m); ..; ySaved[i] = y1; }
//     =>
//   const ySaved = new Array(n); const y1Rows = new Float64Array(n * m);
//   for (let i = 0; i < n; i++) { const y1 = y1Rows.subarray(i * m, (i + 1) * m); ..; ySaved[i] = y1; }
//
// What leaves the function is no row: who sends one row to a worker would send them all.

import { binary, callOf, id, member, number } from "../../typescript/build.js";
import { calledPlainly, nameOf } from "../../typescript/called.js";
import { isSameExpr } from "../../typescript/facts.js";
import { mapBlocks, visitStatements } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import type { Bindings } from "../analysis/bindings.js";
import { arrayMadeBy, countsUpTo, tableMadeBy, type For } from "../analysis/counting.js";
import { Flows } from "../analysis/array-flows.js";
import { innerLoops } from "../analysis/loops.js";
import { declares, jumps } from "../analysis/mentions.js";
import type { Surroundings } from "../analysis/purity.js";
import { sizesOf } from "../analysis/array-sizes.js";
import { surveyed } from "../analysis/survey.js";
import { isNameless } from "../names/saved-names.js";

/** V8 keeps arrays of so many numbers among its other objects, and makes them fast. */
export const largestSmall = 8;

export function withRows(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  const { variables } = surveyed(fn);
  const isSize = sizesOf(fn, surroundings);
  let known: Flows | null = null;
  const flows = (): Flows => (known ??= new Flows(fn, surroundings));

  /** The size of the arrays that a statement of a loop makes, and how many iterations keep one; null where that is not known, or something takes them out. */
  const rowsOf = (
    stmt: TsStmt,
    loop: For,
    before: readonly TsStmt[],
  ): { readonly size: TsExpr; readonly count: TsExpr } | null => {
    const made = arrayMadeBy(stmt);
    if (made === null) return null;
    const { array, size } = made;
    const isSmall = size.kind === "number" && size.value <= largestSmall;
    if (isSmall || !isSize(size) || (size.kind === "id" && declares(loop, size.name))) return null;
    const reached = flows().from(array);
    const iterations = countsUpTo(loop);
    if (reached === null || iterations === null) return null;
    const sizes = [iterations, callOf(member(id("Math"), "max"), iterations, number(0))];
    const count = before
      .map((each) => keptCount(each, reached))
      .find((kept) => sizes.some((each) => isSameExpr(each, kept)));
    return count == null ? null : { size, count };
  };

  // Arrays of inner loops are parts of larger ones (arena.ts), which small ones are not
  const inner = innerLoops(fn);
  return mapBlocks(fn, (body) => {
    let out = body;
    for (const loop of body) {
      if (loop.kind !== "for" || inner.has(loop) || countsUpTo(loop) === null || variables.get(loop.name)?.writes !== 1 || jumps(loop.body)) continue; // prettier-ignore
      const at = out.indexOf(loop);
      const made: TsStmt[] = [];
      const inside = loop.body.map((stmt) => {
        const found = rowsOf(stmt, loop, out.slice(0, at));
        if (found === null || stmt.kind !== "const") return stmt;
        const { size, count } = found;
        const rows = bindings.fresh({ of: "rows", as: [], isOwn: true });
        const buffer: TsExpr = { kind: "new", fn: id("Float64Array"), args: [binary("*", count, size)] };
        made.push({ kind: "const", target: rows, type: null, init: buffer });
        const [from, to] = [id(loop.name), binary("+", id(loop.name), number(1))].map((row) => binary("*", row, size));
        const row = from === undefined || to === undefined ? stmt.init : callOf(member(id(rows), "subarray"), from, to);
        return { ...stmt, init: row };
      });
      if (made.length === 0) continue;
      out = [...out.slice(0, at), ...made, { ...loop, body: inside }, ...out.slice(at + 1)];
    }
    return out;
  });
}

/** Calls rows after what they are, when that has its name. */
export function nameRows(fn: TsFunction, bindings: Bindings): void {
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind !== "const" || typeof stmt.target !== "string" || stmt.init.kind !== "call") return;
    const { fn: method } = stmt.init;
    const wanted = bindings.wanted(stmt.target);
    if (method.kind !== "member" || method.name !== "subarray" || method.object.kind !== "id") return;
    const isUnnamed = bindings.wanted(method.object.name).isOwn === true;
    if (isUnnamed && !isNameless(wanted, bindings))
      bindings.rename(method.object.name, calledPlainly(`${nameOf(wanted)}Rows`));
  });
}

/** How many elements an array of arrays has that a statement makes, if it is one of some. */
function keptCount(stmt: TsStmt, names: ReadonlySet<string>): TsExpr | null {
  const made = tableMadeBy(stmt);
  return made !== null && names.has(made.array) ? made.size : null;
}
