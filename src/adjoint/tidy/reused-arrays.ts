// An array that each round of a loop makes anew, and fills before it reads it, is made once.
//
//   for (..) { const s = new Float64Array(n); for (i < n) { s[i] = e; .. } for (i < n) { .. s[i] .. } }
//     =>
//   const s = new Float64Array(n); for (..) { for (i < n) { s[i] = e; .. } for (i < n) { .. s[i] .. } }

import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { sameItems } from "../../same.js";
import { namesOf } from "./bindings.js";
import { mapBlocks } from "./blocks.js";
import { countsDownFrom, countsUpTo, isName, type For } from "./counting.js";
import { surveyed } from "./survey.js";
import { replaced, visitNames, visitParts, visitStatements, visitStmt, type Visiting } from "./walk.js";

export function withArraysReused(fn: TsFunction): TsFunction {
  const { variables } = surveyed(fn);
  const isFixed = (size: TsExpr): boolean =>
    size.kind === "number" || (size.kind === "id" && variables.get(size.name)?.writes === 0);

  /** The arrays that a loop need not make in every round: their statements. */
  const reusable = (loop: For): ReadonlySet<TsStmt> => {
    const declared = namesDeclared(loop);
    const isGood = (stmt: TsStmt): boolean => {
      if (stmt.kind !== "const" || typeof stmt.target !== "string" || stmt.init.kind !== "new") return false;
      const [size] = stmt.init.args;
      if (!isName(stmt.init.fn, "Float64Array") || size === undefined || !isFixed(size)) return false;
      const isOutside = size.kind !== "id" || !declared.has(size.name);
      return isOutside && isFilledFirst(loop.body, stmt.target, variables.get(stmt.target)?.reads ?? 0);
    };
    return new Set(loop.body.filter(isGood));
  };

  return mapBlocks(fn, (body) =>
    replaced(body, (stmt) => {
      const moved = stmt.kind === "for" ? reusable(stmt) : null;
      if (stmt.kind !== "for" || moved === null || moved.size === 0) return stmt;
      return [
        ...moved,
        {
          ...stmt,
          body: sameItems(
            stmt.body,
            stmt.body.filter((each) => !moved.has(each)),
          ),
        },
      ];
    }),
  );
}

/** Whether one loop of a body sets all elements of an array that are used, and those behind it do nothing but read them; `mentions` is how often it is used. */
function isFilledFirst(body: readonly TsStmt[], array: string, mentions: number): boolean {
  let [found, count, used]: [boolean, string | null, number] = [false, null, 0];
  for (const stmt of body) {
    if (stmt.kind !== "for") continue;
    const elements = elementsIn(stmt, array);
    if (elements === 0) continue;
    const bound = JSON.stringify(countOf(stmt));
    if (!found && !sets(stmt, array)) return false;
    if (found && bound !== count) return false;
    [found, count, used] = [true, bound, used + elements];
  }
  return found && count !== "null" && used === mentions;
}

/** How many rounds a loop by ones has, up or down to zero; null where that is something else than a number or a variable. */
function countOf(loop: For): TsExpr | null {
  const up = countsUpTo(loop);
  const down = countsDownFrom(loop);
  const count = up ?? (down?.kind === "binary" && down.op === "-" && down.right.kind === "number" && down.right.value === 1 ? down.left : null); // prettier-ignore
  return count?.kind === "id" || count?.kind === "number" ? count : null;
}

/** Whether the first thing that each round of a loop does with an array is to set its element. */
function sets({ name, body }: For, array: string): boolean {
  if (jumps(body)) return false;
  const first = body.find((stmt) => mentionsIn([stmt], array));
  if (first?.kind !== "expr" || first.expr.kind !== "assign" || first.expr.op !== "=") return false;
  return isElement(first.expr.target, array, name) && !mentionsIn([{ kind: "expr", expr: first.expr.value }], array);
}

/** Whether a round may end early, or be the last one. */
function jumps(stmts: readonly TsStmt[]): boolean {
  let found = 0;
  visitStatements(stmts, ({ kind }) => {
    if (kind === "break" || kind === "continue" || kind === "return") found++;
  });
  return found > 0;
}

function mentionsIn(stmts: readonly TsStmt[], array: string): boolean {
  let isFound = 0;
  visitNames(stmts, (name) => {
    if (name === array) isFound++;
  });
  return isFound > 0;
}

/** How often a loop uses the element of its round. */
function elementsIn({ name, body }: For, array: string): number {
  let count = 0;
  const visiting: Visiting = {
    expr: (expr) => {
      if (isElement(expr, array, name)) count++;
      if (expr.kind !== "arrow") visitParts(expr, visiting);
    },
    block: (stmts) => {
      for (const stmt of stmts) visitStmt(stmt, visiting);
    },
  };
  visiting.block(body);
  return count;
}

function isElement(expr: TsExpr, array: string, index: string): boolean {
  return expr.kind === "index" && isName(expr.object, array) && isName(expr.index, index);
}

/** The variables that a loop declares. */
function namesDeclared(loop: For): ReadonlySet<string> {
  const names = new Set([loop.name]);
  visitStatements(loop.body, (stmt) => {
    if (stmt.kind === "const") for (const name of namesOf(stmt.target)) names.add(name);
    if (stmt.kind === "let" || stmt.kind === "for") names.add(stmt.name);
  });
  return names;
}
