import { expect, test } from "vitest";
import { afterPass } from "../../../test/support/tidied.js";
import { withoutMirrors } from "./reversed-counters.js";

const after = (text: string): string => afterPass(text, withoutMirrors);

test("counters that are the distance from the end", () => {
  expect(
    after(`function f(x: Float64Array, x_: Float64Array, n: number): number {
      const last = n - 1;
      let sum = 0;
      for (let up = 0; up < n; up++) {
        const level = last - up;
        sum = x[level]! * Math.exp(level) + sum;
      }
      for (let up = n - 1; up >= 0; up--) {
        x_[last - up]! += sum * x[last - up]!;
      }
      return sum;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, x_: Float64Array, n: number): number {
      const last = n - 1;
      let sum = 0;
      for (let level = n - 1; level >= 0; level--) {
        const level1 = level;
        sum = x[level1]! * Math.exp(level1) + sum;
      }
      for (let up = 0; up < n; up++) {
        x_[up]! += sum * x[up]!;
      }
      return sum;
    }
    "
  `);
});

test("not where a counter is used in another way, or counts to something else", () => {
  expect(
    after(`function f(x: Float64Array, n: number, m: number): number {
      const last = n - 1;
      let count = n;
      const before = count - 1;
      let sum = 0;
      for (let up = 0; up < n; up++) {
        sum += x[last - up]! * up;
      }
      for (let up = 0; up < m; up++) {
        sum += x[last - up]!;
      }
      for (let up = 0; up < count; up++) {
        sum += x[before - up]!;
      }
      count = 0;
      return sum;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, n: number, m: number): number {
      const last = n - 1;
      let count = n;
      const before = count - 1;
      let sum = 0;
      for (let up = 0; up < n; up++) {
        sum += x[last - up]! * up;
      }
      for (let up = 0; up < m; up++) {
        sum += x[last - up]!;
      }
      for (let up = 0; up < count; up++) {
        sum += x[before - up]!;
      }
      count = 0;
      return sum;
    }
    "
  `);
});
