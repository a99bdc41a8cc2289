import { expect, test } from "vitest";
import { optimisedText } from "../../test/support/optimised.js";

const expanded = (text: string): string => optimisedText(text, "powers");

test("by squares and cubes", () => {
  expect(expanded("def f (x : R) : [R] = [x ^ 1, x ^ 2, x ^ 3, x ^ 4, x ^ 5, x ^ 6, x ^ 12, pow x 3, 1 / x ^ 2]"))
    .toMatchInlineSnapshot(`
      "f(x : R) : [R] =
        [
          x,
          x ^ 2,
          x ^ 3,
          (x ^ 2) ^ 2,
          (x ^ 2) ^ 2 * x,
          (x ^ 2) ^ 3,
          ((x ^ 2) ^ 2) ^ 3,
          x ^ 3,
          1.0 / x ^ 2
        ]
      "
    `);
});

test("the base of an odd power is computed once", () => {
  expect(expanded("def f (x : R) : R = (x + 1) ^ 7")).toMatchInlineSnapshot(`
    "f(x : R) : R =
      let base : R = x + 1.0 in
      (base ^ 2) ^ 3 * base
    "
  `);
});

test("not of large exponents, or others than integers", () => {
  expect(expanded("def f (x : R) (n : Z) : [R] = [x ^ 0, x ^ 33, x ^ n, pow x 0.5, pow 2 x]")).toMatchInlineSnapshot(`
    "f(x : R, n : Z) : [R] =
      [x ^ 0, x ^ 33, x ^ n, pow(x, 0.5), pow(2.0, x)]
    "
  `);
});
