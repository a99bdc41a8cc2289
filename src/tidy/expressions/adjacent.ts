// What a call gives is written where it is used, when that is the very next thing to be done.
//
//   const t = f(x); return t                return f(x)
//   const t = f(x); y += t                  y += f(x)
//   const a: T = e; let b: T = a            let b: T = e

import { sameItems } from "../../same.js";
import { mapBlocks } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { surveyed, type Variable } from "../analysis/survey.js";

export function withAdjacentUses(fn: TsFunction): TsFunction {
  return mapBlocks(fn, (body) => joined(body, (name) => surveyed(fn).variables.get(name)));
}

type Const = TsStmt & { readonly kind: "const" };
type Variables = (name: string) => Variable | undefined;

function joined(body: readonly TsStmt[], variables: Variables): readonly TsStmt[] {
  const out: TsStmt[] = [];
  for (const stmt of body) {
    const before = out.at(-1);
    const used = before?.kind === "const" ? using(stmt, before, variables) : null;
    if (used !== null) out.pop();
    out.push(used ?? stmt);
  }
  return sameItems(body, out);
}

/** A statement with a value in the place of the variable that it uses first. */
function using(stmt: TsStmt, { target, type, init: value }: Const, variables: Variables): TsStmt | null {
  const isIt = (expr: TsExpr | null): boolean =>
    expr?.kind === "id" && expr.name === target && variables(expr.name)?.reads === 1;
  if (type !== null) {
    const isSame = stmt.kind === "let" && isIt(stmt.init) && JSON.stringify(stmt.type) === JSON.stringify(type);
    return isSame ? { ...stmt, init: value } : null;
  }
  switch (stmt.kind) {
    case "return":
      if (isIt(stmt.value)) return { kind: "return", value };
      if (stmt.value?.kind === "as" && isIt(stmt.value.expr)) return { kind: "return", value: { ...stmt.value, expr: value } }; // prettier-ignore
      return null;
    case "expr": {
      const { expr } = stmt;
      if (expr.kind !== "assign" || !isIt(expr.value) || expr.target.kind !== "id") return null;
      // What the value does cannot change the variable
      if (variables(expr.target.name)?.isWrittenInside !== false) return null;
      return { kind: "expr", expr: { ...expr, value } };
    }
    default:
      return null;
  }
}
