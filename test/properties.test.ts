// Random well-typed programs through every stage: against each other, forward mode, the interpreter and finite differences, with the
// checker of target programs on.

import fc from "fast-check";
import { expect, test } from "vitest";
import { verdictOn } from "./support/harness.js";
import { printProgram, randomPrograms, type RandomProgram } from "./support/random-program.js";
import { DoesNotCompile, Model } from "./support/model.js";

const runs = Number(process.env["DUALREV_RUNS"] ?? 100);

test("random well-typed programs compile", () => {
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
});

test(
  "every stage agrees with the interpreter and finite differences on random programs",
  () => {
    let compared = 0;
    fc.assert(
      fc.property(randomPrograms(), (program) => {
        const problem = problemOf(program);
        if (problem !== null) throw new Error(problem);
        compared += 1;
      }),
      { numRuns: runs },
    );
    expect(compared).toBeGreaterThan(runs / 2);
  },
  10_000 * Math.max(6, runs),
);

function problemOf(program: RandomProgram): string | null {
  try {
    const verdict = verdictOn(printProgram(program), "entry", program.args);
    if (verdict.kind === "no answer") fc.pre(false);
    return verdict.kind === "differ" ? verdict.how : null;
  } catch (error) {
    // Not this property: while a failure is shrunk it must not turn into another one.
    if (error instanceof DoesNotCompile || fc.PreconditionFailure.isFailure(error)) fc.pre(false);
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}
