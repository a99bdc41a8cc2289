// An array that each round of a loop makes anew, and fills before it reads it, is made once.
//
//   for (..) { const s = new Float64Array(n); for (i < n) { s[i] = e; .. } for (i < n) { .. s[i] .. } }
//     =>
//   const s = new Float64Array(n); for (..) { for (i < n) { s[i] = e; .. } for (i < n) { .. s[i] .. } }

import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { sameItems } from "../../same.js";
import { namesOf } from "./bindings.js";
import { mapBlocks } from "./blocks.js";
import { elementsOf, isElement, isNewArray, roundsOf, type For } from "./counting.js";
import { surveyed } from "./survey.js";
import { replaced, visitNames, visitStatements } from "./walk.js";

export function withArraysReused(fn: TsFunction): TsFunction {
  const { variables } = surveyed(fn);
  const isFixed = (count: TsExpr): boolean =>
    count.kind === "number" || (count.kind === "id" && variables.get(count.name)?.writes === 0);

  /** The arrays that a loop need not make in every round: their statements. */
  const reusable = (loop: For): ReadonlySet<TsStmt> => {
    const isGood = (stmt: TsStmt): boolean => {
      if (stmt.kind !== "const" || typeof stmt.target !== "string" || !isNewArray(stmt.init)) return false;
      const [size] = stmt.init.args;
      if (size === undefined || !isFixed(size)) return false;
      const isOutside = size.kind !== "id" || !declares(loop, size.name);
      const array = stmt.target;
      const users = loop.body.filter((inner): inner is For => inner.kind === "for" && elementsOf(inner, array) > 0);
      const used = users.reduce((sum, inner) => sum + elementsOf(inner, array), 0);
      return isOutside && used === variables.get(array)?.reads && isFilledFirst(users, array, isFixed);
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

/** Whether the first loop of some that are all that uses an array sets the elements that the others, of as many rounds, use. */
function isFilledFirst(loops: readonly For[], array: string, isFixed: (count: TsExpr) => boolean): boolean {
  const [first] = loops;
  const rounds = first === undefined ? null : roundsOf(first);
  if (first === undefined || rounds === null || !isFixed(rounds) || !setsEach(first, array)) return false;
  return loops.every((loop) => JSON.stringify(roundsOf(loop)) === JSON.stringify(rounds));
}

/** Whether the first thing that each round of a loop does with an array is to set its element. */
export function setsEach({ name, body }: For, array: string): boolean {
  return !jumps(body) && setsFirst(body, array, name);
}

/** Whether the first thing that statements do with an array is to set the element at an index. */
function setsFirst(stmts: readonly TsStmt[], array: string, index: string): boolean {
  const first = stmts.find((stmt) => mentionsIn([stmt], array));
  if (first?.kind === "if") {
    const isTested = mentionsIn([{ kind: "expr", expr: first.test }], array);
    return !isTested && setsFirst(first.then, array, index) && setsFirst(first.else, array, index);
  }
  if (first?.kind !== "expr" || first.expr.kind !== "assign" || first.expr.op !== "=") return false;
  return isElement(first.expr.target, array, index) && !mentionsIn([{ kind: "expr", expr: first.expr.value }], array);
}

/** Whether a round may end early, or be the last one. */
export function jumps(stmts: readonly TsStmt[]): boolean {
  let found = 0;
  visitStatements(stmts, ({ kind }) => {
    if (kind === "break" || kind === "continue" || kind === "return") found++;
  });
  return found > 0;
}

/** Whether statements name an array. */
export function mentionsIn(stmts: readonly TsStmt[], array: string): boolean {
  let isFound = 0;
  visitNames(stmts, (name) => {
    if (name === array) isFound++;
  });
  return isFound > 0;
}

/** Whether a loop declares a variable. */
export function declares(loop: TsStmt, name: string): boolean {
  let isFound = false;
  visitStatements([loop], (stmt) => {
    if (stmt.kind === "const" && namesOf(stmt.target).includes(name)) isFound = true;
    if ((stmt.kind === "let" || stmt.kind === "for") && stmt.name === name) isFound = true;
  });
  return isFound;
}
