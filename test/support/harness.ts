// One random program through every stage, against the interpreter and finite differences.

import { compareGradients, contract, finiteDifferences, testWeights } from "../../src/driver/finite-differences.js";
import { realsOf, withReals } from "../../src/driver/values.js";
import { stageNames } from "../../src/stages/index.js";
import type { StageName } from "../../src/stages/stage.js";
import { firstDifference, largest } from "./compare.js";
import { BudgetExceeded, interpret, plain, type Outcome } from "./interpreter.js";
import { Model, sameValue, type Derived } from "./model.js";
import type { Value } from "./random-program.js";

/** Steps that the interpreter may take; a program that takes more is not run. */
const workBudget = 50_000;

/** D1 runs where its backpropagators are called less often than this, times the number of inputs. */
const callBudget = 1_000_000;

/** Relative to the largest partial derivative, and to the sum of the absolute values that make it up. */
const tolerance = 1e-9;

/** Finite differences are taken no closer to a kink. */
const clearance = 0.05;

/** How stages disagree on a program; "no answer" where the program does too much work or fails, so that there is nothing to compare. */
export type Verdict = { readonly kind: "agree" | "no answer" } | { readonly kind: "differ"; readonly how: string };

/** Runs the entry of a program through all stages. Throws `DoesNotCompile`, and what the compiler throws. */
export function verdictOn(text: string, entry: string, args: Readonly<Record<string, Value>>): Verdict {
  const model = new Model({ name: "random.lam", text }, [entry]);
  let meant: Outcome;
  try {
    meant = interpret(model.core.program, model.entry(entry), args, workBudget);
  } catch (error) {
    if (error instanceof BudgetExceeded || error instanceof RangeError) return { kind: "no answer" };
    throw error;
  }
  const values = model.parameters(entry).map(({ name }) => args[name]);
  for (const stage of stageNames) {
    if (stage === "d1" && callsOfD1(meant) > callBudget) continue;
    const how = difference(model, entry, stage, values, meant);
    if (how !== null) return { kind: "differ", how: `${stage} and the interpreter: ${how}` };
  }
  const how = differenceFromFinite(model, entry, values, meant);
  return how === null ? { kind: "agree" } : { kind: "differ", how: `finite differences and the interpreter: ${how}` };
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
  for (const [k, real] of meant.reals.entries()) {
    const row = rows[k] ?? [];
    const gradient = row.map((_, i) => real.gradient[i] ?? 0);
    // What an infinite partial makes of rounding, no comparison can say.
    if (!real.partials.every(Number.isFinite)) continue;
    const at = firstDifference(row, gradient, tolerance, largest(real.partials));
    if (at !== null)
      return `the derivative of real ${k} by input ${at} is ${String(row[at])}, not ${String(gradient[at])}`;
  }
  // A pullback can be called any number of times.
  const again = model.rows(entry, run, args);
  return sameValue(again, rows) ? null : "a second call of the pullback gives another gradient";
}

function differenceFromFinite(model: Model, entry: string, args: readonly unknown[], meant: Outcome): string | null {
  if (meant.margin < clearance || meant.reals.length === 0) return null;
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
  const [first] = compareGradients(exact, finiteDifferences(at, point), 1e-5);
  return first === undefined
    ? null
    : `the derivative by input ${first.index} is ${first.differences}, not ${first.exact}`;
}
