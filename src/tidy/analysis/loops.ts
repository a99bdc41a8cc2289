// Which loops a function has.

import { visitStatements } from "../../typescript/traverse.js";
import type { TsFunction, TsStmt } from "../../typescript/tree.js";

export type Loop = TsStmt & { readonly kind: "for" | "while" | "loop" };

export function isLoop(stmt: TsStmt): stmt is Loop {
  return stmt.kind === "for" || stmt.kind === "while" || stmt.kind === "loop";
}

/** The loops that are in other ones. */
export function innerLoops(fn: TsFunction): ReadonlySet<TsStmt> {
  const inner = new Set<TsStmt>();
  visitStatements(fn.body, (stmt) => {
    if (!isLoop(stmt) || inner.has(stmt)) return;
    visitStatements([stmt], (each) => {
      if (each !== stmt && isLoop(each)) inner.add(each);
    });
  });
  return inner;
}
