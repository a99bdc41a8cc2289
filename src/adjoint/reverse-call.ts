// What the reverse sweep does for a call: it calls the reverse sweep of the function.

import type { Atom, Stmt, Var } from "../flat/program.js";
import type { TsExpr } from "../typescript/tree.js";
import type { ModuleContext } from "./module.js";

/** How the reverse sweep gets what it passes. */
interface ReverseOperands {
  /** The cotangent of a real. */
  readonly seed: (result: Var) => TsExpr;
  /** The cotangents of an array, which the reverse sweep that is called may do with what it likes. */
  readonly storeIn: (result: Var) => TsExpr;
  readonly need: (atom: Atom) => TsExpr;
}

/** The reverse of a call: its expression, and the arguments whose cotangents it gives; null where the call has none. */
export function reverseCall(
  module: ModuleContext,
  stmt: Stmt & { readonly kind: "call" | "apply" },
  { seed, storeIn, need }: ReverseOperands,
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
    if (callee.isTakenBack[index] === true) return [storeIn(result)];
    return isSeeded ? [seed(result)] : [];
  });
  const args = callee.plain.params.flatMap((param, index) => {
    if (param.rep.kind !== "real" || !active.activity.has(param)) return [];
    return [stmt.args[index] ?? null];
  });
  return { expr: module.callBack(stmt.fn, [...passed, ...seeds], args.length), args };
}
