// Functions: definitions, local functions and lambdas, with their loops, and with both versions of those that recurse.

import type { Fn } from "../target/term.js";
import type { Convention, Lambda } from "./convention.js";
import { DeepCalls, deepNormal } from "./deep-normal.js";
import { frameWords } from "./frame-words.js";
import type { DefinitionContext, Depth, Frame, FunctionLowering, KnownFunction, ModuleContext } from "./frame.js";
import { BodyLowering } from "./lower-body.js";
import { capitalised } from "./naming.js";
import type { Scope } from "./naming.js";
import { OccurrenceTable } from "./occurrences.js";
import { tailCallsItself } from "./tail-calls.js";
import * as ts from "./tree.js";
import type { TsExpr, TsFunction, TsParam, TsStmt } from "./typescript.js";

/** How lambdas and local functions are written. */
export const functionLowering: FunctionLowering = {
  lambda(lambda: Lambda, context: DefinitionContext, around: Frame): TsExpr {
    const { module, typing } = context;
    const scope = around.scope.inner();
    const takesDepth = module.convention.lambdaTakesDepth(lambda);
    const depth = lambdaDepth(lambda, takesDepth, context);
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
  const plain = plainVersion(known, context, around, level);
  return known.deepName === null ? [plain] : [plain, deepVersion(known.fn, known.deepName, context, around, level)];
}

function plainVersion(known: KnownFunction, context: DefinitionContext, around: Scope, level: number): TsFunction {
  const { fn } = known;
  const { module } = context;
  const scope = around.inner();
  const depth: Depth = known.takesDepth
    ? { kind: "add", name: module.depthName, words: frameWords(fn.params.length, fn.body) }
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
  const entry = known.deepName === null ? [] : [enterDeep(known.deepName, params, module)];
  return {
    name: known.name,
    typeParams: [],
    params: [...lowerParams(fn, params, context), ...(known.takesDepth ? [depthParam(module)] : [])],
    result: module.types.lower(fn.result),
    body: [...entry, ...(isLoop ? [loop(round)] : round)],
  };
}

/** The version in continuation-passing style. */
function deepVersion(fn: Fn, name: string, context: DefinitionContext, around: Scope, level: number): TsFunction {
  const cycle = context.module.convention.cycleOf(fn) ?? 0;
  const calls = deepCalls(cycle, context);
  const normal = deepNormal(fn, calls, context.typing, context.names);
  context.typing.enter(normal);
  const inside: DefinitionContext = { ...context, occurrences: new OccurrenceTable(normal) };
  const scope = around.inner();
  const params = fn.params.map((param) => scope.fresh(param.name));
  fn.params.forEach((param, index) => {
    inside.variables.set(param.name, ts.id(params[index] ?? param.name));
  });
  const frame: Frame = { scope, depth: { kind: "deep", cycle, calls: deepCalls(cycle, inside) }, self: null, level };
  const body = new BodyLowering(inside, frame, functionLowering).block(normal.body, { kind: "return" });
  return {
    name,
    typeParams: [],
    params: lowerParams(fn, params, context),
    result: context.module.types.lower(fn.result),
    body: [...countedCall(context), ...body],
  };
}

/** The calls in a cycle, among all calls of a definition. */
function deepCalls(cycle: number, { module, localFunctions, typing }: DefinitionContext): DeepCalls {
  return new DeepCalls((term) => {
    if (term.kind === "call") {
      const callee = localFunctions.get(term.fn) ?? module.functions.get(term.fn);
      return callee !== undefined && module.convention.cycleOf(callee.fn) === cycle;
    }
    if (term.kind !== "app" || term.fn.kind === "lam" || term.fn.kind === "linLam") return false;
    const type = typing.of(term.fn);
    return (type.kind === "fn" || type.kind === "linear") && module.convention.typeCycleOf(type) === cycle;
  });
}

/** `if (depth > deepLimit) { return enterDeep(depth, sumDeep, xs); }` */
function enterDeep(deepName: string, params: readonly string[], { depthName, refer }: ModuleContext): TsStmt {
  const call = ts.callOf(refer("deep.enterDeep"), ts.id(depthName), ts.id(deepName), ...params.map(ts.id));
  const test = ts.binary(">", ts.id(depthName), refer("deep.deepLimit"));
  return { kind: "if", test, then: [ts.returned(call)], else: [] };
}

function loop(round: readonly TsStmt[]): TsStmt {
  return { kind: "loop", label: null, body: withoutLastContinue(round) };
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

function lambdaDepth(lambda: Lambda, takesDepth: boolean, { module, typing }: DefinitionContext): Depth {
  if (!takesDepth) return { kind: "start" };
  const { convention } = module;
  const type = typing.of(lambda);
  const isFunction = type.kind === "fn" || type.kind === "linear";
  const mayBeInfinite =
    isFunction && convention.typeCycleOf(type) !== null && convention.lambdaCycleOf(lambda) === null;
  return { kind: mayBeInfinite ? "addFinite" : "add", name: module.depthName, words: frameWords(1, lambda.body) };
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
