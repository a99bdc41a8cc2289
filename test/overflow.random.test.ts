// Random models in which numbers overflow: where the value and the gradient by the tape are finite, adjoint code has no NaN. `DUALREV_RUNS` says how many.

import fc from "fast-check";
import { expect, test } from "vitest";
import { exportOf, functionOf, propertyOf } from "../src/driver/evaluate.js";
import { realsOf } from "../src/driver/values.js";
import { derivedName } from "../src/emit/interface/public-names.js";
import { Model } from "./support/model.js";
import { anyDice } from "./support/random-models.js";
import { argumentsOfOverflow, randomOverflow } from "./support/random-overflow.js";

const runs = Number(process.env["DUALREV_RUNS"] ?? 50);

/** How many arguments each model is run on. */
const calls = 12;

test(
  "adjoint code gives no NaN where the tape gives none",
  () => {
    let overflowing = 0;
    fc.assert(
      fc.property(anyDice, (from) => {
        const text = randomOverflow(from);
        const model = new Model({ name: "random.lam", text }, ["entry"]);
        for (let call = 0; call < calls; call++) {
          const args = argumentsOfOverflow(from);
          const meant = derivative(model, "tape", args);
          if (![...meant.value, ...meant.pulled].every(Number.isFinite)) continue;
          const found = derivative(model, "adjoint", args);
          if (!found.pulled.every(Number.isFinite))
            throw new Error(`${found.pulled.join(", ")}\n${String(args)}\n${text}`);
          // Contributions may cancel
          const size = Math.max(...[...meant.value, ...meant.pulled].map(Math.abs));
          for (const [i, x] of found.grad.entries())
            expect(Math.abs(x - (found.pulled[i] ?? NaN)), text).toBeLessThanOrEqual(1e-12 * size);
          if (text.includes("exp")) overflowing += 1;
        }
      }),
      { numRuns: Math.ceil(runs / 2) },
    );
    expect(overflowing).toBeGreaterThan(runs);
  },
  10_000 * Math.max(6, runs),
);

/** The reals of the value, of the gradient by a pullback, and of the gradient by one call. */
function derivative(model: Model, stage: "adjoint" | "tape", args: readonly unknown[]) {
  const module = model.module(stage);
  const call = (name: "vjp" | "grad"): unknown =>
    exportOf(module, derivedName("entry", name))(...structuredClone(args));
  const reals = (gradient: unknown): readonly number[] =>
    model.parameters("entry").flatMap(({ name, type }) => [...realsOf(propertyOf(gradient, name), type)]);
  const vjp = call("vjp");
  return {
    value: realsOf(propertyOf(vjp, "value"), model.result("entry")),
    pulled: reals(functionOf(propertyOf(vjp, "pullback"))(1)),
    grad: reals(propertyOf(call("grad"), "grad")),
  };
}
