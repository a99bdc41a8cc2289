// Coalescing of loop-carried copies.
//
// A new array that a variable is given, and that nothing looks at under its own name again, is that variable's from the beginning.
//
//   const a = new Float64Array(n); .. a[i] = e ..; let b = a; .. b = f ..        let b = new Float64Array(n); .. b[i] = e ..; .. b = f ..

import { id } from "../../typescript/build.js";
import {
  mapBlocks,
  mapExpressions,
  mapParts,
  visitParts,
  visitStmt,
  type Visiting,
} from "../../typescript/traverse.js";
import type { TsFunction, TsStmt } from "../../typescript/tree.js";
import { isLocal } from "../analysis/bindings.js";
import { isNewArray } from "../analysis/counting.js";
import { surveyed } from "../analysis/survey.js";

export function withoutHandovers(fn: TsFunction): TsFunction {
  const { variables } = surveyed(fn);
  const renamed = new Map<string, string>();
  /** Where a block declares what a statement hands over; null where it is something else, or is looked at elsewhere. */
  const handedOver = (body: readonly TsStmt[], at: number): { readonly from: number; readonly name: string } | null => {
    const stmt = body[at];
    if (stmt?.kind !== "let" || stmt.init?.kind !== "id" || !isLocal(stmt.init.name)) return null;
    const { name } = stmt.init;
    const from = body.findIndex((other) => other.kind === "const" && other.target === name && isNewArray(other.init));
    const variable = variables.get(name);
    if (from === -1 || variable === undefined || renamed.has(name)) return null;
    return mentions(body.slice(from + 1, at + 1), name) === variable.reads ? { from, name } : null;
  };
  const moved = mapBlocks(fn, (body) => {
    let out = body;
    for (const stmt of body) {
      const found = handedOver(out, out.indexOf(stmt));
      const first = found === null ? undefined : out[found.from];
      if (found === null || stmt.kind !== "let" || first?.kind !== "const") continue;
      renamed.set(found.name, stmt.name);
      out = out.flatMap((each) => (each === stmt ? [] : each === first ? [{ ...stmt, init: first.init }] : [each]));
    }
    return out;
  });
  if (renamed.size === 0) return fn;
  return mapExpressions(moved, (expr, rewriting) => {
    const name = expr.kind === "id" ? renamed.get(expr.name) : undefined;
    return name === undefined ? mapParts(expr, rewriting) : id(name);
  });
}

/** How often statements mention a variable, outside of the functions in them. */
function mentions(stmts: readonly TsStmt[], variable: string): number {
  let found = 0;
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "id" && expr.name === variable) found++;
      else if (expr.kind !== "arrow") visitParts(expr, visiting);
    },
    block: (body) => {
      for (const stmt of body) if (stmt.kind !== "function") visitStmt(stmt, visiting);
    },
  };
  visiting.block(stmts);
  return found;
}
