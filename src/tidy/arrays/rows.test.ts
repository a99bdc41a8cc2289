import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withRows } from "./rows.js";

const after = (text: string): string => afterPass(text, (fn, bindings) => withRows(fn, bindings, surroundings));

test("arrays that a loop keeps are rows of one", () => {
  expect(
    after(`function f(x: Float64Array, n: number): { readonly value: Float64Array; readonly pullback: () => number } {
      const m = x.length;
      const ySaved: Array<Float64Array> = new Array(Math.max(n, 0));
      let y: Float64Array = x;
      for (let i = 0; i < n; i++) {
        ySaved[i] = y;
        const y1 = new Float64Array(m);
        for (let j = 0; j < m; j++) {
          if (j >= y.length) {
            outside(y, j, "here");
          }
          y1[j] = y[j]! * 2;
        }
        y = y1;
      }
      return {
        value: y.slice(),
        pullback: () => {
          let acc = 0;
          for (let i = n - 1; i >= 0; i--) {
            const y = ySaved[i]!;
            acc += y[0]! + ySaved[0]![1]!;
          }
          return acc;
        },
      };
    }`),
  ).toMatchInlineSnapshot(`
    "function f(
      x: Float64Array,
      n: number,
    ): { readonly value: Float64Array; readonly pullback: () => number } {
      const m = x.length;
      const ySaved: Array<Float64Array> = new Array(Math.max(n, 0));
      let y: Float64Array = x;
      const rows = new Float64Array(Math.max(n, 0) * m);
      for (let i = 0; i < n; i++) {
        ySaved[i] = y;
        const y1 = rows.subarray(i * m, (i + 1) * m);
        for (let j = 0; j < m; j++) {
          if (j >= y.length) {
            outside(y, j, "here");
          }
          y1[j] = y[j]! * 2;
        }
        y = y1;
      }
      return {
        value: y.slice(),
        pullback: () => {
          let acc = 0;
          for (let i = n - 1; i >= 0; i--) {
            const y = ySaved[i]!;
            acc += y[0]! + ySaved[0]![1]!;
          }
          return acc;
        },
      };
    }
    "
  `);
});

test("not what leaves the function, or is of no known number and size", () => {
  const areRows = ({
    size = "m",
    use = "",
    count = "new Array(n)",
    read = "const z = saved[0]!; g(z[0]!);",
    loop = "let i = 0; i < n; i++",
    end = "",
  }): boolean =>
    after(`function f(x: Float64Array, n: number, all: Array<Float64Array>): Float64Array {
      const m = Math.max(x.length, all.length + 1);
      const saved: Array<Float64Array> = ${count};
      let y: Float64Array = x;
      for (${loop}) {
        const p = m + i;
        const a = new Float64Array(${size});
        a[0] = i;
        saved[i] = a;
        ${use}
      }
      ${read}
      ${end}
      return y.slice();
    }`).includes("subarray");
  expect(areRows({})).toBe(true);
  expect(areRows({ size: "9" })).toBe(true);
  expect(areRows({ use: "y = a; const h = () => a[0]!; g(h());" })).toBe(true);
  expect(areRows({ size: "8" })).toBe(false);
  expect(areRows({ size: "p" })).toBe(false);
  expect(areRows({ size: "n" })).toBe(false);
  expect(areRows({ count: "[]" })).toBe(false);
  expect(areRows({ loop: "let i = n - 1; i >= 0; i--" })).toBe(false);
  expect(areRows({ use: "if (a[0]! > 1) { break; }" })).toBe(false);
  expect(areRows({ use: "all[i] = a;" })).toBe(false);
  expect(areRows({ use: "g(a);" })).toBe(false);
  expect(areRows({ use: "g(saved);" })).toBe(false);
  expect(areRows({ use: "g({ a });" })).toBe(false);
  expect(areRows({ use: "y = a;", end: "return y;" })).toBe(false);
  expect(areRows({ end: "return saved[0]!;" })).toBe(false);
  expect(areRows({ end: "g(saved.slice());" })).toBe(false);
  expect(areRows({ read: "const z = saved[0]!; g(z);" })).toBe(false);
  expect(areRows({ read: "let z: Float64Array; z = saved[0]!; g(z);" })).toBe(false);
});
