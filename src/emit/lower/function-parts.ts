// What the versions of a function have in common.

import type { Fn } from "../../target-calculus/term.js";
import type { DefinitionContext } from "./frame.js";
import { capitalised } from "../../typescript/naming.js";
import type { Scope } from "../../typescript/naming.js";
import * as ts from "../../typescript/build.js";
import type { TsParam, TsStmt } from "../../typescript/tree.js";

/**
 * Names a function's parameters. What a function inside a loop captures must be constant there, so that each iteration has its own: such a
 * parameter has another name, and `copies` gives it its own.
 */
export function bindParams(
  fn: Fn,
  isCaptured: (param: string) => boolean,
  scope: Scope,
  context: DefinitionContext,
): { readonly params: readonly string[]; readonly copies: readonly TsStmt[] } {
  const params = fn.params.map(({ name }) => scope.fresh(isCaptured(name) ? `next${capitalised(name)}` : name));
  const copies = fn.params.flatMap(({ name }, index): TsStmt[] => {
    const param = params[index] ?? name;
    if (!isCaptured(name)) {
      context.variables.set(name, ts.id(param));
      return [];
    }
    const copy = scope.fresh(name);
    context.variables.set(name, ts.id(copy));
    return [ts.constant(copy, null, ts.id(param))];
  });
  return { params, copies };
}

/** `for (;;) { .. }` */
export function loop(iteration: readonly TsStmt[]): TsStmt {
  return { kind: "loop", label: null, body: withoutLastContinue(iteration) };
}

function withoutLastContinue(body: readonly TsStmt[]): readonly TsStmt[] {
  return body.at(-1)?.kind === "continue" ? body.slice(0, -1) : body;
}

/** The parameters with their types. */
export function lowerParams(fn: Fn, names: readonly string[], context: DefinitionContext): readonly TsParam[] {
  return fn.params.map(({ name, type }, index) => ({
    name: names[index] ?? name,
    type: context.module.types.lower(type),
    optional: false,
  }));
}

/** Counts the call of the function that is entered. */
export function countedCall({ module }: DefinitionContext): readonly TsStmt[] {
  if (!module.counted) return [];
  const target = ts.member(module.refer("cost.cost"), "functionCalls");
  return [ts.effect({ kind: "assign", op: "+=", target, value: ts.number(1) })];
}
