// What a call gives is written where it is used, when that is the very next thing to be done.
//
//   const t = f(x); return t                return f(x)
//   const t = f(x); y += t                  y += f(x)

import { sameItems } from "../../same.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { mapBlocks } from "./blocks.js";
import { surveyed, type Variable } from "./survey.js";

export function withAdjacentUses(fn: TsFunction): TsFunction {
  return mapBlocks(fn, (body) => joined(body, (name) => surveyed(fn).variables.get(name)));
}

type Variables = (name: string) => Variable | undefined;

function joined(body: readonly TsStmt[], variables: Variables): readonly TsStmt[] {
  const out: TsStmt[] = [];
  for (const stmt of body) {
    const before = out.at(-1);
    const isNext = before?.kind === "const" && typeof before.target === "string" && before.type === null;
    const used =
      isNext && typeof before.target === "string" ? using(stmt, before.target, before.init, variables) : null;
    if (used !== null) out.pop();
    out.push(used ?? stmt);
  }
  return sameItems(body, out);
}

/** A statement with a value in the place of the variable that it uses first. */
function using(stmt: TsStmt, name: string, value: TsExpr, variables: Variables): TsStmt | null {
  const isIt = (expr: TsExpr | null): boolean =>
    expr?.kind === "id" && expr.name === name && variables(name)?.reads === 1;
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
