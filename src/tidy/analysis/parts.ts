// What statements do with the elements of arrays, and with arrays as a whole.

import { visitParts, visitStmt, type Visiting } from "../../typescript/traverse.js";
import type { TsExpr, TsStmt } from "../../typescript/tree.js";

export interface Parts {
  /** How often elements are read, or the length; `a[i] += e` reads one, too. */
  readonly reads: number;
  readonly writes: number;
  /** How often it is named otherwise, but for where it is declared. */
  readonly others: number;
}

const none: Parts = { reads: 0, writes: 0, others: 0 };

/** By array what statements do with it, functions in them included. */
export function partsIn(stmts: readonly TsStmt[]): (array: string) => Parts {
  const found = new Map<string, Parts>();
  const note = (name: string, kind: keyof Parts): void => {
    const parts = found.get(name) ?? none;
    found.set(name, { ...parts, [kind]: parts[kind] + 1 });
  };
  const part = (object: TsExpr, ...kinds: readonly (keyof Parts)[]): void => {
    if (object.kind === "id") for (const kind of kinds) note(object.name, kind);
    else visiting.expr(object);
  };
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "id") note(expr.name, "others");
      else if (expr.kind === "assign" && expr.target.kind === "index") {
        if (expr.op === "=") part(expr.target.object, "writes");
        else part(expr.target.object, "reads", "writes");
        visiting.expr(expr.target.index);
        visiting.expr(expr.value);
      } else if (expr.kind === "index") {
        part(expr.object, "reads");
        visiting.expr(expr.index);
      } else if (isCopy(expr)) part(expr.fn.object, "reads");
      else if (expr.kind === "member" && expr.name === "length") part(expr.object, "reads");
      else visitParts(expr, visiting);
    },
    block: (body) => {
      for (const stmt of body) visitStmt(stmt, visiting);
    },
  };
  visiting.block(stmts);
  return (array) => found.get(array) ?? none;
}

/** Whether an expression is a copy of an array. */
export function isCopy(
  expr: TsExpr,
): expr is TsExpr & { readonly kind: "call"; readonly fn: TsExpr & { readonly kind: "member" } } {
  return expr.kind === "call" && expr.fn.kind === "member" && expr.fn.name === "slice" && expr.args.length === 0;
}
