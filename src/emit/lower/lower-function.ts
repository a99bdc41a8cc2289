// Functions: definitions, local functions and lambdas, with their loops, and with both versions of those that recurse.

import { unit } from "../../core/type.js";
import { inPlaceOf } from "../../location.js";
import type { Fn } from "../../target-calculus/term.js";
import type { Convention, Lambda } from "./convention.js";
import { frameWords } from "./frame-words.js";
import type { DefinitionContext, Depth, Frame, FunctionLowering, KnownFunction, ModuleContext } from "./frame.js";
import { bindParams, countedCall, loop, lowerParams } from "./function-parts.js";
import { BodyLowering } from "./lower-body.js";
import { deepVersion, resumption } from "./lower-deep.js";
import type { Scope } from "../../typescript/naming.js";
import { tailCallsItself } from "./tail-calls.js";
import { visitParts, visitStmt, type Visiting } from "../../typescript/traverse.js";
import * as ts from "../../typescript/build.js";
import { isBlock, needsType } from "../../typescript/facts.js";
import type { TsExpr, TsFunction, TsParam, TsStmt } from "../../typescript/tree.js";

/** How lambdas and local functions are written. */
export const functionLowering: FunctionLowering = {
  resumption(binding, context, depth, level) {
    return resumption(binding, context, depth, level, functionLowering);
  },

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
      params: [
        { name, type: module.types.lower(type) },
        ...(takesDepth && readsDepth(body, module) ? [depthParam(module.depthName)] : []),
      ],
      result: isBlock(arrow) || needsType(arrow) ? module.types.lower(typing.of(lambda.body)) : null,
      body: arrow,
    };
  },

  thunk(body, context, around): TsExpr {
    const frame: Frame = { scope: around.scope.inner(), depth: around.depth, self: null, level: around.level + 1 };
    return ts.thunk(ts.arrowBody(new BodyLowering(context, frame, functionLowering).block(body, { kind: "return" })));
  },

  generator({ name, params, body, isLambda }, context, around): TsFunction {
    const scope = around.scope.inner();
    const { params: names, copies } = bindParams({ name, params, result: unit, body }, () => false, scope, context);
    const frame: Frame = { scope, depth: { kind: "start" }, self: null, level: around.level + 1 };
    const stmts = new BodyLowering(context, frame, functionLowering).block(body, { kind: "return" });
    const result = context.module.types.lower({ kind: "computation", result: context.typing.of(body) });
    const own = params.map(({ type }, index): TsParam => ({ name: names[index] ?? "", type: context.module.types.lower(type), optional: false })); // prettier-ignore
    const entry = isLambda ? countedCall(context) : [];
    return { name, typeParams: [], params: own, result, body: [...entry, ...copies, ...stmts], isGenerator: true };
  },

  locals(functions: readonly Fn[], context: DefinitionContext, around: Frame): readonly TsStmt[] {
    const known = functions.map((fn) => knownFunction(fn, around.scope.fresh(fn.name), around.scope, context.module.convention)); // prettier-ignore
    for (const local of known) context.localFunctions.set(local.fn.name, local);
    return known.flatMap((local) =>
      lowerFunction(local, context, around.scope, around.level + 1).map((fn): TsStmt => ({ kind: "function", fn })),
    );
  },
};

/** A known function with the name that it has, and one for its other version. */
export function knownFunction(fn: Fn, name: string, scope: Scope, convention: Convention): KnownFunction {
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
  const deep = known.deepName === null ? [] : deepVersion(known.fn, known.deepName, context, around, level, functionLowering); // prettier-ignore
  return [plain, ...deep].map((fn) => inPlaceOf(fn, known.fn));
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
  const { params, copies } = bindParams(fn, captured, scope, context);
  const frame: Frame = { scope, depth, self: isLoop ? { fn: fn.name, params } : null, level };
  const body = new BodyLowering(context, frame, functionLowering).block(fn.body, { kind: "return" });
  const iteration = [...countedCall(context), ...copies, ...body];
  const entry = known.deepName === null ? [] : [enterDeep(known.deepName, params, module)];
  const depthName = readsDepth([...entry, ...body], module) ? module.depthName : `_${module.depthName}`;
  return {
    name: known.name,
    typeParams: [],
    params: [...lowerParams(fn, params, context), ...(known.takesDepth ? [depthParam(depthName)] : [])],
    result: module.types.lower(fn.result),
    body: [...entry, ...(isLoop ? [loop(iteration)] : iteration)],
    ...(module.stage.tasks !== undefined && fn.result.kind === "computation" ? { isGenerator: true } : {}),
  };
}

/** `if (depth > deepLimit) { return enterDeep(depth, sumDeep, xs); }` */
function enterDeep(deepName: string, params: readonly string[], { depthName, refer }: ModuleContext): TsStmt {
  const call = ts.callOf(refer("deep.enterDeep"), ts.id(depthName), ts.id(deepName), ...params.map(ts.id));
  const test = ts.binary(">", ts.id(depthName), refer("deep.deepLimit"));
  return { kind: "if", test, then: [ts.returned(call)], else: [] };
}

function lambdaDepth(lambda: Lambda, takesDepth: boolean, { module, typing }: DefinitionContext): Depth {
  if (!takesDepth) return { kind: "start" };
  const { convention } = module;
  const type = typing.of(lambda);
  const isFunction = type.kind === "fn" || type.kind === "linear";
  const mayBeInfinite =
    isFunction &&
    (convention.isOpen || convention.typeCycleOf(type) !== null) &&
    convention.lambdaCycleOf(lambda) === null;
  return { kind: mayBeInfinite ? "addFinite" : "add", name: module.depthName, words: frameWords(1, lambda.body) };
}

function depthParam(name: string): TsParam {
  return { name, type: ts.typeName("number"), optional: false };
}

/** Whether a body makes use of the depth: what takes it for the sake of other modules need not. */
function readsDepth(body: readonly TsStmt[], { convention, depthName }: ModuleContext): boolean {
  if (!convention.isOpen) return true;
  let isRead = false;
  // Functions inside may have one of their own
  const hides = (params: readonly { readonly name: string }[]): boolean =>
    params.some(({ name }) => name === depthName);
  const visiting: Visiting = {
    expr: (expr) => {
      isRead ||= expr.kind === "id" && expr.name === depthName;
      if (expr.kind !== "arrow" || !hides(expr.params)) visitParts(expr, visiting);
    },
    block: (stmts) => {
      for (const stmt of stmts) if (stmt.kind !== "function" || !hides(stmt.fn.params)) visitStmt(stmt, visiting);
    },
  };
  visiting.block(body);
  return isRead;
}
