// Loop reversal.
//
// A loop whose iterations have nothing to do with each other counts upwards.
//
//   for (let i = n - 1; i >= 0; i--) x_[i] += y[i]        for (let i = 0; i < n; i++) x_[i] += y[i]

import { mapSame } from "../../same.js";
import { binary, number } from "../../typescript/build.js";
import { isName } from "../../typescript/facts.js";
import { mapBlocks, visitParts, type Visiting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { counting, countsDownFrom, type For } from "../analysis/counting.js";
import { isTotal, type Surroundings } from "../analysis/purity.js";

export function withLoopsUpwards(fn: TsFunction, surroundings: Surroundings): TsFunction {
  /** How many iterations a loop that counts down to zero has; null where that is not known to stay the same while elements change. */
  const countOf = (loop: For): TsExpr | null => {
    const from = countsDownFrom(loop);
    if (from?.kind !== "binary" || from.op !== "-" || from.right.kind !== "number") return null;
    const { left } = from;
    const isKept = isAtom(left) || (left.kind === "member" && left.name === "length" && isAtom(left.object));
    if (!isKept) return null;
    return from.right.value === 1 ? left : binary("-", left, number(from.right.value - 1));
  };

  const upwards = (stmt: TsStmt): TsStmt => {
    const count = stmt.kind === "for" ? countOf(stmt) : null;
    if (stmt.kind !== "for" || count === null || !isSeparate(stmt, surroundings)) return stmt;
    return { ...stmt, ...counting(stmt.name, count, "up") };
  };
  return mapBlocks(fn, (body) => mapSame(body, upwards));
}

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

function isAtom(expr: TsExpr): boolean {
  return expr.kind === "number" || expr.kind === "id";
}

function isMathPart(expr: TsExpr): boolean {
  return expr.kind === "member" && isName(expr.object, "Math");
}
