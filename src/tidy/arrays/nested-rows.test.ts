import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withNestedRows } from "./nested-rows.js";

const after = (text: string): string => afterPass(text, (fn, bindings) => withNestedRows(fn, bindings, surroundings));

test("what an inner loop keeps is rows of one array for each round of the outer loop", () => {
  expect(
    after(`function f(x: Float64Array, n: number): { readonly value: number; readonly pullback: () => number } {
      const m = x.length;
      // tSavedSaved of each round, for the reverse sweep
      const tSavedSaved: Array<readonly Float64Array[]> = new Array(n);
      let sum = 0;
      for (let i = 0; i < n; i++) {
        // tSaved of each round, for the reverse sweep
        const tSaved: Array<Float64Array> = new Array(m);
        tSavedSaved[i] = tSaved;
        for (let j = 0; j < m; j++) {
          // t of each round, for the reverse sweep
          const t = new Float64Array(m);
          tSaved[j] = t;
          for (let k = 0; k < t.length; k++) {
            t[k] = x[j]! * x[k]!;
            sum += t[k]!;
          }
        }
      }
      return {
        value: sum,
        pullback: () => {
          let acc = 0;
          for (let i = n - 1; i >= 0; i--) {
            const rows = tSavedSaved[i]!;
            for (let j = 0; j < m; j++) {
              const row = rows[j]!;
              acc += row[0]! + row[j]!;
            }
          }
          return acc;
        },
      };
    }`),
  ).toMatchInlineSnapshot(`
    "function f(
      x: Float64Array,
      n: number,
    ): { readonly value: number; readonly pullback: () => number } {
      const m = x.length;
      // tSavedSaved of each round, for the reverse sweep
      const tSaved: Array<readonly Float64Array[]> = new Array(n);
      let sum = 0;
      for (let i = 0; i < n; i++) {
        // tSaved#7 of each round, row by row
        const tSaved1 = new Float64Array(m * m);
        tSaved[i] = tSaved1;
        for (let j = 0; j < m; j++) {
          const row = j * m;
          for (let k = 0; k < m; k++) {
            tSaved1[row + k] = x[j]! * x[k]!;
            sum += tSaved1[row + k]!;
          }
        }
      }
      return {
        value: sum,
        pullback: () => {
          let acc = 0;
          for (let i = n - 1; i >= 0; i--) {
            const rows = tSaved[i]!;
            for (let j = 0; j < m; j++) {
              const row = j * m;
              acc += rows[row]! + rows[row + j]!;
            }
          }
          return acc;
        },
      };
    }
    "
  `);
});

test("not where something else is done with them than with elements, or their size is not known in front", () => {
  const isOne = ({
    size = "m",
    count = "m",
    use = "",
    behind = "",
    outer = "saved[i] = inner;",
    read = "const b = again[j]!; sum += b[0]!;",
    end = "",
  }): boolean =>
    !after(`function f(x: Float64Array, n: number, all: Array<Array<Float64Array>>): number {
      const m = x.length;
      const saved: Array<Array<Float64Array>> = new Array(n);
      let sum = 0;
      for (let i = 0; i < n; i++) {
        const own = all.length;
        const inner: Array<Float64Array> = new Array(${count});
        ${outer}
        for (let j = 0; j < m; j++) {
          const a = new Float64Array(${size});
          inner[j] = a;
          a[0] = x[j]!;
          ${use}
        }
        ${behind}
      }
      for (let i = 0; i < n; i++) {
        const again = saved[i]!;
        for (let j = 0; j < m; j++) {
          ${read}
        }
      }
      ${end}
      return sum;
    }`).includes("inner[j] = a;");
  expect(isOne({})).toBe(true);
  expect(isOne({ size: "n" })).toBe(false);
  expect(isOne({ use: "g(a);" })).toBe(false);
  expect(isOne({ use: "a.fill(1);" })).toBe(false);
  expect(isOne({ use: "if (a[0]! > 1) { break; }" })).toBe(false);
  expect(isOne({ use: "inner[0] = a;" })).toBe(false);
  expect(isOne({ count: "n" })).toBe(false);
  expect(isOne({ behind: "g(inner);" })).toBe(false);
  expect(isOne({ behind: "sum += inner[0]![0]!;" })).toBe(false);
  expect(isOne({ behind: "const c = inner[0]!; sum += c[0]!;" })).toBe(true);
  expect(isOne({ outer: "" })).toBe(false);
  expect(isOne({ outer: "all[i] = inner;" })).toBe(false);
  expect(isOne({ outer: "saved[i] = inner; saved[0] = inner;" })).toBe(false);
  expect(isOne({ read: "g(again);" })).toBe(false);
  expect(isOne({ read: "const b = again[j]!; g(b);" })).toBe(false);
  expect(isOne({ read: "const b = again[j]!; b[0] = 1;" })).toBe(false);
  expect(isOne({ end: "g(saved);" })).toBe(false);
  const ownSize = "const own = all.length;";
  expect(after(`function f(all: Array<Float64Array>, n: number): void {
    const saved: Array<Array<Float64Array>> = new Array(n);
    for (let i = 0; i < n; i++) {
      ${ownSize}
      const inner: Array<Float64Array> = new Array(3);
      saved[i] = inner;
      for (let j = 0; j < 3; j++) {
        const a = new Float64Array(own);
        inner[j] = a;
      }
    }
  }`)).toContain("new Float64Array(own)"); // prettier-ignore
});
