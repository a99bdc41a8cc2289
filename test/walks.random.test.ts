// Random models over lists through the stages that compile them ahead of time, against the interpreter, the tape and finite differences.
// `DUALREV_RUNS` says how many.

import { test } from "vitest";
import { argumentsOfWalks, randomWalks } from "./support/random-walks.js";
import { assertAgreement } from "./support/random-models.js";

const runs = Number(process.env["DUALREV_RUNS"] ?? 50);

/** What is longer takes the interpreter long. */
const longest = 1500;

test(
  "adjoint code agrees on random models over lists",
  () => {
    assertAgreement(randomWalks, { runs: Math.ceil(runs / 2), longest, argumentLists: argumentsOfWalks });
  },
  10_000 * Math.max(6, runs),
);
