// The version of a function for when the JavaScript stack is used up: the trampoline of `runtime/deep.ts` runs it. Where it would call a
// function of its own cycle and go on with the result, it saves what it needs for that, says which function resumes, and makes the call a
// tail call: the next iteration of its loop, or one that the trampoline makes.

import type { Fn, Term } from "../../target-calculus/term.js";
import { allBinders, freeVariables } from "./binders.js";
import { DeepCalls, deepNormal } from "./deep-normal.js";
import { Facts } from "./facts.js";
import type { Binding, DeepDepth, DefinitionContext, Frame, FunctionLowering, Resumption } from "./frame.js";
import { bindParams, countedCall, loop, lowerParams } from "./function-parts.js";
import { BodyLowering } from "./lower-body.js";
import { isNumber } from "./lower-types.js";
import type { Scope } from "../../typescript/naming.js";
import { OccurrenceTable } from "./occurrences.js";
import { tailCalls } from "./tail-calls.js";
import * as ts from "../../typescript/build.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { plainType } from "./typing.js";

/** The deep version, and the functions that resume it. */
export function deepVersion(
  fn: Fn,
  name: string,
  around: DefinitionContext,
  scope: Scope,
  level: number,
  functions: FunctionLowering,
): readonly TsFunction[] {
  const cycle = around.module.convention.cycleOf(fn) ?? 0;
  const normal = deepNormal(fn, deepCalls(cycle, around), around.typing, around.names);
  around.typing.enter(normal);
  const own = allBinders(normal);
  const isOwn = new Set(own);
  const outer = new Map([...around.variables].filter(([variable]) => !isOwn.has(variable)));
  const context: DefinitionContext = {
    ...around,
    occurrences: new OccurrenceTable(normal),
    variables: new Map(outer),
    facts: new Facts(),
  };
  const depth: DeepDepth = {
    kind: "deep",
    cycle,
    calls: deepCalls(cycle, context),
    own,
    outer,
    result: plainType(fn.result),
    name,
    around: scope,
    resumptions: [],
    isResumption: false,
  };
  const made = tailCalls(normal.body, depth.calls);
  const isLoop = made.some((call) => isCallOf(fn, call));
  // The trampoline makes the other tail calls later: they capture their arguments
  const isCapturing = isLoop && made.some((call) => depth.calls.isCall(call) && !isCallOf(fn, call));
  const isCaptured = (param: string): boolean => isCapturing || (isLoop && context.occurrences.of(param).captured);
  const inside = scope.inner();
  const { params, copies } = bindParams(fn, isCaptured, inside, context);
  const frame: Frame = { scope: inside, depth, self: isLoop ? { fn: fn.name, params } : null, level };
  const body = new BodyLowering(context, frame, functions).block(normal.body, { kind: "return" });
  const iteration = [...countedCall(context), ...copies, ...body];
  const result = context.module.types.lower(fn.result);
  const entry: TsFunction = {
    name,
    typeParams: [],
    params: lowerParams(fn, params, context),
    result,
    body: isLoop ? [loop(iteration)] : iteration,
  };
  return [entry, ...depth.resumptions];
}

/** Writes the function that goes on with `t` in `let x = s in t`, given the value of `s`. */
export function resumption(
  binding: Binding,
  around: DefinitionContext,
  depth: DeepDepth,
  level: number,
  functions: FunctionLowering,
): Resumption {
  const name = depth.around.fresh(depth.name.replace(/Deep(?=\d*$)/, "Resume"));
  const free = freeVariables(binding.body);
  const saved = depth.own.filter((variable) => variable !== binding.name && free.has(variable));
  const context: DefinitionContext = { ...around, variables: new Map(depth.outer), facts: new Facts() };
  const { module, typing } = context;
  const scope = depth.around.inner();
  const bind = (variable: string): string => {
    const fresh = scope.fresh(variable);
    context.variables.set(variable, ts.id(fresh));
    return fresh;
  };
  const param = bind(binding.name);
  const restored = [...saved].reverse().map((variable): TsStmt => {
    const type = module.types.lower(typing.variable(variable));
    const value: TsExpr = isNumber(type)
      ? ts.callOf(module.refer("deep.restoreNumber"))
      : { kind: "as", expr: ts.callOf(module.refer("deep.restoreValue")), type };
    return ts.constant(bind(variable), null, value);
  });
  const place = depth.resumptions.length;
  const frame: Frame = { scope, depth: { ...depth, isResumption: true }, self: null, level: level + 1 };
  const body = new BodyLowering(context, frame, functions).block(binding.body, { kind: "return" });
  depth.resumptions.splice(place, 0, {
    name,
    typeParams: [],
    params: [{ name: param, type: module.types.lower(binding.type), optional: false }],
    result: module.types.lower(depth.result),
    body: [...restored, ...body],
  });
  return { name, saved };
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

function isCallOf(fn: Fn, call: Term): boolean {
  return call.kind === "call" && call.fn === fn.name;
}
