// One random program with derivatives: as it stands by tagged dual numbers, and resolved, by the interpreter and in stages.

import { answer } from "../../src/driver/answer.js";
import { Passes } from "../../src/driver/passes.js";
import { toCore } from "../../src/driver/pipeline.js";
import type { Program } from "../../src/core/term.js";
import { firstDifference, largest } from "./compare.js";
import { isIllConditioned, verdictOn, type Plan, type Verdict } from "./harness.js";
import { BudgetExceeded, Failure, interpret } from "./interpreter.js";
import { interpretDerivatives, type Directional } from "./interpreter-derivatives.js";
import { Model } from "./model.js";
import type { Value } from "./random-arguments.js";

/** Steps that either interpreter may take. */
const budget = 100_000;

/** Relative to the largest number, or partial derivative. */
const tolerance = 1e-9;

const plan: Plan = { stages: ["primal", "tape", "adjoint"], pairs: [["tape", "adjoint"]] };

/** How what is resolved disagrees with what stands there, or stages with each other. Throws `DoesNotCompile`, and what the compiler throws. */
export function verdictOnDerivatives(text: string, entry: string, args: Readonly<Record<string, Value>>): Verdict {
  const model = new Model({ name: "random.lam", text }, [entry]);
  const meant = meaningOf(elaborated(text, entry), entry, args);
  if (meant === null) return { kind: "too much work" };
  const stages = verdictOn(text, entry, args, { ...plan, finiteDifferences: !text.includes("stopGradient") });
  if (stages.kind === "differ" || stages.kind === "too much work" || stages.kind === "ill-conditioned") return stages;
  if (meant instanceof Failure) return stages.kind === "fail" ? stages : { kind: "differ", how: `the evaluator fails: ${meant.what}` }; // prettier-ignore
  if (stages.kind === "fail") return { kind: "differ", how: "the resolved program fails, the evaluator does not" };
  const how = differenceOf(model, entry, args, meant);
  if (how === null) return stages;
  return isIllConditioned(model, entry, args) ? { kind: "ill-conditioned" } : { kind: "differ", how };
}

/** A number for each real of the arguments. */
function direction(length: number): readonly number[] {
  return Array.from({ length }, (_, i) => 0.5 + ((i * 5) % 7) / 8);
}

/** More than any random arguments have. */
const longest = 1000;

function elaborated(text: string, entry: string): Program {
  const found: Program[] = [];
  const core = toCore({ name: "random.lam", text }, [entry], new Passes(null), null, "plain", (program) => {
    found.push(program);
    return answer(program, []);
  });
  const [whole] = found;
  if (!core.ok || whole === undefined) throw new Error("a program that compiles does not");
  return whole;
}

function meaningOf(
  program: Program,
  name: string,
  args: Readonly<Record<string, Value>>,
): Directional | Failure | null {
  const entry = program.entries.find((each) => each.name === name);
  if (entry === undefined) throw new Error(`no entry ${name}`);
  try {
    return interpretDerivatives(program, entry, args, direction(longest), budget);
  } catch (error) {
    if (error instanceof BudgetExceeded) return null;
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Where the resolved program has another value, or another derivative in the direction. */
function differenceOf(
  model: Model,
  entry: string,
  args: Readonly<Record<string, Value>>,
  { values, tangents }: Directional,
): string | null {
  const { reals } = interpret(model.core.program, model.entry(entry), args, 10 * budget);
  const at = firstDifference(reals.map(({ value }) => value), values, tolerance, 1); // prettier-ignore
  if (at !== null) return `real ${at} is ${String(reals[at]?.value)} where it is resolved, not ${String(values[at])}`;
  if (!values.every(Number.isFinite)) return null;
  for (const [k, { gradient, partials }] of reals.entries()) {
    if (!partials.every(Number.isFinite)) continue;
    const along = direction(gradient.length);
    const found = gradient.reduce((sum, partial, i) => sum + partial * (along[i] ?? 0), 0);
    const expected = tangents[k] ?? NaN;
    if (firstDifference([found], [expected], tolerance, largest(partials) * Math.max(1, gradient.length)) !== null)
      return `the derivative of real ${k} in the direction is ${found} where it is resolved, not ${expected}`;
  }
  return null;
}
