// Random programs in which fused definitions stand for operations: nothing is another number.

import fc from "fast-check";
import { expect, test } from "vitest";
import { verdictOnDerivatives } from "./support/derivatives-harness.js";
import { everyStage, verdictOn, type Verdict } from "./support/harness.js";
import { DoesNotCompile } from "./support/model.js";
import { printWithFused } from "./support/random-fused.js";
import { printProgram, type RandomProgram } from "./support/random-program.js";
import { randomDerivatives, randomPrograms } from "./support/random-shrink.js";

const runs = Math.ceil(Number(process.env["DUALREV_RUNS"] ?? 30) / 2);

/** How many of the programs, all of which have fused operations, agree in all stages. */
function agreeing(
  programs: fc.Arbitrary<RandomProgram>,
  verdict: (text: string, args: RandomProgram["args"]) => Verdict,
): number {
  let count = 0;
  fc.assert(
    fc.property(programs, (program) => {
      const text = printWithFused(printProgram(program));
      fc.pre(text !== null);
      const given = verdictOf(text, program, verdict);
      fc.pre(given !== null);
      if (given.kind === "differ") throw new Error(`${given.how}\n${text}`);
      if (given.kind === "agree") count += 1;
    }),
    { numRuns: runs },
  );
  return count;
}

/** Null where the order of a derivative is not known. */
function verdictOf(
  text: string,
  { args }: RandomProgram,
  verdict: (text: string, args: RandomProgram["args"]) => Verdict,
): Verdict | null {
  try {
    return verdict(text, args);
  } catch (error) {
    if (error instanceof DoesNotCompile && error.message.startsWith("error[E0505]")) return null;
    throw error instanceof DoesNotCompile ? new Error(`${error.message}\n${text}`, { cause: error }) : error;
  }
}

test(
  "in every stage",
  () => {
    const verdict = (text: string, args: RandomProgram["args"]): Verdict => verdictOn(text, "entry", args, everyStage);
    expect(agreeing(randomPrograms(40), verdict)).toBeGreaterThan(0.5 * runs);
  },
  10_000 * Math.max(6, runs),
);

test(
  "under derivatives",
  () => {
    const verdict = (text: string, args: RandomProgram["args"]): Verdict => verdictOnDerivatives(text, "entry", args);
    expect(agreeing(randomDerivatives(32), verdict)).toBeGreaterThan(0.5 * runs);
  },
  10_000 * Math.max(6, runs),
);
