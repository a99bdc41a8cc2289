// What `bench/derivatives` has by hand is what is emitted for its models.

import { expect, test } from "vitest";
import { distance } from "../bench/compare.js";
import { callOf, derivativeCode, derivativeForms, derivativeModels } from "../bench/derivatives/index.js";
import { loopOf } from "../bench/measure.js";
import { exportOf, loadModule } from "../src/driver/evaluate.js";

for (const model of derivativeModels) {
  test(model.name, () => {
    const distances = derivativeForms.flatMap((form) => {
      const call = callOf(model, form);
      if (call === null || call.byHand === null) return [];
      const emitted = loopOf(exportOf(loadModule(derivativeCode(model, form)), call.exported), call.args, null);
      return [[form, distance(emitted(1), loopOf(call.byHand, call.args, null)(1)) < 1e-12]];
    });
    expect(distances).toEqual(distances.map(([form]) => [form, true]));
  });
}
