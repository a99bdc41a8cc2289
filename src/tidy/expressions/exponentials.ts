// Outlining of a library call.
//
// Exponentials of loops are computed by a function of the module: V8 puts it into the loop, in a third of the time of a call of Math.exp.
//
//   for (..) sum += Math.exp(xs[i] - top)              for (..) sum += exp(xs[i] - top)

import { mapSame } from "../../same.js";
import { id } from "../../typescript/build.js";
import { isMath } from "../../typescript/facts.js";
import { mapParts, mapStmt, withBody, type Rewriting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction } from "../../typescript/tree.js";
import type { Surroundings } from "../analysis/purity.js";

/** The function of the runtime that computes exponentials. */
export const exponential = "numbers.exp";

/** `isRepeated`: the function itself may run in a loop. */
export function withExponentials(fn: TsFunction, { nameOf }: Surroundings, isRepeated: boolean): TsFunction {
  const name = nameOf(exponential);
  if (name === null) return fn;
  const inLoops: Rewriting = {
    expr: (expr) => {
      const inner = mapParts(expr, inLoops);
      return inner.kind === "call" && isExponential(inner.fn) ? { ...inner, fn: id(name) } : inner;
    },
    block: (body) => mapSame(body, (stmt) => mapStmt(stmt, inLoops)),
  };
  const outside: Rewriting = {
    expr: (expr) => mapParts(expr, outside),
    block: (body) =>
      mapSame(body, (stmt) => {
        const isLoop = stmt.kind === "for" || stmt.kind === "while" || stmt.kind === "loop";
        return mapStmt(stmt, isLoop ? inLoops : outside);
      }),
  };
  return withBody(fn, (isRepeated ? inLoops : outside).block(fn.body));
}

function isExponential(fn: TsExpr): boolean {
  return isMath(fn) && fn.kind === "member" && fn.name === "exp";
}
