// Statements that choose by the same condition, one after the other, are one choice.
//
//   x += c ? 0 : e; y = c ? y : 0           if (!c) { x += e; y = 0; }

import { keyOf } from "../../key.js";
import { sameItems } from "../../same.js";
import { mapBlocks, visitParts, type Visiting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import type { Surroundings } from "../analysis/purity.js";
import { surveyed } from "../analysis/survey.js";
import { folded } from "./fold.js";

type Choice = TsStmt & { readonly kind: "expr"; readonly expr: TsExpr & { readonly kind: "assign" } };

export function withJoinedChoices(fn: TsFunction, surroundings: Surroundings): TsFunction {
  /** Whether nothing that may be assigned to is read. */
  const isSettled = (expr: TsExpr): boolean => {
    let result = true;
    const visiting: Visiting = {
      expr: (part) => {
        if (part.kind === "id" && surveyed(fn).variables.get(part.name)?.writes !== 0) result = false;
        else if (part.kind === "id" || part.kind === "number" || part.kind === "binary" || part.kind === "unary")
          visitParts(part, visiting); // prettier-ignore
        else result = false;
      },
      block: () => undefined,
    };
    visiting.expr(expr);
    return result;
  };

  const testOf = (stmt: TsStmt): TsExpr | null => {
    if (!isChoice(stmt) || stmt.expr.value.kind !== "cond") return null;
    return isSettled(stmt.expr.value.test) ? stmt.expr.value.test : null;
  };

  const chosenOnce = (body: readonly TsStmt[]): readonly TsStmt[] => {
    const out: TsStmt[] = [];
    let run: TsStmt[] = [];
    let test: TsExpr | null = null;
    let key = "";
    const close = (): void => {
      if (test === null || run.length < 2) out.push(...run);
      else out.push(joined(test, run));
    };
    for (const stmt of body) {
      const next = testOf(stmt);
      const nextKey = next === null ? "" : keyOf(next);
      if (next === null || nextKey !== key) {
        close();
        run = [];
        test = next;
        key = nextKey;
      }
      run.push(stmt);
    }
    close();
    return sameItems(body, out);
  };
  const joint = mapBlocks(fn, chosenOnce);
  return joint === fn ? fn : folded(joint, surroundings);
}

function joined(test: TsExpr, run: readonly TsStmt[]): TsStmt {
  const branch = (isThen: boolean): readonly TsStmt[] => run.map((stmt) => chosen(stmt, isThen));
  return { kind: "if", test, then: branch(true), else: branch(false) };
}

function isChoice(stmt: TsStmt): stmt is Choice {
  return stmt.kind === "expr" && stmt.expr.kind === "assign";
}

function chosen(stmt: TsStmt, isThen: boolean): TsStmt {
  if (!isChoice(stmt) || stmt.expr.value.kind !== "cond") return stmt;
  const { value } = stmt.expr;
  return { kind: "expr", expr: { ...stmt.expr, value: isThen ? value.then : value.else } };
}
