import { expect, test } from "vitest";
import { afterPass } from "../../../test/support/tidied.js";
import { withSingleIterations } from "./single-iterations.js";

const after = (text: string): string => afterPass(text, (fn) => withSingleIterations(fn));

test("an element that is set, and one whose cotangent is taken", () => {
  expect(
    after(`function f(x: Float64Array, x_: Float64Array, n: number, i: number, e: number): number {
      for (let j = 0; j < n; j++) {
        if (j === i) x[j] = e;
        else x[j] = x[j]!;
      }
      let e_ = 0;
      for (let j = n - 1; j >= 0; j--) {
        if (j === i) {
          e_ += x_[j]!;
          x_[j] = 0;
        } else {
          const t = x_[j]!;
          x_[j] = 0;
          x_[j]! += t;
        }
      }
      return e_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(
      x: Float64Array,
      x_: Float64Array,
      n: number,
      i: number,
      e: number,
    ): number {
      if (i >= 0 && i < n) {
        x[i] = e;
      }
      let e_ = 0;
      if (i >= 0 && i < n) {
        e_ += x_[i]!;
        x_[i] = 0;
      }
      return e_;
    }
    "
  `);
});

test("not where other iterations do something, or the index changes", () => {
  const text = (own: string, other: string): string =>
    `function f(x: Float64Array, y: Float64Array, n: number, i: number): void {
      for (let j = 0; j < n; j++) {
        if (j === i) ${own}
        else ${other}
      }
    }`;
  const unchanged = (own: string, other: string): void => {
    expect(after(text(own, other))).toContain("for (let j = 0");
  };
  unchanged("x[j] = 1;", "x[j] = y[j]!;");
  unchanged("x[j] = 1;", "x[j] = x[i]!;");
  unchanged("x[j] = 1;", "{ const t = x[j]!; x[j] = 0; x[j]! += 2 * t; }");
  unchanged("x[j] = 1;", "{ const t = x[j]!; x[j] = 0; y[j]! += t; }");
  unchanged("i = 2;", "x[j] = x[j]!;");
  unchanged("break;", "x[j] = x[j]!;");
});
