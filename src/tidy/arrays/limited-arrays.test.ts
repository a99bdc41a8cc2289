import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withLimitedArrays } from "./limited-arrays.js";

const after = (text: string): string => afterPass(text, (fn) => withLimitedArrays(fn, surroundings));

test("arrays of loops without a known end, but for those that count their iterations", () => {
  expect(
    after(`function f(n: number, x: number): void {
      const all: number[] = [];
      const saved: number[] = [];
      const counted: number[] = [];
      for (let i = 0; i < n; i++) all.push(i);
      let k = n;
      while (k !== 0) {
        k -= 1;
        if (k > 3) saved.push(k);
      }
      let iterations = 0;
      for (;;) {
        counted.push(x);
        if (x > n) break;
        if (iterations === 67108864) endless(iterations);
        iterations += 1;
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(n: number, x: number): void {
      const all: readonly number[] = [];
      const saved: readonly number[] = [];
      const counted: readonly number[] = [];
      for (let i = 0; i < n; i++) {
        all.push(i);
      }
      let k = n;
      while (k !== 0) {
        k -= 1;
        if (k > 3) {
          keep(saved, k);
        }
      }
      let iterations = 0;
      for (;;) {
        counted.push(x);
        if (x > n) {
          break;
        }
        if (iterations === 67108864) {
          endless(iterations);
        }
        iterations += 1;
      }
    }
    "
  `);
});
