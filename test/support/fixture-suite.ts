// Fixtures through every stage: values and derivatives as their JSON files give them (fixtures/README.md).

import { describe, expect, test } from "vitest";
import { decodeArguments, decodeValue, realsOf, withReals, type Decoded } from "../../src/driver/values.js";
import { stageNames, type StageName } from "../../src/driver/stages.js";
import { firstDifference } from "./compare.js";
import { fixtureNames, readFixture, type Case, type Derivative } from "./fixture.js";
import { Model, sameValue, type Run } from "./model.js";

/** A million cells take their time on a machine that is busy. */
const timeout = 600_000;

/** A test for each fixture of some groups. */
export function testFixtures(...groups: readonly string[]): void {
  for (const group of groups) {
    describe(group, () => {
      fixtureNames(group).forEach((name, place) => {
        test(name, { timeout }, () => {
          // Read here, not for all tests beforehand: the collector would go through the millions of cells of all the others again and again
          const fixture = readFixture(group, name);
          const model = new Model(fixture.source, null, fixture.load);
          for (const item of fixture.cases) {
            const args = decoded(decodeArguments(item.args, model.parameters(item.entry)));
            for (const stage of stagesOf(item).filter((stage) => !inTurns.has(group) || isInTurn(stage, place))) {
              const problem = problemOf(model, item, stage, args);
              expect(problem, `${group}/${name}, ${item.entry}, stage ${stage}`).toBeNull();
            }
          }
        });
      });
    });
  }
}

/** The library and derivatives, which are resolved before any stage and take long to compile; and what is there for passes of `adjoint`, or for what all stages have in common. */
const inTurns: ReadonlySet<string> = new Set(["std", "derivatives", "constructs", "models", "memory", "imports"]);

/** Of these the stages of the figures take turns from file to file, but for the last ones of each paper: their rules are shown by small programs. `DUALREV_STAGES=all`: all. */
function isInTurn(stage: StageName, place: number): boolean {
  if (process.env["DUALREV_STAGES"] === "all") return true;
  return ["primal", "forward", "delta-let-array", "d4", "tape", "adjoint"].includes(stage) || (stageNames.indexOf(stage) + place) % 4 === 0; // prettier-ignore
}

function stagesOf(item: Case): readonly StageName[] {
  return (item.only ?? stageNames).filter((stage) => !item.without.has(stage));
}

/** What is wrong with what a stage makes of a case, by `fVjp` and by `fGrad`; null: nothing. */
function problemOf(model: Model, item: Case, stage: StageName, args: readonly unknown[]): string | null {
  const { entry, expected } = item;
  if (expected.kind === "error") {
    const problem = problemOfError(() => model.run(entry, stage, args), expected.message);
    if (problem !== null || !model.hasGradient(entry, stage)) return problem;
    return problemOfError(() => model.gradient(entry, stage, args), expected.message);
  }
  const wanted = decoded(decodeValue(expected.value, model.result(entry), "value"));
  const problem = problemOfRun(model, item, model.run(entry, stage, args), args, wanted, expected.derivative);
  if (problem !== null || !model.hasGradient(entry, stage) || hasOtherCotangent(expected.derivative)) return problem;
  const gradient = model.gradient(entry, stage, args);
  const other = problemOfRun(model, item, gradient, args, wanted, expected.derivative);
  return other === null ? null : `by itself: ${other}`;
}

/** Whether a derivative is for another cotangent than 1. */
function hasOtherCotangent(derivative: Derivative): boolean {
  return derivative.kind !== "rows" && derivative.cotangent !== null && derivative.cotangent !== 1;
}

function problemOfRun(
  model: Model,
  item: Case,
  run: Run,
  args: readonly unknown[],
  wanted: unknown,
  derivative: Derivative,
): string | null {
  const type = model.result(item.entry);
  const reals = realsOf(wanted, type);
  const at = firstDifference(realsOf(run.value, type), reals, item.relative, item.scale);
  if (at !== null) return `value: real ${at} is ${String(realsOf(run.value, type)[at])}, not ${String(reals[at])}`;
  if (!sameValue(withReals(run.value, type, reals, "value"), wanted)) return "value: another shape";
  return problemOfDerivative(model, item, run, args, derivative);
}

function problemOfError(run: () => unknown, message: string): string | null {
  try {
    run();
  } catch (error) {
    if (!(error instanceof RangeError)) return `not a RangeError: ${String(error)}`;
    return error.message === message ? null : `the error is "${error.message}", not "${message}"`;
  }
  return "no error";
}

function problemOfDerivative(
  model: Model,
  item: Case,
  run: Run,
  args: readonly unknown[],
  derivative: Derivative,
): string | null {
  const { entry, relative, scale } = item;
  const gradientOf = (document: unknown): readonly number[] => {
    const params = model.parameters(entry);
    return decoded(decodeArguments(document, params)).flatMap((part, i) =>
      realsOf(part, params[i]?.type ?? { kind: "unit" }),
    );
  };
  const differs = (what: string, got: readonly number[], wanted: readonly number[]): string | null => {
    const at = firstDifference(got, wanted, relative, scale);
    return at === null ? null : `${what}: number ${at} is ${String(got[at])}, not ${String(wanted[at])}`;
  };
  if (run.kind === "primal") return null;
  switch (derivative.kind) {
    case "rows": {
      const rows = model.rows(entry, run, args);
      if (rows.length !== derivative.rows.length)
        return `${rows.length} reals in the result, not ${derivative.rows.length}`;
      const problems = rows.map((row, k) => differs(`gradient ${k}`, row, gradientOf(derivative.rows[k])));
      return problems.find((problem) => problem !== null) ?? null;
    }
    case "pullback": {
      const cotangent = decoded(decodeValue(derivative.cotangent, model.result(entry), "cotangent"));
      return differs("gradient", model.pullBack(entry, run, args, cotangent), gradientOf(derivative.gradient));
    }
    case "sums": {
      const cotangent =
        derivative.cotangent === null
          ? 1
          : decoded(decodeValue(derivative.cotangent, model.result(entry), "cotangent"));
      // In forward mode one tangent of ones gives the sum.
      if (run.kind === "forward")
        return differs("sum", [model.alongOnes(entry, run, args, cotangent)], [derivative.sum]);
      const gradient = model.pullBack(entry, run, args, cotangent);
      const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
      const squares =
        derivative.squares === null
          ? null
          : differs("squares", [sum(gradient.map((x) => x * x))], [derivative.squares]);
      return differs("sum", [sum(gradient)], [derivative.sum]) ?? squares;
    }
  }
}

function decoded<T>(result: Decoded<T>): T {
  if (result.ok) return result.value;
  const { path, expected, found } = result.mistake;
  throw new Error(`${path}: expected ${expected}, found ${found}`);
}
