import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withoutTestsOfCounters } from "./counters.js";
import { folded } from "../expressions/fold.js";

const after = (text: string): string =>
  afterPass(text, (fn) => folded(withoutTestsOfCounters(fn, surroundings), surroundings));

test("indices that count from zero, and what is made of them", () => {
  expect(
    after(`function f(x: Float64Array, n: number): void {
      for (let i = 0; i < n; i++) {
        const next = 1 + i;
        if (i < 0 || i >= x.length) outside(x, i, "f");
        if (next < 0 || next >= x.length) outside(x, next, "f");
        for (let j = next; j < n; j++) {
          if (j < 0 || j >= x.length) outside(x, j, "f");
        }
      }
      for (let i = n - 1; i >= 0; i--) {
        const last = 2 + i;
        if (i < 0 || i >= x.length) outside(x, i, "f");
        if (last >= 0) outside(x, last, "f");
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, n: number): void {
      for (let i = 0; i < n; i++) {
        const next = 1 + i;
        if (i >= x.length) {
          outside(x, i, "f");
        }
        if (next >= x.length) {
          outside(x, next, "f");
        }
        for (let j = next; j < n; j++) {
          if (j >= x.length) {
            outside(x, j, "f");
          }
        }
      }
      for (let i = n - 1; i >= 0; i--) {
        const last = 2 + i;
        if (i >= x.length) {
          outside(x, i, "f");
        }
        outside(x, last, "f");
      }
    }
    "
  `);
});

test("not what may be less", () => {
  const text = `function f(x: Float64Array, n: number, k: number): void {
  for (let i = 0; i < n; i++) {
    const before = i - 1;
    const other = k + i;
    const size = x.length;
    if (before < 0 || before >= x.length) {
      outside(x, before, "f");
    }
    if (other < 0 || i < 1 || size < 0) {
      outside(x, other, "f");
    }
  }
  for (let i = k; i < n; i++) {
    if (i < 0) {
      outside(x, i, "f");
    }
  }
  for (let i = 0; i < n; i++) {
    i = k;
    if (i < 0) {
      outside(x, i, "f");
    }
  }
}
`;
  expect(after(text)).toBe(text);
});

test("remainders, which are written so where no number is negative", () => {
  const text =
    "function f(x: Float64Array, k: number, m: number): void { const t = (k - 1 + m) % m; if (t < 0) g(t); }";
  expect(after(text)).not.toContain("<");
});

test("cotangents that count from one need no guard", () => {
  expect(
    after(`function f(x: Float64Array, y: Float64Array, n: number): void {
      for (let i = 0; i < n; i++) {
        const next = i + 1;
        y[i] = scale(next, 1 / x[i]!);
        y[next] = scale(i, 1 / x[i]!);
        y[i] = scale(i + next, 1 / x[i]!) + scale(next - 1, 1 / x[i]!) + scale(0.5, x[i]!);
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x: Float64Array, y: Float64Array, n: number): void {
      for (let i = 0; i < n; i++) {
        const next = i + 1;
        y[i] = next * (1 / x[i]!);
        y[next] = scale(i, 1 / x[i]!);
        y[i] = (i + next) * (1 / x[i]!) + scale(next - 1, 1 / x[i]!) + 0.5 * x[i]!;
      }
    }
    "
  `);
});
