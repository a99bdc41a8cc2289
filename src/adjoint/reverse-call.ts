// What the reverse sweep does for a call: it calls the reverse sweep of the function.

import type { Atom, Stmt, Var } from "../flat/program.js";
import type { TsExpr } from "../typescript/tree.js";
import type { ModuleContext } from "./module.js";

/** The reverse of a call: its expression, and the arguments whose cotangents it gives; null where the call has none. */
export function reverseCall(
  module: ModuleContext,
  stmt: Stmt & { readonly kind: "call" | "apply" },
  seed: (result: Var) => TsExpr,
  need: (atom: Atom) => TsExpr,
): { readonly expr: TsExpr; readonly args: readonly (Atom | null)[] } | null {
  const { active } = module;
  if (stmt.kind === "apply") {
    const plain = module.plainParams(stmt.fn);
    const fn = need(stmt.fn);
    const seeds = stmt.results.filter(({ rep }) => rep.kind === "real").map(seed);
    const args = stmt.args.slice(0, plain.length).filter((_, index) => plain[index]?.kind === "real");
    return { expr: module.applyBack(stmt, fn, seeds, args.length), args };
  }
  const callee = active.procedures.get(stmt.fn);
  if (callee === undefined) return null;
  const passed = module.passedBack.argumentsOf(stmt, callee.procedure).map(need);
  const seeds = stmt.results.flatMap((result, index) => {
    const isSeeded = callee.activeResults[index] === true && callee.plain.results[index]?.kind === "real";
    return isSeeded ? [seed(result)] : [];
  });
  const args = callee.plain.params.flatMap((param, index) => {
    if (param.rep.kind !== "real" || !active.activity.has(param)) return [];
    return [stmt.args[index] ?? null];
  });
  return { expr: module.callBack(stmt.fn, [...passed, ...seeds], args.length), args };
}
