// Random models over lists through the stages that compile them ahead of time, against the interpreter, the tape and finite differences.
// `DUALREV_RUNS` says how many.

import fc from "fast-check";
import { test } from "vitest";
import { verdictOn, type Plan } from "./support/harness.js";
import { argumentsOfWalks, randomWalks } from "./support/random-walks.js";

const runs = Number(process.env["DUALREV_RUNS"] ?? 100);

/** What is longer takes the interpreter long. */
const longest = 1200;

const plan: Plan = { stages: ["primal", "tape", "adjoint"], pairs: [["tape", "adjoint"]] };

/** Models, by the numbers that their terms are drawn with. */
const models = fc.infiniteStream(fc.nat({ max: 2 ** 30 - 1 })).map((numbers) => {
  const next = (): number => numbers.next().value / 2 ** 30;
  return randomWalks({ fraction: next, int: (low, high) => low + Math.floor(next() * (high - low + 1)) });
});

test(
  "adjoint code agrees on random models over lists",
  () => {
    fc.assert(
      fc.property(models, (text) => {
        fc.pre(text.length < longest);
        for (const args of argumentsOfWalks) {
          const verdict = verdictOn(text, "entry", args, plan);
          if (verdict.kind === "differ") throw new Error(`${verdict.how}\n${text}`);
        }
      }),
      { numRuns: Math.ceil(runs / 2) },
    );
  },
  10_000 * Math.max(6, runs),
);
