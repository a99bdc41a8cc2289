import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withLoopsUpwards } from "./loop-reversal.js";

const after = (text: string): string => afterPass(text, (fn) => withLoopsUpwards(fn, surroundings));

test("iterations that have nothing to do with each other", () => {
  expect(
    after(`function f(x_: Float64Array, y: Float64Array, n: number, c: number): void {
      for (let i = n - 1; i >= 0; i--) {
        const t = Math.exp(y[i]!);
        if (t > c) {
          x_[i]! += t * c;
        }
      }
      for (let i = y.length - 2; i >= 0; i--) {
        x_[i] = 1;
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x_: Float64Array, y: Float64Array, n: number, c: number): void {
      for (let i = 0; i < n; i++) {
        const t = Math.exp(y[i]!);
        if (t > c) {
          x_[i]! += t * c;
        }
      }
      for (let i = 0; i < y.length - 1; i++) {
        x_[i] = 1;
      }
    }
    "
  `);
});

test("not where one iteration needs another, or may change the count", () => {
  expect(
    after(`function f(x_: Float64Array, y: Float64Array, n: number): number {
      let sum = 0;
      for (let i = n - 1; i >= 0; i--) sum += y[i]!;
      for (let i = n - 1; i >= 0; i--) x_[i]! += x_[i + 1]!;
      for (let i = n - 1; i >= 0; i--) x_[y[i]!]! += 1;
      for (let i = n - 1; i >= 0; i--) x_[0]! += y[i]!;
      for (let i = n - 1; i >= 0; i--) g(i);
      for (let i = n - 1; i >= 0; i--) {
        const next = x_[i + 1]!;
        x_[i] = next;
      }
      for (let i = y[0]! - 1; i >= 0; i--) x_[i] = 1;
      return sum;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x_: Float64Array, y: Float64Array, n: number): number {
      let sum = 0;
      for (let i = n - 1; i >= 0; i--) {
        sum += y[i]!;
      }
      for (let i = n - 1; i >= 0; i--) {
        x_[i]! += x_[i + 1]!;
      }
      for (let i = n - 1; i >= 0; i--) {
        x_[y[i]!]! += 1;
      }
      for (let i = n - 1; i >= 0; i--) {
        x_[0]! += y[i]!;
      }
      for (let i = n - 1; i >= 0; i--) {
        g(i);
      }
      for (let i = n - 1; i >= 0; i--) {
        const next = x_[i + 1]!;
        x_[i] = next;
      }
      for (let i = y[0]! - 1; i >= 0; i--) {
        x_[i] = 1;
      }
      return sum;
    }
    "
  `);
});
