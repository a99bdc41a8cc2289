import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withFirstIterationsOutside } from "./loop-peeling.js";

const after = (text: string): string =>
  afterPass(text, (fn, bindings) => withFirstIterationsOutside(fn, bindings, surroundings));

test("the iteration that took the way out", () => {
  expect(
    after(`function f(x: number, saved: Float64Array): number {
      let iterations = 0;
      while (g()) iterations += 1;
      let x_ = 0;
      for (let iteration = iterations; iteration >= 0; iteration--) {
        const t = saved[iteration]!;
        let x_1 = 0;
        if (iteration === iterations) {
          x_1 += x;
        } else {
          x_1 += x_ * t;
        }
        x_ = x_1;
      }
      return x_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number, saved: Float64Array): number {
      let iterations = 0;
      while (g()) {
        iterations += 1;
      }
      let x_ = 0;
      const t = saved[iterations]!;
      let x_1 = 0;
      x_1 += x;
      x_ = x_1;
      for (let iteration = iterations - 1; iteration >= 0; iteration--) {
        const t = saved[iteration]!;
        let x_1 = 0;
        x_1 += x_ * t;
        x_ = x_1;
      }
      return x_;
    }
    "
  `);
});

test("not where there may be no iteration, or the count changes", () => {
  expect(
    after(`function f(x: number, count: number): number {
      let x_ = 0;
      for (let iteration = count; iteration >= 0; iteration--) {
        if (iteration === count) x_ = x;
        else x_ = x_ * 2;
      }
      let iterations = 0;
      for (let iteration = iterations; iteration >= 0; iteration--) {
        if (iteration === iterations) x_ = x;
        else iterations += 1;
      }
      return x_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: number, count: number): number {
      let x_ = 0;
      for (let iteration = count; iteration >= 0; iteration--) {
        if (iteration === count) {
          x_ = x;
        } else {
          x_ = x_ * 2;
        }
      }
      let iterations = 0;
      for (let iteration = iterations; iteration >= 0; iteration--) {
        if (iteration === iterations) {
          x_ = x;
        } else {
          iterations += 1;
        }
      }
      return x_;
    }
    "
  `);
});

test("where the count has been saved in an array that nothing else has", () => {
  const text = (use: string): string =>
    `function f(n: number, seed: number): number {
      const iterationsSaved: Array<number> = new Array(n);
      for (let i = 0; i < n; i++) {
        let iterations = 0;
        while (g()) iterations += 1;
        iterationsSaved[i] = iterations;
      }
      ${use}
      let x_ = 0;
      for (let i = 0; i < n; i++) {
        const iterations = iterationsSaved[i]!;
        for (let iteration = iterations; iteration >= 0; iteration--) {
          if (iteration === iterations) x_ = seed;
          else x_ = x_ * 2;
        }
      }
      return x_;
    }`;
  expect(after(text(""))).toContain(`    x_ = seed;
    for (let iteration = iterations - 1; iteration >= 0; iteration--) {
      x_ = x_ * 2;
    }`);
  for (const use of [
    "h(iterationsSaved);",
    "iterationsSaved[0] = n;",
    "iterationsSaved[0]! += 1;",
    "const other = iterationsSaved;",
  ])
    expect(after(text(use))).toContain("for (let iteration = iterations; iteration >= 0; iteration--)");
});
