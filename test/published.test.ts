// examples/published/: models fitted to data from the literature give the estimates that are printed there, to the last digit that is.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile } from "../src/driver/compile.js";
import { exportOf, loadModule } from "../src/driver/evaluate.js";
import { numbersOf, partsOf } from "./support/std-references.js";

const folder = new URL("../examples/published/", import.meta.url);

/** What is printed, as it is printed: each list of the result by itself. */
const published: readonly (readonly [string, readonly string[]])[] = [
  ["probit", ["-7.452", "1.626", "0.052", "1.426", "2.542", "0.694", "0.084", "0.595", "-12.819"]],
  ["weibull", ["3.516", "-1.267", "-0.312", "0.252", "0.311", "0.147", "-106.6"]],
  ["local-level", ["15099", "1469.1"]],
  ["elevation", ["912.5", "-5.0", "-16.5", "1693.1", "34.9", "0.8", "-240.1"]],
  ["absorption", ["-2.9196", "0.5752", "-3.9159", "0.1709", "0.1728", "0.1273", "0.732"]],
  // The search behind what is printed stopped at 5e-4 from where the likelihood is largest: two digits are left out
  ["herds", ["-1.40", "-0.99", "-1.13", "-1.58", "-0.44"]],
];

test.each(published)("%s", (name, printed) => {
  const text = readFileSync(new URL(`${name}.lam`, folder), "utf8");
  const compiled = compile({ name: `${name}.lam`, text }, { target: "js", stage: "primal", entries: ["fit"] });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  const data: unknown = JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"));
  const found = numbersOf(exportOf(loadModule(compiled.value.code), "fit")(...partsOf(data)));
  expect(found.length).toBe(printed.length);
  printed.forEach((number, i) => {
    const digits = (number.split(".")[1] ?? "").length;
    expect(Math.abs((found[i] ?? NaN) - Number(number)), number).toBeLessThan(10 ** -digits);
  });
});
