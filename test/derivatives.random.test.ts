// Random programs that differentiate: resolved and compiled, against an evaluator of the programs as they stand with tagged dual numbers. `DUALREV_RUNS` says how many.

import fc from "fast-check";
import { expect, test } from "vitest";
import { verdictOnDerivatives } from "./support/derivatives-harness.js";
import type { Verdict } from "./support/harness.js";
import { DoesNotCompile } from "./support/model.js";
import { derivativeConstructs } from "./support/random-derivatives.js";
import { constructsOf, printProgram, type RandomProgram } from "./support/random-program.js";
import { printWithRules } from "./support/random-rules.js";
import { randomDerivatives } from "./support/random-shrink.js";

const runs = Number(process.env["DUALREV_RUNS"] ?? 30);

/** The size of a definition: a derivative in a derivative makes a program several times as large. */
const fuel = 32;

test("random programs show every way to differentiate", () => {
  const shown = fc
    .sample(randomDerivatives(fuel), { numRuns: 500, seed: 1 })
    .map((each) => new Set(constructsOf(each)));
  const withConstruct = (construct: string): number => shown.filter((constructs) => constructs.has(construct)).length;
  expect(derivativeConstructs.filter((construct) => withConstruct(construct) < 5)).toEqual([]);
  // Within each other, or one after the other
  const several = shown.filter((each) => derivativeConstructs.filter((construct) => each.has(construct)).length > 1);
  expect(several.length).toBeGreaterThan(100);
});

test(
  "what is resolved agrees with tagged dual numbers, and stages with each other",
  () => {
    let [agreeing, withGradient] = [0, 0];
    fc.assert(
      fc.property(randomDerivatives(fuel), (program) => {
        fc.pre(constructsOf(program).some((construct) => derivativeConstructs.includes(construct)));
        const verdict = verdictOn(program);
        fc.pre(verdict !== null);
        if (verdict.kind === "differ") throw new Error(verdict.how);
        if (verdict.kind !== "agree") return;
        agreeing += 1;
        if (verdict.facts.hasGradient) withGradient += 1;
      }),
      { numRuns: runs },
    );
    expect(agreeing).toBeGreaterThan(0.9 * runs);
    expect(withGradient).toBeGreaterThan(0.6 * agreeing);
  },
  10_000 * Math.max(6, runs),
);

test(
  "rules that say what follows from a text change nothing",
  () => {
    let agreeing = 0;
    fc.assert(
      fc.property(randomDerivatives(fuel), (program) => {
        const text = printWithRules(program);
        fc.pre(text !== null);
        const verdict = verdictOn(program, text);
        fc.pre(verdict !== null);
        if (verdict.kind === "differ") throw new Error(`${verdict.how}\n${text}`);
        if (verdict.kind === "agree") agreeing += 1;
      }),
      { numRuns: Math.ceil(runs / 2) },
    );
    expect(agreeing).toBeGreaterThan(0.4 * runs);
  },
  10_000 * Math.max(6, runs),
);

/** Null where the order of a derivative is not known: functions of one type may take the derivative of each other. */
function verdictOn(program: RandomProgram, text = printProgram(program)): Verdict | null {
  try {
    return verdictOnDerivatives(text, "entry", program.args);
  } catch (error) {
    if (error instanceof DoesNotCompile && error.message.startsWith("error[E0505]")) return null;
    throw error instanceof DoesNotCompile ? new Error(error.message, { cause: error }) : error;
  }
}
