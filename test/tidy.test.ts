// Tidied adjoint code gives the same numbers as the code that the sweeps write, bit for bit: all fixtures, and random programs. A zero may have the other
// sign. Exponentials of loops, which have a function of their own, and cotangents that are multiplied last may differ in the last digits: these passes are
// left out.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testWeights } from "../src/driver/finite-differences.js";
import { decodeArguments, realsOf, withReals } from "../src/driver/values.js";
import { exportedNames } from "../src/emit/interface/public-names.js";
import { derivedName } from "../src/emit/interface/public-names.js";
import { passesOf } from "../src/pass.js";
import type { Load } from "../src/syntax/loaded-file.js";
import type { SourceFile } from "../src/syntax/source.js";
import { functionSchedule } from "../src/tidy/passes.js";
import { fixtureNames, readFixture } from "./support/fixture.js";
import { DoesNotCompile, Model, sameValue } from "./support/model.js";
import { printProgram, type RandomProgram } from "./support/random-program.js";
import { randomPrograms } from "./support/random-shrink.js";

const runs = Number(process.env["DUALREV_RUNS"] ?? 50);

const groups = "paper authors gradbench gradients table1 constructs primitives names errors-runtime imports".split(" ");

const tidying: readonly string[] = passesOf(functionSchedule).map(({ name }) => name);

/** A model as the sweeps are written, and tidied. */
function modelsOf(...args: readonly [SourceFile, (readonly string[] | null)?, (Load | null)?]): {
  readonly plain: Model;
  readonly tidy: Model;
} {
  const [source, entries = null, load = null] = args;
  return {
    plain: new Model(source, entries, load, new Set(tidying)),
    tidy: new Model(source, entries, load, new Set(["exponentials", "recurrences"])),
  };
}

for (const group of groups) {
  describe(group, () => {
    for (const name of fixtureNames(group)) {
      test(name, { timeout: 60_000 }, () => {
        const { source, cases, load } = readFixture(group, name);
        const { plain, tidy } = modelsOf(source, null, load);
        for (const { entry, args } of cases) {
          const decoded = decodeArguments(args, plain.parameters(entry));
          if (!decoded.ok) throw new Error(`the arguments of ${entry} do not fit`);
          expect(sameValue(outcome(tidy, entry, decoded.value), outcome(plain, entry, decoded.value)), entry).toBe(
            true,
          );
        }
      });
    }
  });
}

test("random programs", { timeout: 10_000 * Math.max(6, runs) }, () => {
  let compared = 0;
  fc.assert(
    fc.property(randomPrograms(), (program) => {
      const problem = problemOf(program);
      if (problem !== null) throw new Error(problem);
      compared++;
    }),
    { numRuns: runs },
  );
  expect(compared).toBeGreaterThan(0);
});

function problemOf(program: RandomProgram): string | null {
  const source = { name: "random.lam", text: printProgram(program) };
  try {
    const { plain, tidy } = modelsOf(source, ["entry"]);
    const args = plain.parameters("entry").map(({ name }) => program.args[name]);
    const [wanted, got] = [outcome(plain, "entry", args), outcome(tidy, "entry", args)];
    return sameValue(got, wanted) ? null : `${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`;
  } catch (error) {
    if (error instanceof DoesNotCompile) fc.pre(false);
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

/** All that an entry's functions give: its value, two pullbacks and one of them again, its gradient; or the message of an error. */
function outcome(model: Model, entry: string, args: readonly unknown[]): unknown {
  try {
    const { exports } = model.module("adjoint");
    const value = exports.get(exportedNames(model.entry(entry), "reverse")[0] ?? "")?.(...args);
    const run = model.run(entry, "adjoint", args);
    if (run.kind !== "reverse") return [value, run.value];
    const type = model.result(entry);
    const weights = testWeights(realsOf(run.value, type).length);
    const cotangent = (scale: number): unknown =>
      withReals(run.value, type, weights.map((weight) => scale * weight), "cotangent"); // prettier-ignore
    const pulled = [1, -3, 1].map((scale) => run.pullback(cotangent(scale)));
    return [value, run.value, pulled, exports.get(derivedName(entry, "grad"))?.(...args)];
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}
