import { expect, test } from "vitest";
import { afterPass } from "../../../test/support/tidied.js";
import { withoutOwnElements } from "./array-contraction.js";

const after = (text: string): string => afterPass(text, (fn, bindings) => withoutOwnElements(fn, bindings));

test("what only an iteration uses is a variable of the iteration", () => {
  expect(
    after(`function f(y_: Float64Array, n: number): void {
      const x = new Float64Array(n);
      const z = new Float64Array(n);
      const w = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        x[i] = Math.exp(i);
        if (i > 2) {
          z[i]! += 1;
        }
        w[i]! += x[i]!;
        w[i]! += z[i]!;
        y_[i]! += w[i]!;
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(y_: Float64Array, n: number): void {
      for (let i = 0; i < n; i++) {
        const x = Math.exp(i);
        let z = 0;
        if (i > 2) {
          z += 1;
        }
        let w = x;
        w += z;
        y_[i]! += w;
      }
    }
    "
  `);
});

test("what a branch sets is what new elements are in front of it", () => {
  expect(
    after(`function f(y_: Float64Array, n: number): void {
      const rowSaved: Array<Float64Array> = new Array(n);
      const isPositiveSaved: Array<boolean> = new Array(n);
      for (let i = 0; i < n; i++) {
        if (y_[i]! > 0) {
          const row = new Float64Array(2);
          rowSaved[i] = row;
          isPositiveSaved[i] = y_[0]! > 0;
        }
        if (isPositiveSaved[i]!) {
          const row = rowSaved[i]!;
          y_[i]! += row[1]!;
        }
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(y_: Float64Array, n: number): void {
      for (let i = 0; i < n; i++) {
        let rowKept: Float64Array | undefined;
        let isPositiveKept = false;
        if (y_[i]! > 0) {
          const row = new Float64Array(2);
          rowKept = row;
          isPositiveKept = y_[0]! > 0;
        }
        if (isPositiveKept) {
          const row = rowKept as Float64Array;
          y_[i]! += row[1]!;
        }
      }
    }
    "
  `);
});

test("not where another iteration, another loop, a function or the caller uses it, nor in a copy", () => {
  const isArray = (body: string, rest = "", size = "n"): boolean =>
    after(`function f(y: Float64Array, n: number): Float64Array {
      const x = new Float64Array(${size});
      for (let i = 0; i < n; i++) {
        x[i] = y[i]!;
        ${body}
      }
      ${rest}
    }`).includes("new Float64Array");
  expect(isArray("y[i] = 2 * x[i]!;")).toBe(false);
  expect(isArray("y[i] = x[n - 1 - i]!;")).toBe(true);
  expect(isArray("y[i] = 2 * x[i]!;", "", "y")).toBe(true);
  expect(isArray("y[i] = 2 * x[i]!;", "", "[n, n]")).toBe(true);
  expect(isArray("y[i] = 2 * x[i]!;", "", "y.length")).toBe(false);
  expect(isArray("y[i] = x.length;")).toBe(true);
  expect(isArray("g(() => x[i]!);")).toBe(true);
  expect(isArray("", "return x;")).toBe(true);
  expect(isArray("", "for (let j = 0; j < n; j++) { y[j] = x[j]!; }")).toBe(true);
});

test("so is an element of an array of integers", () => {
  expect(
    after(`function f(xs: Float64Array, y_: Float64Array, n: number): void {
      const atSaved: Array<number> = new Array(n);
      for (let i = 0; i < n; i++) {
        if (xs[i]! > 0) {
          atSaved[i] = i + 1;
        }
        if (xs[i]! > 0) {
          y_[atSaved[i]!]! += 1;
        }
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(xs: Float64Array, y_: Float64Array, n: number): void {
      for (let i = 0; i < n; i++) {
        let atKept = 0;
        if (xs[i]! > 0) {
          atKept = i + 1;
        }
        if (xs[i]! > 0) {
          y_[atKept]! += 1;
        }
      }
    }
    "
  `);
});
