// Which loops a function has.

import { visitStatements } from "../../typescript/traverse.js";
import type { TsFunction, TsStmt } from "../../typescript/tree.js";

export function isLoop({ kind }: TsStmt): boolean {
  return kind === "for" || kind === "while" || kind === "loop";
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
