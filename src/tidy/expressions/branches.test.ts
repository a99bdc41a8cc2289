import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withJoinedChoices } from "./branches.js";

const after = (text: string): string => afterPass(text, (fn) => withJoinedChoices(fn, surroundings));

test("choices by one condition", () => {
  expect(
    after(`function f(x_: Float64Array, a: number, b: number): number {
      let c_ = 1;
      x_[0]! += a > b ? 0 : c_;
      c_ = a > b ? c_ : 0;
      x_[1]! += a > b ? 1 : 2;
      return c_;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x_: Float64Array, a: number, b: number): number {
      let c_ = 1;
      if (a > b) {
        x_[1]! += 1;
      } else {
        x_[0]! += c_;
        c_ = 0;
        x_[1]! += 2;
      }
      return c_;
    }
    "
  `);
});

test("not where the condition may have changed in between", () => {
  expect(
    after(`function f(x_: Float64Array, a: number, b: number): number {
      let c = 1;
      c = a > c ? 0 : c;
      c = a > c ? c : 2;
      x_[0] = a > x_[0]! ? 0 : c;
      x_[0] = a > x_[0]! ? 1 : c;
      return c;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x_: Float64Array, a: number, b: number): number {
      let c = 1;
      c = a > c ? 0 : c;
      c = a > c ? c : 2;
      x_[0] = a > x_[0]! ? 0 : c;
      x_[0] = a > x_[0]! ? 1 : c;
      return c;
    }
    "
  `);
});
