// One random program through stages, against the interpreter and finite differences.

import { siteText } from "../../src/emit/lower/lower-operators.js";
import { contract, disagreements, testWeights } from "../../src/driver/finite-differences.js";
import { realsOf, withReals } from "../../src/driver/values.js";
import { stageNames, type StageName } from "../../src/driver/stages.js";
import { firstDifference, largest } from "./compare.js";
import { BudgetExceeded, Failure, interpret, plain, type Outcome } from "./interpreter.js";
import { Model, sameValue, type Derived } from "./model.js";
import { differenceOfExports, differenceOfSingles } from "./exports.js";
import { differenceOfPullbacks } from "./pullbacks.js";
import type { Value } from "./random-arguments.js";
import { operationsBehind } from "./real.js";

/** Steps that the interpreter may take; a program that takes more is not run. */
const workBudget = 50_000;

/** `d1` and `delta` run where backpropagators are called, and paths followed, less often than this, times the number of inputs. */
const callBudget = 1_000_000;

/** Relative to the largest partial derivative, and to the sum of the absolute values that make it up. */
const tolerance = 1e-9;

/** Finite differences are taken no closer to a kink. */
const clearance = 0.05;

/** Finite differences of no more than this, relative to the value: what changes faster turns within the shortest step. */
const steepest = 1e3;

/** What a program is run through. */
export interface Plan {
  /** Each is compared with the interpreter. */
  readonly stages: readonly StageName[];
  /** Reverse stages whose pullbacks are compared with each other, to 1e-12, in all the ways in which they can be called. */
  readonly pairs: readonly (readonly [reference: StageName, other: StageName])[];
  /** Reverse stages that also give derivatives with respect to each parameter alone. */
  readonly singles?: readonly StageName[];
  /** False where finite differences are not taken: they go through `stopGradient`. */
  readonly finiteDifferences?: boolean;
}

export const everyStage: Plan = {
  stages: stageNames,
  pairs: [
    ["tape", "contrib"],
    ["tape", "adjoint"],
  ],
  singles: ["adjoint"],
};

/** What there was to compare. */
export interface Facts {
  readonly finiteDifferences: boolean;
  /** Whether an input changes the result. */
  readonly hasGradient: boolean;
  /** Operations on what depends on the inputs: how many were carried out, how many reach the result. */
  readonly operations: number;
  readonly reaching: number;
}

/** How stages disagree on a program; "too much work" where there is nothing to compare. */
export type Verdict =
  | { readonly kind: "agree"; readonly facts: Facts }
  /** In the same run-time error. */
  | { readonly kind: "fail" }
  | { readonly kind: "too much work" }
  /** In what rounding makes of this point: a few last digits of the inputs change as much. */
  | { readonly kind: "ill-conditioned" }
  | { readonly kind: "differ"; readonly how: string };

/** Inputs are changed by so much of themselves, up and down, to see what rounding may do; a result that changes more than `sensitive` shows more than that. */
const nudge = 2 ** -50;
const sensitive = 1e-11;

/** Runs the entry of a program through the stages of a plan. Throws `DoesNotCompile`, and what the compiler throws. */
export function verdictOn(
  text: string,
  entry: string,
  args: Readonly<Record<string, Value>>,
  plan: Plan = everyStage,
): Verdict {
  const verdict = verdictOf(text, entry, args, plan);
  if (verdict.kind !== "differ") return verdict;
  return isIllConditioned(new Model({ name: "random.lam", text }, [entry]), entry, args) ? { kind: "ill-conditioned" } : verdict; // prettier-ignore
}

/** Whether the value or a derivative, as the interpreter has them, changes with the last digits of the inputs by more than comparisons let through. */
export function isIllConditioned(model: Model, entry: string, args: Readonly<Record<string, Value>>): boolean {
  const [middle, ...others] = [0, nudge, -nudge].map((by) => meaningOf(model, entry, args, by));
  if (middle === null || middle === undefined || middle instanceof Failure) return false;
  return others.some((other) => {
    if (other === null || other instanceof Failure || other.reals.length !== middle.reals.length) return true;
    return middle.reals.some((real, k) => {
      const changed = other.reals[k];
      if (changed === undefined) return true;
      const value = firstDifference([changed.value], [real.value], sensitive, 1);
      return (
        value !== null || firstDifference(changed.gradient, real.gradient, sensitive, largest(real.partials)) !== null
      );
    });
  });
}

function verdictOf(text: string, entry: string, args: Readonly<Record<string, Value>>, plan: Plan): Verdict {
  const model = new Model({ name: "random.lam", text }, [entry]);
  const values = model.parameters(entry).map(({ name }) => args[name]);
  const meant = meaningOf(model, entry, args);
  if (meant === null) return { kind: "too much work" };
  if (meant instanceof Failure) {
    const how = differenceOfFailures(model, entry, values, meant, plan.stages);
    return how === null ? { kind: "fail" } : { kind: "differ", how };
  }
  for (const stage of plan.stages) {
    if ((stage === "d1" || stage === "delta") && callsOfD1(meant) > callBudget) continue;
    const how =
      difference(model, entry, stage, values, meant) ?? differenceOfExports({ model, entry, args, meant }, stage);
    if (how !== null) return { kind: "differ", how: `${stage} and the interpreter: ${how}` };
  }
  for (const stage of plan.singles ?? []) {
    const how = differenceOfSingles({ model, entry, args, meant }, stage);
    if (how !== null) return { kind: "differ", how: `${stage} and the interpreter: ${how}` };
  }
  for (const [reference, other] of plan.pairs) {
    const how = differenceOfPullbacks(model, entry, args, [reference, other], workBudget);
    if (how !== null) return { kind: "differ", how: `${other} and ${reference}: ${how}` };
  }
  const differences = plan.finiteDifferences === false ? null : differencesFromFinite(model, entry, values, meant);
  const [how] = differences ?? [];
  if (how !== undefined) return { kind: "differ", how: `finite differences and the interpreter: ${how}` };
  return {
    kind: "agree",
    facts: {
      finiteDifferences: differences !== null,
      hasGradient: meant.reals.some(({ gradient }) => gradient.some((entry) => entry !== 0)),
      operations: meant.operations,
      reaching: operationsBehind(meant.reals),
    },
  };
}

/** What the interpreter makes of it; null where it is too much work. */
function meaningOf(
  model: Model,
  entry: string,
  args: Readonly<Record<string, Value>>,
  by = 0,
): Outcome | Failure | null {
  try {
    return interpret(model.core.program, model.entry(entry), args, workBudget, by);
  } catch (error) {
    if (error instanceof BudgetExceeded) return null;
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** A program that fails, fails in every stage with a run-time error that names a place in it; in `primal` with the first. */
function differenceOfFailures(
  model: Model,
  entry: string,
  args: readonly unknown[],
  failure: Failure,
  stages: readonly StageName[],
): string | null {
  for (const stage of stages) {
    const error = errorOf(() => model.run(entry, stage, args));
    const message = error instanceof RangeError ? error.message : null;
    if (message === null) return `${stage} gives ${String(error)}, the interpreter fails: ${failure.what}`;
    const wanted = stage === "primal" ? siteText(failure.site) : "";
    if (!message.startsWith(wanted) || !/^[\w']+ \((?:random|prelude)\.lam:\d+:\d+\): /.test(message))
      return `${stage} fails with "${message}", the interpreter at ${siteText(failure.site)}`;
  }
  return null;
}

function errorOf(run: () => unknown): unknown {
  try {
    run();
    return "a value";
  } catch (error) {
    return error;
  }
}

function callsOfD1({ reals }: Outcome): number {
  return reals.reduce((sum, real) => sum + real.calls * Math.max(1, real.gradient.length), 0);
}

function difference(
  model: Model,
  entry: string,
  stage: StageName,
  args: readonly unknown[],
  meant: Outcome,
): string | null {
  const run = model.run(entry, stage, args);
  const wanted = plain(meant.value);
  const type = model.result(entry);
  const at = firstDifference(realsOf(run.value, type), realsOf(wanted, type), tolerance, 1);
  const shape = withReals(wanted, type, realsOf(run.value, type), "value");
  if (at !== null || !sameValue(shape, run.value))
    return `the value is ${JSON.stringify(run.value)}, not ${JSON.stringify(wanted)}`;
  return run.kind === "primal" ? null : differenceOfRows(model, entry, run, args, meant);
}

function differenceOfRows(
  model: Model,
  entry: string,
  run: Derived,
  args: readonly unknown[],
  meant: Outcome,
): string | null {
  const rows = model.rows(entry, run, args);
  const isFinite = meant.reals.every(({ value }) => Number.isFinite(value));
  for (const [k, real] of meant.reals.entries()) {
    const row = rows[k] ?? [];
    const gradient = row.map((_, i) => real.gradient[i] ?? 0);
    // What an infinite partial makes of rounding, no comparison can say; nor what NaN beside it makes of a zero cotangent, if multiplied.
    if (!real.partials.every(Number.isFinite) || !isFinite) continue;
    const at = firstDifference(row, gradient, tolerance, largest(real.partials));
    if (at !== null)
      return `the derivative of real ${k} by input ${at} is ${String(row[at])}, not ${String(gradient[at])}`;
  }
  // A pullback can be called any number of times.
  const again = model.rows(entry, run, args);
  return sameValue(again, rows) ? null : "a second call of the pullback gives another gradient";
}

/** Where finite differences are not the gradient; null where they cannot be taken. */
function differencesFromFinite(
  model: Model,
  entry: string,
  args: readonly unknown[],
  meant: Outcome,
): readonly string[] | null {
  if (meant.margin < clearance || meant.reals.length === 0) return null;
  const isSteep = meant.reals.some(
    ({ value, partials }) => largest(partials) > steepest * Math.max(1, Math.abs(value)),
  );
  if (isSteep) return null;
  const params = model.parameters(entry);
  const counts = params.map(({ type }, i) => realsOf(args[i], type).length);
  const point = params.flatMap(({ type }, i) => realsOf(args[i], type));
  const weights = testWeights(meant.reals.length);
  const at = (reals: readonly number[]): number => {
    let taken = 0;
    const moved = params.map(({ type }, i) => {
      const from = taken;
      taken += counts[i] ?? 0;
      return withReals(args[i], type, reals.slice(from, taken), "value");
    });
    return contract(realsOf(model.run(entry, "primal", moved).value, model.result(entry)), weights);
  };
  const exact = point.map((_, i) => contract(meant.reals.map((real) => real.gradient[i] ?? 0), weights)); // prettier-ignore
  if (!exact.every(Number.isFinite) || !Number.isFinite(at(point))) return null;
  return disagreements(at, point, exact, 1e-5).map(
    ({ index, exact: entry, differences }) => `the derivative by input ${index} is ${differences}, not ${entry}`,
  );
}
