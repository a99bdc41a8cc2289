import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withoutKeptArrays } from "./lengths.js";

const after = (text: string): string => afterPass(text, (fn) => withoutKeptArrays(fn, surroundings));

test("a pullback keeps the length of an array, not the array", () => {
  expect(
    after(`function f(x: Float64Array, y: Float64Array): Result {
      const x1 = acceptNumbersCopy(x, "f: x");
      const y1 = acceptNumbersCopy(y, "f: y");
      const early = () => x1.length;
      const n = x1.length;
      const m = y1.length;
      let sum = 0;
      for (let i = 0; i < n; i++) {
        if (i >= x1.length) {
          outside(x1, i, "f");
        }
        sum += x1[i]! * y1[i]!;
      }
      return { value: sum, pullback: () => [new Float64Array(x1.length), new Float64Array(y1.length), y1.slice()] };
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, y: Float64Array): Result {
      const x1 = acceptNumbersCopy(x, "f: x");
      const y1 = acceptNumbersCopy(y, "f: y");
      const early = () => x1.length;
      const n = x1.length;
      const m = y1.length;
      let sum = 0;
      for (let i = 0; i < n; i++) {
        if (i >= x1.length) {
          outside(x1, i, "f");
        }
        sum += x1[i]! * y1[i]!;
      }
      return {
        value: sum,
        pullback: () => [new Float64Array(n), new Float64Array(m), y1.slice()],
      };
    }
    "
  `);
});

test("what only a length is used of needs no copy; what is kept in another way does", () => {
  const copies = (use: string): boolean =>
    after(`function f(x: Float64Array, a: Float64Array[]): Result {
      const x1 = acceptNumbersCopy(x, "f: x");
      const n = x1.length;
      let sum = x1[0]!;
      ${use}
    }`).includes("acceptNumbersCopy");
  expect(copies("return () => x1.length;")).toBe(false);
  expect(copies("return () => n;")).toBe(false);
  expect(copies('sum += sameLength(x1.length, n, "f"); return () => sum;')).toBe(false);
  expect(copies("return () => x1[0]!;")).toBe(true);
  expect(copies("return x1;")).toBe(true);
  expect(copies("a[0] = x1; return () => a;")).toBe(true);
  expect(copies("const x2 = x1; return () => x2;")).toBe(true);
  expect(copies("x1[0] = 1; return () => n;")).toBe(true);
  expect(copies("g(x1); return () => n;")).toBe(true);
});
