// Whether the iterations of a loop have nothing to do with each other, so that they may come in any order.

import { isName } from "../../typescript/facts.js";
import { visitParts, type Visiting } from "../../typescript/traverse.js";
import type { TsExpr, TsStmt } from "../../typescript/tree.js";
import type { For } from "./counting.js";
import { isTotal, type Surroundings } from "./purity.js";

/** Whether an iteration reads and changes nothing but its own elements, and variables that no iteration changes: it assigns to elements alone. */
export function isSeparate({ name: index, body }: For, surroundings: Surroundings): boolean {
  const own = new Set<string>();
  let isChanging = false;
  const isGood = (expr: TsExpr): boolean => {
    let result = isTotal(expr, surroundings);
    const visiting: Visiting = {
      expr: (part) => {
        if (part.kind === "member" && part.name !== "length" && !isMathPart(part)) result = false;
        if (part.kind === "index" && !isElement(part, index)) result = false;
        if (part.kind === "call") part.args.forEach(visiting.expr);
        else if (part.kind !== "member" || !isMathPart(part)) visitParts(part, visiting);
      },
      block: () => undefined,
    };
    visiting.expr(expr);
    return result;
  };
  const isElement = (expr: TsExpr, name: string): boolean =>
    expr.kind === "index" && expr.object.kind === "id" && !own.has(expr.object.name) && isName(expr.index, name); // prettier-ignore
  const statements = (stmts: readonly TsStmt[]): boolean =>
    stmts.every((stmt) => {
      if (stmt.kind === "const" && typeof stmt.target === "string") {
        if (!isGood(stmt.init)) return false;
        own.add(stmt.target);
        return true;
      }
      if (stmt.kind === "if") return isGood(stmt.test) && statements(stmt.then) && statements(stmt.else);
      if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op === "??=") return false;
      isChanging = true;
      return isElement(stmt.expr.target, index) && isGood(stmt.expr.value);
    });
  return statements(body) && isChanging;
}

function isMathPart(expr: TsExpr): boolean {
  return expr.kind === "member" && isName(expr.object, "Math");
}
