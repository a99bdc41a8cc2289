// Random well-typed programs through every stage: against each other, forward mode, the interpreter and finite differences, with the
// checker of target programs on. `DUALREV_RUNS` says how many, `DUALREV_STATISTICS=1` prints what they were made of.

import fc from "fast-check";
import { expect, test } from "vitest";
import { verdictOn } from "./support/harness.js";
import { DoesNotCompile, Model } from "./support/model.js";
import { printProgram, type RandomProgram } from "./support/random-program.js";
import { randomPrograms } from "./support/random-shrink.js";
import { constructs, Statistics } from "./support/random-statistics.js";

const runs = Number(process.env["DUALREV_RUNS"] ?? 50);

test(
  "random well-typed programs compile",
  () => {
    fc.assert(
      fc.property(randomPrograms(), (program) => {
        try {
          new Model({ name: "random.lam", text: printProgram(program) }, ["entry"]);
        } catch (error) {
          throw new Error(String(error), { cause: error });
        }
      }),
      { numRuns: runs },
    );
  },
  1000 * Math.max(60, runs),
);

test("random programs show every construct", () => {
  const statistics = new Statistics();
  for (const program of fc.sample(randomPrograms(), { numRuns: 2000, seed: 1 })) statistics.program(program);
  expect(constructs.filter((construct) => statistics.programsWith(construct) < 5)).toEqual([]);
  expect(statistics.constructs().filter((construct) => !constructs.includes(construct))).toEqual([]);
});

test(
  "every stage agrees with the interpreter and finite differences on random programs",
  () => {
    const statistics = new Statistics();
    fc.assert(
      fc.property(randomPrograms(), (program) => {
        const problem = problemOf(program, statistics);
        if (problem !== null) throw new Error(problem);
      }),
      { numRuns: runs },
    );
    if (process.env["DUALREV_STATISTICS"] !== undefined) console.log(statistics.text());
    expect(statistics.agreeing).toBeGreaterThan(0.75 * runs);
    expect(statistics.withGradient).toBeGreaterThan(0.6 * statistics.agreeing);
    expect(statistics.reaching).toBeGreaterThan(0.45);
  },
  10_000 * Math.max(6, runs),
);

function problemOf(program: RandomProgram, statistics: Statistics): string | null {
  try {
    const verdict = verdictOn(printProgram(program), "entry", program.args);
    statistics.program(program);
    statistics.verdict(verdict);
    return verdict.kind === "differ" ? verdict.how : null;
  } catch (error) {
    // Not this property: while a failure is shrunk it must not turn into another one.
    if (error instanceof DoesNotCompile) return null;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}
