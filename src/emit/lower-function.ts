// Functions: definitions, local functions and lambdas, with their loops, and with both versions of those that recurse.

import type { Fn } from "../target/term.js";
import type { Convention, Lambda } from "./convention.js";
import { frameWords } from "./frame-words.js";
import type { DefinitionContext, Depth, Frame, FunctionLowering, KnownFunction, ModuleContext } from "./frame.js";
import { BodyLowering } from "./lower-body.js";
import { capitalised } from "./naming.js";
import type { Scope } from "./naming.js";
import { tailCallsItself } from "./tail-calls.js";
import * as ts from "./tree.js";
import type { TsExpr, TsFunction, TsParam, TsStmt } from "./typescript.js";

/** How lambdas and local functions are written. */
export const functionLowering: FunctionLowering = {
  lambda(lambda: Lambda, context: DefinitionContext, around: Frame): TsExpr {
    const { module, typing } = context;
    const scope = around.scope.inner();
    const takesDepth = module.convention.lambdaTakesDepth(lambda);
    const depth = lambdaDepth(lambda, takesDepth, module);
    const name = scope.fresh(lambda.param);
    context.variables.set(lambda.param, ts.id(name));
    const frame: Frame = { scope, depth, self: null, level: around.level + 1 };
    const body = new BodyLowering(context, frame, functionLowering).block(lambda.body, { kind: "return" });
    const arrow = ts.arrowBody([...(lambda.kind === "lam" ? countedCall(context) : []), ...body]);
    const type = typing.variable(lambda.param);
    return {
      kind: "arrow",
      params: [{ name, type: module.types.lower(type) }, ...(takesDepth ? [depthParam(module)] : [])],
      result: ts.isBlock(arrow) || ts.needsType(arrow) ? module.types.lower(typing.of(lambda.body)) : null,
      body: arrow,
    };
  },

  locals(functions: readonly Fn[], context: DefinitionContext, around: Frame): readonly TsStmt[] {
    const known = functions.map((fn) => knownFunction(fn, fn.name, around.scope, context.module.convention));
    for (const local of known) context.localFunctions.set(local.fn.name, local);
    return known.flatMap((local) =>
      lowerFunction(local, context, around.scope, around.level + 1).map((fn): TsStmt => ({ kind: "function", fn })),
    );
  },
};

/** Gives a known function its names. */
export function knownFunction(fn: Fn, wish: string, scope: Scope, convention: Convention): KnownFunction {
  const name = scope.fresh(wish);
  const isDeep = convention.cycleOf(fn) !== null;
  return {
    fn,
    name,
    deepName: isDeep ? scope.fresh(`${name}Deep`) : null,
    takesDepth: convention.takesDepth(fn),
    isValue: false,
  };
}

/** A known function in TypeScript: where it takes part in a cycle of calls, in two versions. */
export function lowerFunction(
  known: KnownFunction,
  context: DefinitionContext,
  around: Scope,
  level: number,
): readonly TsFunction[] {
  return [plainVersion(known, context, around, level)];
}

function plainVersion(known: KnownFunction, context: DefinitionContext, around: Scope, level: number): TsFunction {
  const { fn } = known;
  const scope = around.inner();
  const depth: Depth = known.takesDepth
    ? { kind: "add", name: context.module.depthName, words: frameWords(fn.params.length, fn.body) }
    : { kind: "start" };
  const isLoop = tailCallsItself(fn);
  const captured = (name: string): boolean => isLoop && context.occurrences.of(name).captured;
  // What a function inside the loop captures is constant there: each round has its own
  const params = fn.params.map(({ name }) => scope.fresh(captured(name) ? `next${capitalised(name)}` : name));
  const copies = fn.params.flatMap(({ name }, index): TsStmt[] => {
    const param = params[index] ?? name;
    if (!captured(name)) {
      context.variables.set(name, ts.id(param));
      return [];
    }
    const copy = scope.fresh(name);
    context.variables.set(name, ts.id(copy));
    return [ts.constant(copy, null, ts.id(param))];
  });
  const frame: Frame = { scope, depth, self: isLoop ? { fn: fn.name, params } : null, level };
  const body = new BodyLowering(context, frame, functionLowering).block(fn.body, { kind: "return" });
  const round = [...countedCall(context), ...copies, ...body];
  return {
    name: known.name,
    typeParams: [],
    params: [...lowerParams(fn, params, context), ...(known.takesDepth ? [depthParam(context.module)] : [])],
    result: context.module.types.lower(fn.result),
    body: isLoop ? [{ kind: "loop", label: null, body: withoutLastContinue(round) }] : round,
  };
}

function withoutLastContinue(body: readonly TsStmt[]): readonly TsStmt[] {
  return body.at(-1)?.kind === "continue" ? body.slice(0, -1) : body;
}

function lowerParams(fn: Fn, names: readonly string[], context: DefinitionContext): readonly TsParam[] {
  return fn.params.map(({ name, type }, index) => ({
    name: names[index] ?? name,
    type: context.module.types.lower(type),
    optional: false,
  }));
}

function lambdaDepth(lambda: Lambda, takesDepth: boolean, module: ModuleContext): Depth {
  return takesDepth ? { kind: "add", name: module.depthName, words: frameWords(1, lambda.body) } : { kind: "start" };
}

function depthParam(module: ModuleContext): TsParam {
  return { name: module.depthName, type: ts.typeName("number"), optional: false };
}

/** Counts the call of the function that is entered. */
function countedCall({ module }: DefinitionContext): readonly TsStmt[] {
  if (!module.counted) return [];
  const target = ts.member(module.refer("cost.cost"), "functionCalls");
  return [ts.effect({ kind: "assign", op: "+=", target, value: ts.number(1) })];
}
