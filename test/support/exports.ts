// What an emitted module exports besides a pullback for all parameters: the value alone, the gradient of a real, derivatives with respect to one
// parameter; and whose memory results are in.

import { exportOf, functionOf, propertyOf, type LoadedModule } from "../../src/driver/evaluate.js";
import { stageNamed, type StageName } from "../../src/driver/stages.js";
import { realsOf } from "../../src/driver/values.js";
import { derivedName, propertyName } from "../../src/emit/interface/public-names.js";
import { firstDifference, largest } from "./compare.js";
import { plain, type Outcome } from "./interpreter.js";
import { sameValue, type Model } from "./model.js";
import type { Value } from "./random-arguments.js";
import { sharing } from "./sharing.js";

/** Relative to the largest real, or partial derivative. */
const tolerance = 1e-9;

/** A call of an entry: what it is given, and what the interpreter makes of that. */
export interface Called {
  readonly model: Model;
  readonly entry: string;
  readonly args: Readonly<Record<string, Value>>;
  readonly meant: Outcome;
}

/** How the value alone and the gradient in a stage differ from the interpreter's; null: not at all, and each is in memory of its own. */
export function differenceOfExports(called: Called, stage: StageName): string | null {
  const { model, entry, meant } = called;
  if (stageNamed(stage).mode !== "reverse") return null;
  const own = argumentsOf(called);
  const module = model.module(stage);
  const value = exportOf(module, propertyName(entry))(...own);
  const reals = realsOf(value, model.result(entry));
  const at = firstDifference(reals, realsOf(plain(meant.value), model.result(entry)), tolerance, 1);
  if (at !== null) return `real ${at} of the value alone is ${String(reals[at])}`;
  const shared = sharing(own, value);
  if (shared !== null) return `the value alone ${shared}`;
  const names = model.parameters(entry).map(({ name }) => name);
  return differenceOfGradient(called, module, names, own) ?? differenceOfArguments(called, own);
}

/** The same for gradients and pullbacks with respect to one parameter, each in turn. */
export function differenceOfSingles(called: Called, stage: StageName): string | null {
  const { model, entry } = called;
  const params = model.parameters(entry);
  if (model.result(entry).kind !== "real" || params.length < 2) return null;
  const own = argumentsOf(called);
  for (const { name } of params) {
    const module = model.moduleFor(stage, [name]);
    const pullback = functionOf(propertyOf(exportOf(module, derivedName(entry, "vjp"))(...own), "pullback"));
    const how =
      differenceOfGradient(called, module, [name], own) ??
      differenceOfParts(called, pullback(1), [name], own) ??
      differenceOfParts(called, pullback(1), [name], own);
    if (how !== null) return `with respect to ${name} alone: ${how}`;
  }
  return differenceOfArguments(called, own);
}

/** The arguments, in memory of their own; what is there twice is shared in it too. */
function argumentsOf({ model, entry, args }: Called): readonly unknown[] {
  return structuredClone(model.parameters(entry).map(({ name }) => args[name]));
}

function differenceOfArguments(called: Called, after: readonly unknown[]): string | null {
  return sameValue(argumentsOf(called), after) ? null : "the arguments have been changed";
}

function differenceOfGradient(
  called: Called,
  module: LoadedModule,
  names: readonly string[],
  own: readonly unknown[],
): string | null {
  const { model, entry } = called;
  if (model.result(entry).kind !== "real" || own.length === 0) return null;
  const grad = exportOf(module, derivedName(entry, "grad"));
  const [first, second] = [grad(...own), grad(...own)];
  if (!sameValue(first, second)) return "a second gradient is another one";
  if (!sameValue(first, grad(...own, propertyOf(second, "grad"))))
    return "a gradient in another's memory is another one";
  return differenceOfParts(called, propertyOf(first, "grad"), names, own);
}

/** How a gradient by some parameters differs from that of the interpreter. */
function differenceOfParts(
  { model, entry, meant }: Called,
  gradient: unknown,
  names: readonly string[],
  own: readonly unknown[],
): string | null {
  const shared = sharing(own, gradient);
  if (shared !== null) return `the gradient ${shared}`;
  const [real] = meant.reals;
  if (real === undefined || !real.partials.every(Number.isFinite)) return null;
  let from = 0;
  for (const [i, { name, type }] of model.parameters(entry).entries()) {
    const count = realsOf(own[i], type).length;
    const wanted = Array.from({ length: count }, (_, k) => real.gradient[from + k] ?? 0);
    from += count;
    if (!names.includes(name)) continue;
    const part = realsOf(propertyOf(gradient, propertyName(name)), type);
    const at = firstDifference(part, wanted, tolerance, largest(real.partials));
    if (at !== null) return `the gradient of ${name} has ${String(part[at])} as real ${at}, not ${String(wanted[at])}`;
  }
  return null;
}
