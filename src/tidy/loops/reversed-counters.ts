// Induction-variable reversal.
//
// A loop that uses its counter as the distance from the end alone counts the other way.
//
//   const last = n - 1;
//   for (let up = 0; up < n; up++) f(x[last - up])        for (let i = n - 1; i >= 0; i--) f(x[i])

import { mapSame } from "../../same.js";
import { id } from "../../typescript/build.js";
import { isName, isNumber } from "../../typescript/facts.js";
import { mapBlocks, mapParts, mapStmt, visitStatements, type Rewriting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import type { Bindings } from "../analysis/bindings.js";
import { counting, countsDownFrom, countsUpTo, type For } from "../analysis/counting.js";
import { surveyed } from "../analysis/survey.js";

export function withoutMirrors(fn: TsFunction, bindings: Bindings): TsFunction {
  const lasts = lastsIn(fn);
  if (lasts.size === 0) return fn;
  const { variables } = surveyed(fn);
  const isFixed = (name: string): boolean => variables.get(name)?.writes === 0;
  const lastOf = (expr: TsExpr): string | null => (expr.kind === "id" ? (lasts.get(expr.name) ?? null) : countIn(expr));

  const turned = (stmt: TsStmt): TsStmt => {
    if (stmt.kind !== "for" || variables.get(stmt.name)?.writes !== 1) return stmt;
    const [end, down] = [countsUpTo(stmt), countsDownFrom(stmt)];
    const count = end?.kind === "id" ? end.name : down === null ? null : lastOf(down);
    if (count === null || !isFixed(count)) return stmt;
    const body = fromTheEnd(stmt, (expr) => lastOf(expr) === count);
    if (body === null) return stmt;
    const alias = body.find((inner) => inner.kind === "const" && isName(inner.init, stmt.name));
    if (alias?.kind === "const" && typeof alias.target === "string") bindings.rename(stmt.name, bindings.wanted(alias.target)); // prettier-ignore
    return { ...stmt, ...counting(stmt.name, id(count), end === null ? "up" : "down"), body };
  };
  return mapBlocks(fn, (body) => mapSame(body, turned));
}

/** The body of a loop with the counter in place of its distance from the end; null where the counter is used in another way, or not at all. */
function fromTheEnd(loop: For, isLast: (expr: TsExpr) => boolean): readonly TsStmt[] | null {
  let [found, others] = [0, 0];
  const rewriting: Rewriting = {
    expr: (expr) => {
      if (expr.kind === "binary" && expr.op === "-" && isName(expr.right, loop.name) && isLast(expr.left)) {
        found++;
        return expr.right;
      }
      if (isName(expr, loop.name)) others++;
      return mapParts(expr, rewriting);
    },
    block: (body) => mapSame(body, (stmt) => mapStmt(stmt, rewriting)),
  };
  const body = rewriting.block(loop.body);
  return found > 0 && others === 0 ? body : null;
}

/** `n`, given `n - 1`. */
function countIn(expr: TsExpr): string | null {
  const isLast = expr.kind === "binary" && expr.op === "-" && isNumber(expr.right, 1);
  return isLast && expr.left.kind === "id" ? expr.left.name : null;
}

/** The constants that are one less than a variable. */
function lastsIn(fn: TsFunction): ReadonlyMap<string, string> {
  const lasts = new Map<string, string>();
  visitStatements(fn.body, (stmt) => {
    const count = stmt.kind === "const" ? countIn(stmt.init) : null;
    if (stmt.kind === "const" && typeof stmt.target === "string" && count !== null) lasts.set(stmt.target, count);
  });
  return lasts;
}
