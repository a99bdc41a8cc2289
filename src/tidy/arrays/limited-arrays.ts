// Arrays that a loop without a known end adds to have a limit, as growing buffers do: what V8 does with an array that becomes too large is end the process.
// Loops that count their iterations have one already.
//
//   while (..) { .. saved.push(x); .. }      =>      while (..) { .. keep(saved, x); .. }

import { mapSame } from "../../same.js";
import { callOf, id } from "../../typescript/build.js";
import { mapParts, mapStmt, withBody, type Rewriting } from "../../typescript/traverse.js";
import type { TsFunction, TsStmt } from "../../typescript/tree.js";
import { isCallOf, type Surroundings } from "../analysis/purity.js";

/** The function of the runtime that adds to an array. */
export const keeper = "adjoint.keep";

export function withLimitedArrays(fn: TsFunction, surroundings: Surroundings): TsFunction {
  const name = surroundings.nameOf(keeper);
  if (name === null) return fn;

  /** `if (iterations === ..) endless(iterations);` */
  const isLimit = (stmt: TsStmt): boolean =>
    stmt.kind === "if" &&
    stmt.then.some((each) => each.kind === "expr" && isCallOf(each.expr, "limits.endless", surroundings));
  const within = (isEndless: boolean): Rewriting => {
    const rewriting: Rewriting = {
      expr: (expr) => mapParts(expr, rewriting),
      block: (body) => mapSame(body, (stmt) => statement(stmt, isEndless, rewriting)),
    };
    return rewriting;
  };
  const [endless, limited] = [within(true), within(false)];
  const statement = (stmt: TsStmt, isEndless: boolean, rewriting: Rewriting): TsStmt => {
    const expr = isEndless && stmt.kind === "expr" ? stmt.expr : null;
    if (expr?.kind === "call" && expr.fn.kind === "member" && expr.fn.name === "push")
      return { kind: "expr", expr: callOf(id(name), expr.fn.object, ...expr.args) };
    if (stmt.kind !== "while" && stmt.kind !== "loop") return mapStmt(stmt, rewriting);
    return mapStmt(stmt, stmt.body.some(isLimit) ? limited : endless);
  };
  return withBody(fn, limited.block(fn.body));
}
