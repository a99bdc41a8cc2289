// Optimised programs give the values, failures and gradients of the programs themselves: all fixtures, and random programs.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CoreProgram } from "../src/driver/pipeline.js";
import { testWeights } from "../src/driver/finite-differences.js";
import { decodeArguments, realsOf, withReals } from "../src/driver/values.js";
import type { StageName } from "../src/stages/stage.js";
import { firstDifference } from "./support/compare.js";
import { fixtureNames, readFixture } from "./support/fixture.js";
import { DoesNotCompile, Model, sameValue, type Run } from "./support/model.js";
import { optimised } from "./support/optimised.js";
import { printProgram, type RandomProgram } from "./support/random-program.js";
import { randomPrograms } from "./support/random-shrink.js";

const runs = Number(process.env["DUALREV_RUNS"] ?? 50);

/** A million cells take their time on a machine that is busy. */
const timeout = 180_000;

/** Programs of these groups are run in all three stages. */
const groups = [
  "paper",
  "authors",
  "gradbench",
  "gradients",
  "models",
  "parallel",
  "table1",
  "constructs",
  "derivatives",
  "names",
  "errors-runtime",
];

/** Of these the values alone are compared; a million cells take long. */
const valueGroups = runs > 100 ? ["primitives", "deep"] : ["primitives"];

/** What may change the last bit; fixtures show that it changes no more. */
const inexact = new Set(["powers"]);

/** A model whose stages get the optimised program. */
class OptimisedModel extends Model {
  override readonly core: CoreProgram;

  constructor(plain: Model, entries: readonly string[] | null = null) {
    super(plain.source, entries);
    this.core = { ...plain.core, program: optimised(plain.core.program, inexact) };
  }
}

for (const group of [...groups, ...valueGroups]) {
  describe(group, () => {
    const stages: readonly StageName[] = groups.includes(group) ? ["primal", "tape", "forward"] : ["primal"];
    for (const name of fixtureNames(group)) {
      test(name, { timeout }, () => {
        const { source, cases } = readFixture(group, name);
        const plain = new Model(source);
        const better = new OptimisedModel(plain);
        for (const { entry, args, without } of cases) {
          const decoded = decodeArguments(args, plain.parameters(entry));
          if (!decoded.ok) throw new Error(`the arguments of ${entry} do not fit`);
          for (const stage of stages) {
            if (without.has(stage)) continue;
            expect(differenceOf(plain, better, entry, stage, decoded.value), `${entry}, ${stage}`).toBeNull();
          }
        }
      });
    }
  });
}

test("random programs", { timeout: 10_000 * Math.max(6, runs) }, () => {
  fc.assert(
    fc.property(randomPrograms(), (program) => {
      const problem = problemOf(program);
      if (problem !== null) throw new Error(problem);
    }),
    { numRuns: Math.ceil(runs / 2) },
  );
});

function problemOf(program: RandomProgram): string | null {
  const source = { name: "random.lam", text: printProgram(program) };
  try {
    const plain = new Model(source, ["entry"]);
    const better = new OptimisedModel(plain, ["entry"]);
    const args = plain.parameters("entry").map(({ name }) => program.args[name]);
    for (const stage of ["primal", "tape", "forward"] as const) {
      const problem = differenceOf(plain, better, "entry", stage, args);
      if (problem !== null) return `${stage}: ${problem}`;
    }
    return null;
  } catch (error) {
    if (error instanceof DoesNotCompile) fc.pre(false);
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

/** How two models differ on an entry; null where they agree. Values are the same to the last bit. */
function differenceOf(
  plain: Model,
  better: Model,
  entry: string,
  stage: StageName,
  args: readonly unknown[],
): string | null {
  const [wanted, got] = [attempt(plain, entry, stage, args), attempt(better, entry, stage, args)];
  if (typeof wanted === "string" || typeof got === "string") {
    return typeof wanted === typeof got ? null : `${outcomeText(got)}, not ${outcomeText(wanted)}`;
  }
  if (!sameValue(got.value, wanted.value)) return `${JSON.stringify(got.value)}, not ${JSON.stringify(wanted.value)}`;
  const [gradient, expected] = [gradientOf(better, entry, got, args), gradientOf(plain, entry, wanted, args)];
  if (!expected.every(Number.isFinite)) return null;
  const at = firstDifference(gradient, expected, 1e-9, 1);
  return at === null ? null : `partial ${at} is ${String(gradient[at])}, not ${String(expected[at])}`;
}

function outcomeText(outcome: Run | string): string {
  return typeof outcome === "string" ? `the error "${outcome}"` : JSON.stringify(outcome.value);
}

/** A run, or the message of the error that it ends with. */
function attempt(model: Model, entry: string, stage: StageName, args: readonly unknown[]): Run | string {
  try {
    return model.run(entry, stage, args);
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

/** Of the weighted sum of all reals of the result; in forward mode its derivative along a tangent of ones. */
function gradientOf(model: Model, entry: string, run: Run, args: readonly unknown[]): readonly number[] {
  if (run.kind === "primal") return [];
  const type = model.result(entry);
  const weights = testWeights(realsOf(run.value, type).length);
  const cotangent = withReals(run.value, type, weights, "cotangent");
  if (run.kind === "forward") return [model.alongOnes(entry, run, args, cotangent)];
  return model.pullBack(entry, run, args, cotangent);
}
