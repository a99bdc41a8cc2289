// Random models over arrays through the stages that compile them ahead of time, against the interpreter, the tape and finite differences.
// `DUALREV_RUNS` says how many.

import { test } from "vitest";
import { argumentsOfLoops, randomLoops } from "./support/random-loops.js";
import { assertAgreement } from "./support/random-models.js";

const runs = Number(process.env["DUALREV_RUNS"] ?? 50);

/** What is longer takes the interpreter long. */
const longest = 900;

test(
  "adjoint code agrees on random models over arrays",
  () => {
    assertAgreement(randomLoops, { runs: Math.ceil(runs / 2), longest, argumentLists: argumentsOfLoops });
  },
  10_000 * Math.max(6, runs),
);
