// Arrays that a loop without a known end adds to have a limit, as growing buffers do: what V8 does with an array that becomes too large is end the process.
//
//   while (..) { .. saved.push(x); .. }      =>      while (..) { .. keep(saved, x); .. }

import { mapSame } from "../../same.js";
import { callOf, id } from "../../typescript/build.js";
import { mapParts, mapStmt, withBody, type Rewriting } from "../../typescript/traverse.js";
import type { TsFunction, TsStmt } from "../../typescript/tree.js";
import type { Surroundings } from "../analysis/purity.js";

/** The function of the runtime that adds to an array. */
export const keeper = "adjoint.keep";

export function withLimitedArrays(fn: TsFunction, { nameOf }: Surroundings): TsFunction {
  const name = nameOf(keeper);
  if (name === null) return fn;
  const within = (isRepeated: boolean): Rewriting => {
    const rewriting: Rewriting = {
      expr: (expr) => mapParts(expr, rewriting),
      block: (body) => mapSame(body, (stmt) => statement(stmt, isRepeated, rewriting)),
    };
    return rewriting;
  };
  const [inside, outside] = [within(true), within(false)];
  const statement = (stmt: TsStmt, isRepeated: boolean, rewriting: Rewriting): TsStmt => {
    const expr = isRepeated && stmt.kind === "expr" ? stmt.expr : null;
    if (expr?.kind === "call" && expr.fn.kind === "member" && expr.fn.name === "push")
      return { kind: "expr", expr: callOf(id(name), expr.fn.object, ...expr.args) };
    return mapStmt(stmt, stmt.kind === "while" || stmt.kind === "loop" ? inside : rewriting);
  };
  return withBody(fn, outside.block(fn.body));
}
