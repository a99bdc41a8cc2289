// Values and all partial derivatives of std/special.lam and std/probability.lam against numbers of 60 digits that scripts/references-std.py has computed, which knows
// nothing of dualrev.

import { beforeAll, describe, expect, test } from "vitest";
import { compile } from "../src/driver/compile.js";
import { exportOf, functionOf, loadModule, propertyOf } from "../src/driver/evaluate.js";
import { errorOf, numbersOf, referencesOf } from "./support/std-references.js";
import { countsOf, modelOf } from "./support/std-sources.js";

/** Some derivatives in shape parameters have no closed form. */
const tolerance = { value: 1e-12, derivative: 1e-9 };

/** Of these a derivative cancels to nothing where the dispersion is large: its error is taken relative to the largest one. */
const cancelling = new Set(["negativeBinomialLogPmf", "negativeBinomialCdf"]);

describe.each(["special", "probability"])("std/%s.lam", (file) => {
  const references = Object.entries(referencesOf(file));
  let module: ReturnType<typeof loadModule>;

  beforeAll(() => {
    const text = modelOf(file, references);
    const entries = references.map(([name]) => `${name}Of`);
    const compiled = compile({ name: "references.lam", text }, { target: "js", entries });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
    module = loadModule(compiled.value.code);
  }, 300_000);

  test.each(references)("%s", (name, rows) => {
    const gradient = functionOf(exportOf(module, `${name}OfGrad`));
    for (const [args, ...expected] of rows) {
      const result = gradient(...args);
      // A count has no derivative
      const found = [propertyOf(result, "value"), ...numbersOf(propertyOf(result, "grad")).slice(countsOf(name))];
      const least = cancelling.has(name) ? Math.max(...expected.slice(1).map(([partial]) => Math.abs(partial))) : 0;
      const errors = expected.map((reference, i) =>
        errorOf(numbersOf(found[i])[0] ?? NaN, reference, i === 0 ? 0 : least),
      );
      const [value = Infinity, ...derivatives] = errors;
      const at = JSON.stringify([args, found, expected]);
      expect(found.length, at).toBe(expected.length);
      expect(value, at).toBeLessThan(tolerance.value);
      expect(Math.max(0, ...derivatives), at).toBeLessThan(tolerance.derivative);
    }
  });
});
