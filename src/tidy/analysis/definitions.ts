// What variables are that nothing changes once they are there: one value, or one for each way to where they are.
//
//   const n = e;      let m: number; if (c) { m = a; } else { .. m = b; }      e; a and b

import { mapBlocks, visitExpressions, visitStatements } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { surveyed } from "./survey.js";

export type Values = ReadonlyMap<string, readonly TsExpr[]>;

/** By name of such a variable what it may be; parameters are not among them. */
export function definitionsIn(fn: TsFunction): Values {
  const { variables } = surveyed(fn);
  const values = new Map<string, readonly TsExpr[]>();
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind === "const" && typeof stmt.target === "string") values.set(stmt.target, [stmt.init]);
  });
  mapBlocks(fn, (block) => {
    block.forEach((stmt, index) => {
      const choice = block[index + 1];
      if (stmt.kind !== "let" || stmt.init !== null || choice?.kind !== "if") return;
      const chosen = assignedIn(choice, stmt.name);
      if (chosen.length === variables.get(stmt.name)?.writes) values.set(stmt.name, chosen);
    });
    return block;
  });
  return values;
}

function assignedIn(stmt: TsStmt, name: string): readonly TsExpr[] {
  const assigned: TsExpr[] = [];
  visitExpressions([stmt], (expr) => {
    if (expr.kind === "assign" && expr.op === "=" && expr.target.kind === "id" && expr.target.name === name) assigned.push(expr.value); // prettier-ignore
  });
  return assigned;
}
