import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withExponentials } from "./exponentials.js";

const text = `function f(xs: Float64Array, k: number): number {
  let sum = Math.exp(k);
  for (let i = 0; i < n; i++) {
    if (xs[i]! > 0) {
      sum += Math.exp(xs[i]! - Math.exp(k)) * Math.sin(k);
    }
  }
  while (Math.exp(sum) > 1) {
    sum -= 1;
  }
  return sum;
}`;

test("exponentials of loops", () => {
  expect(afterPass(text, (fn) => withExponentials(fn, surroundings, false))).toMatchInlineSnapshot(`
    "function f(xs: Float64Array, k: number): number {
      let sum = Math.exp(k);
      for (let i = 0; i < n; i++) {
        if (xs[i]! > 0) {
          sum += exp(xs[i]! - exp(k)) * Math.sin(k);
        }
      }
      while (exp(sum) > 1) {
        sum -= 1;
      }
      return sum;
    }
    "
  `);
});

test("all of a function that runs in loops", () => {
  expect(afterPass(text, (fn) => withExponentials(fn, surroundings, true))).toContain("let sum = exp(k);");
});

test("a module without the function", () => {
  const without = { ...surroundings, nameOf: () => null };
  expect(afterPass(text, (fn) => withExponentials(fn, without, true))).not.toMatch(/[^.]exp\(/);
});
