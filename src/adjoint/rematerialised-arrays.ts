// Arrays that the reverse sweep builds again, in place of taking saved ones: those of loops whose iterations cost no more than to save an element does. What such
// a loop reads is there in the reverse sweep, or is a number.

import { isRecurrent } from "../flat/free-variables.js";
import { cheapEnough, operationCost } from "../flat/costs.js";
import type { Block, End, Procedure, Stmt } from "../flat/program.js";
import { allBlocks, branchesOf } from "../flat/traverse.js";
import { again } from "./rematerialised-operations.js";

type For = Stmt & { readonly kind: "for" };

/** The loops that can be run again, by the arrays that they make: of arrays of numbers, and arrays of such, one each. */
export function buildersIn({ body }: Procedure): ReadonlyMap<string, For> {
  const found = new Map<string, For>();
  for (const { stmts } of allBlocks(body)) {
    for (const stmt of stmts) {
      const [array] = stmt.kind === "for" && isBuilder(stmt) ? stmt.arrays : [];
      if (stmt.kind === "for" && array !== undefined) found.set(array.name, stmt);
    }
  }
  return found;
}

/** Whether each iteration does nothing but make one element, in a few operations, or by a loop like it. */
function isBuilder(stmt: For): boolean {
  if (stmt.params.length > 0 || stmt.arrays.length !== 1 || isRecurrent(stmt)) return false;
  let left = cheapEnough;
  const isPaid = ({ stmts, end }: Block): boolean => stmts.every(isFine) && isPaidEnd(end);
  const isPaidEnd = (end: End): boolean =>
    end.kind === "yield" || (end.kind === "if" && --left >= 0 && branchesOf(end).every(isPaid));
  const isFine = (inner: Stmt): boolean => {
    switch (inner.kind) {
      case "check":
        return true;
      case "let":
        if (inner.result.rep.kind === "store") return true;
        left -= operationCost(again(inner.op, () => true));
        return left >= 0;
      case "choose":
        return isPaidEnd(inner.end);
      case "for":
        return isBuilder(inner);
      default:
        return false;
    }
  };
  return isPaid(stmt.body);
}
