import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withStarts } from "./loop-normalisation.js";

const after = (text: string): string =>
  afterPass(text, (fn) => withStarts(fn, { ...surroundings, written: new Set() }));

test("loops of which iterations use their counter and a number", () => {
  expect(
    after(`function f(xs: Float64Array, n: number): number {
      let sum = 0;
      const count = n - 1;
      for (let i = 0; i < count; i++) {
        const j = 1 + i;
        sum += xs[j]! * (i + 1);
      }
      for (let i = 0; i < n - 2; i++) sum += xs[i + 2]!;
      for (let i = 0; i < n; i++) sum += i + 1;
      for (let i = 0; i < xs.length - 3; i++) sum -= xs[i + 2]!;
      for (let i = 0; i < 4; i++) sum += xs[i + 3]!;
      for (let i = count - 1; i >= 0; i--) sum -= xs[i + 1]!;
      for (let i = n - 1; i >= 0; i--) sum -= i + 1;
      return sum;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(xs: Float64Array, n: number): number {
      let sum = 0;
      const count = n - 1;
      for (let j = 1; j < n; j++) {
        sum += xs[j]! * j;
      }
      for (let i = 2; i < n; i++) {
        sum += xs[i]!;
      }
      for (let i = 1; i <= n; i++) {
        sum += i;
      }
      for (let i = 2; i < xs.length - 1; i++) {
        sum -= xs[i]!;
      }
      for (let i = 3; i < 7; i++) {
        sum += xs[i]!;
      }
      for (let i = n - 1; i >= 1; i--) {
        sum -= xs[i]!;
      }
      for (let i = n; i >= 1; i--) {
        sum -= i;
      }
      return sum;
    }
    "
  `);
});

test("loops of which iterations use their counter and a variable", () => {
  expect(
    after(`function f(xs: Float64Array, n: number, from: number): number {
      let sum = 0;
      for (let k = 0; k < n; k++) {
        const next = k + 1;
        const count = xs.length - next;
        for (let i = 0; i < count; i++) {
          const j = next + i;
          sum += xs[j]! * (i + next);
        }
        for (let i = count - 1; i >= 0; i--) sum += xs[next + i]!;
      }
      for (let i = 0; i < n - from; i++) sum += xs[from + i]! * xs[i]!;
      for (let i = 0; i < n; i++) sum += xs[from + i]!;
      for (let i = 0; i < n - from; i++) sum += xs[n + i]!;
      let moved = from;
      const rest = n - moved;
      moved += 1;
      for (let i = 0; i < rest; i++) sum += xs[moved + i]!;
      return sum;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(xs: Float64Array, n: number, from: number): number {
      let sum = 0;
      for (let next = 1; next <= n; next++) {
        const count = xs.length - next;
        for (let j = next; j < xs.length; j++) {
          sum += xs[j]! * j;
        }
        for (let i = xs.length - 1; i >= next; i--) {
          sum += xs[i]!;
        }
      }
      for (let i = 0; i < n - from; i++) {
        sum += xs[from + i]! * xs[i]!;
      }
      for (let i = 0; i < n; i++) {
        sum += xs[from + i]!;
      }
      for (let i = 0; i < n - from; i++) {
        sum += xs[n + i]!;
      }
      let moved = from;
      const rest = n - moved;
      moved += 1;
      for (let i = 0; i < rest; i++) {
        sum += xs[moved + i]!;
      }
      return sum;
    }
    "
  `);
});

test("not where another use, another number, or a larger one", () => {
  expect(
    after(`function f(xs: Float64Array, n: number): number {
      let sum = 0;
      for (let i = 0; i < n - 1; i++) sum += xs[i + 1]! - xs[i]!;
      for (let i = 0; i < n - 2; i++) sum += xs[i + 1]! - xs[i + 2]!;
      for (let i = 0; i < n; i++) sum += xs[i + 2]!;
      for (let i = 0; i < n - 1; i++) sum += xs[i + 0.5]!;
      for (let i = 0; i < n - 1; i += 2) sum += xs[i + 1]!;
      for (let i = 0; i < n - 1; i++) sum += n;
      let m = n;
      const count = m - 1;
      m += 1;
      for (let i = 0; i < count; i++) sum += xs[i + 1]!;
      return sum + m;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(xs: Float64Array, n: number): number {
      let sum = 0;
      for (let i = 0; i < n - 1; i++) {
        sum += xs[i + 1]! - xs[i]!;
      }
      for (let i = 0; i < n - 2; i++) {
        sum += xs[i + 1]! - xs[i + 2]!;
      }
      for (let i = 0; i < n; i++) {
        sum += xs[i + 2]!;
      }
      for (let i = 0; i < n - 1; i++) {
        sum += xs[i + 0.5]!;
      }
      for (let i = 0; i < n - 1; i += 2) {
        sum += xs[i + 1]!;
      }
      for (let i = 0; i < n - 1; i++) {
        sum += n;
      }
      let m = n;
      const count = m - 1;
      m += 1;
      for (let i = 1; i <= count; i++) {
        sum += xs[i]!;
      }
      return sum + m;
    }
    "
  `);
});

test("to the count itself where arrays may grow, or what it was made of changes", () => {
  const text = `function f(xs: number[]): number {
    let sum = 0;
    const count = xs.length - 1;
    xs.push(1);
    for (let i = 0; i < count; i++) sum += xs[i + 1]!;
    return sum;
  }`;
  expect(afterPass(text, (fn) => withStarts(fn, surroundings))).toContain("for (let i = 1; i <= count; i++)");
});
