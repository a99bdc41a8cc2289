import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withTrajectories } from "./saved-states.js";

const after = (text: string): string => afterPass(text, (fn, bindings) => withTrajectories(fn, bindings, surroundings));

test("what each iteration makes out of the array before is the next row of one array", () => {
  expect(
    after(`function f(x: Float64Array, n: number): { readonly value: Float64Array; readonly pullback: () => number } {
      const m = x.length;
      // y of each iteration, for the reverse sweep
      const ySaved: Array<Float64Array> = new Array(Math.max(n, 0));
      let y: Float64Array = x;
      for (let i = 0; i < n; i++) {
        ySaved[i] = y;
        const y1 = new Float64Array(m);
        for (let j = 1; j < y.length; j++) {
          y1[j] += y[j - 1]! * y[0]!;
        }
        y = y1;
      }
      return {
        value: y.slice(),
        pullback: () => {
          let acc = 0;
          for (let i = n - 1; i >= 0; i--) {
            const y = ySaved[i]!;
            acc += y[i + 1]!;
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
      // y of all iterations, row by row
      const ySaved = new Float64Array((Math.max(n, 0) + 1) * m);
      ySaved.set(x);
      for (let i = 0; i < n; i++) {
        const row = i * m;
        const next = row + m;
        for (let j = 1; j < m; j++) {
          ySaved[next + j] += ySaved[row + j - 1]! * ySaved[row]!;
        }
      }
      const last = Math.max(n, 0) * m;
      return {
        value: ySaved.slice(last, last + m),
        pullback: () => {
          let acc = 0;
          for (let i = n - 1; i >= 0; i--) {
            const row = i * m;
            acc += ySaved[row + i + 1]!;
          }
          return acc;
        },
      };
    }
    "
  `);
});

test("what iterations keep of their own is the row of their number", () => {
  expect(
    after(`function f(x: Float64Array, n: number): number {
      const saved: Array<Float64Array> = new Array(n);
      const other: Array<Float64Array> = new Array(n);
      for (let i = 0; i < n; i++) {
        const a = new Float64Array(3);
        // b of each iteration, for the reverse sweep
        const b = new Float64Array(3);
        other[i] = b;
        a[1] = x[i]!;
        b[0] = a[1]!;
        saved[i] = a;
      }
      let acc = 0;
      for (let i = 0; i < n; i++) {
        const a = saved[i]!;
        const b = other[i]!;
        const c = other[0]!;
        acc += a[2]! + b[2]! + c[2]!;
      }
      return acc;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, n: number): number {
      // saved of each iteration, row by row
      const saved = new Float64Array(n * 3);
      // other of each iteration, row by row
      const other = new Float64Array(n * 3);
      for (let i = 0; i < n; i++) {
        const row = i * 3;
        saved[row + 1] = x[i]!;
        other[row] = saved[row + 1]!;
      }
      let acc = 0;
      for (let i = 0; i < n; i++) {
        const row = i * 3;
        const row1 = 0 * 3;
        acc += saved[row + 2]! + other[row + 2]! + other[row1 + 2]!;
      }
      return acc;
    }
    "
  `);
});

test("not where something else is done with them than with elements, or their number and size are not known", () => {
  const isOne = ({
    size = "m",
    use = "",
    count = "new Array(n)",
    read = "const z = saved[0]!; g(z[0]!);",
    loop = "let i = 0; i < n; i++",
    begin = "let y: Float64Array = x;",
    handing = "y = a;",
    keeping = "saved[i] = y;",
    end = "",
  }): boolean =>
    !after(`function f(x: Float64Array, n: number, all: Array<Float64Array>): Float64Array {
      const m = x.length;
      let k = n;
      const other = new Float64Array(m);
      other[0] = 1;
      const saved: Array<Float64Array> = ${count};
      ${begin}
      for (${loop}) {
        const p = m + i;
        ${keeping}
        const a = new Float64Array(${size});
        a[0] = y[0]!;
        ${handing}
        ${use}
      }
      ${read}
      ${end}
      return y.slice();
    }`).includes("saved: Array");
  expect(isOne({})).toBe(true);
  expect(isOne({ count: "new Array(Math.max(n, 0))" })).toBe(true);
  expect(isOne({ begin: "let y: Float64Array = other;" })).toBe(true);
  expect(isOne({ end: "const h = () => y[0]!; g(h(), y.length);" })).toBe(true);
  expect(isOne({ use: "a[0] = 2;" })).toBe(true);
  expect(isOne({ begin: "let y: Float64Array = other; g(other);" })).toBe(false);
  expect(isOne({ begin: "let y: Float64Array = other; other[0] = 2;" })).toBe(false);
  expect(isOne({ begin: "let y: Float64Array = x; g(y[0]!);" })).toBe(false);
  expect(isOne({ begin: "let y: Float64Array = new Float64Array(2);" })).toBe(false);
  expect(isOne({ begin: "let y: Float64Array = all[0]!;" })).toBe(false);
  expect(isOne({ end: "y = x;" })).toBe(false);
  expect(isOne({ end: "g(y);" })).toBe(false);
  expect(isOne({ end: "y[0] = 1;" })).toBe(false);
  expect(isOne({ end: "x[0] = 1;" })).toBe(false);
  expect(isOne({ use: "g(a);" })).toBe(false);
  expect(isOne({ use: "g(y[0]!);" })).toBe(false);
  expect(isOne({ use: "if (a[0]! > 1) { break; }" })).toBe(false);
  expect(isOne({ handing: "if (i > 1) { y = a; }" })).toBe(false);
  expect(isOne({ keeping: "saved[i + 1] = y;" })).toBe(false);
  expect(isOne({ keeping: "", use: "saved[i] = y;" })).toBe(false);
  expect(isOne({ size: "p" })).toBe(false);
  expect(isOne({ size: "n" })).toBe(false);
  expect(isOne({ count: "new Array(m)" })).toBe(false);
  expect(isOne({ count: "new Array(k)", loop: "let i = 0; i < k; i++", end: "k = 2;" })).toBe(false);
  expect(isOne({ count: "[]" })).toBe(false);
  expect(isOne({ loop: "let i = n - 1; i >= 0; i--" })).toBe(false);
  expect(isOne({ read: "const z = saved[0]!; g(z);" })).toBe(false);
  expect(isOne({ read: "const z = saved[0]!; g(z); const w = saved[1]!; g(w[0]!);" })).toBe(false);
  expect(isOne({ read: "const z = saved[0]!; g(z[0]!); const w = saved[1]!; g(w);" })).toBe(false);
  expect(isOne({ read: "const z = saved[0]!; z[0] = 1;" })).toBe(false);
  expect(isOne({ read: "g(saved[0]!);" })).toBe(false);
  expect(isOne({ read: "g(saved.length);" })).toBe(false);
});
