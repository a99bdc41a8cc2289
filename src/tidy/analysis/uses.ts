// What statements do with an array.

import { isName } from "../../typescript/facts.js";
import { visitExpressions, visitParts, visitStmt, type Visiting } from "../../typescript/traverse.js";
import type { TsStmt } from "../../typescript/tree.js";
import { mentionsIn } from "./mentions.js";
import type { Surroundings } from "./purity.js";

/** What an array is asked or told that hands it to nobody. */
const ownMembers: ReadonlySet<string> = new Set(["length", "set", "slice"]);

export interface Uses {
  readonly elements: number;
  readonly others: number;
  /** Of these, arguments of functions that keep nothing of them. */
  readonly lent: number;
}

/** How often statements use elements of an array or its length; and how often they do something else with it, but for assigning to it. */
export function usesIn(array: string, stmts: readonly TsStmt[], surroundings: Surroundings): Uses {
  let [elements, others, lent, functions] = [0, 0, 0, 0];
  const visiting: Visiting = {
    expr: (expr) => {
      const isPart = (expr.kind === "index" || (expr.kind === "member" && ownMembers.has(expr.name))) && isName(expr.object, array); // prettier-ignore
      if (isPart && functions === 0) {
        elements++;
        if (expr.kind === "index") visiting.expr(expr.index);
      } else if (expr.kind === "arrow")
        within(() => {
          visitParts(expr, visiting);
        });
      else if (expr.kind === "assign" && isName(expr.target, array)) visiting.expr(expr.value);
      else if (isName(expr, array)) others++;
      else if (expr.kind === "call" && expr.fn.kind === "id") {
        const { fn, args } = expr;
        // Of what says that an index is out of range the array is the first argument
        const isFailure = surroundings.reference(fn.name) === "arrays.outside";
        if (functions === 0) lent += args.filter((arg, index) => isName(arg, array) && surroundings.isLent(fn.name, index)).length; // prettier-ignore
        visitParts(isFailure ? { ...expr, args: args.slice(1) } : expr, visiting);
      } else visitParts(expr, visiting);
    },
    block: (body) => {
      for (const stmt of body) {
        if (stmt.kind === "function")
          within(() => {
            visitStmt(stmt, visiting);
          });
        else visitStmt(stmt, visiting);
      }
    },
  };
  const within = (visit: () => void): void => {
    functions++;
    visit();
    functions--;
  };
  visiting.block(stmts.filter((stmt) => mentionsIn([stmt], array)));
  return { elements, others, lent };
}

/** The arrays that get longer in statements. */
export function grownIn(stmts: readonly TsStmt[]): ReadonlySet<string> {
  const grown = new Set<string>();
  visitExpressions(stmts, (expr) => {
    const isPush = expr.kind === "call" && expr.fn.kind === "member" && expr.fn.name === "push";
    if (isPush && expr.fn.object.kind === "id") grown.add(expr.fn.object.name);
  });
  return grown;
}
