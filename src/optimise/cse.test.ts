import { expect, test } from "vitest";
import { optimisedText } from "../../test/support/optimised.js";

const shared = (text: string): string => optimisedText(text, "cse");

test("what has a name is not computed again, what has none gets one", () => {
  expect(shared("def f (x : R) (y : R) : R = let a = x * y in sin (x * y) + exp (x - y) * exp (x - y)"))
    .toMatchInlineSnapshot(`
    "f(x : R, y : R) : R =
      let a : R = x * y in
      let value : R = exp(x - y) in
      sin(a) + value * value
    "
  `);
});

test("nothing moves out of a branch or into a loop", () => {
  expect(
    shared(`
      def f (x : R) (n : Z) : [R] =
        build n (\\i. if i == 0 then exp x else exp x + (let y = exp x in y * log x))`),
  ).toMatchInlineSnapshot(`
    "f(x : R, n : Z) : [R] =
      build n
        (\\i.
           if i == 0
           then exp(x)
           else let value : R = exp(x) in
             value +
             (let y : R = value in
              value * log(x)))
    "
  `);
});

test("names of what is computed on the way hold in branches and functions, not beside them", () => {
  expect(
    shared(
      "def f (x : R) (b : Bool) : R = (if b then sin x else sin x + sin x) + (let g y = cos x + y in cos x * g x)",
    ),
  ).toMatchInlineSnapshot(`
    "f(x : R, b : Bool) : R =
      (if b
       then sin(x)
       else let value : R = sin(x) in
         value + value) +
      (let rec g(y : R) : R =
         cos(x) + y
       in
       cos(x) * g(x))
    "
  `);
});

test("calls are shared, those in tail position stay there", () => {
  expect(
    shared(
      "def f (n : Z) (x : R) : R = if n == 0 then x else if f (n - 1) x > 1 then f (n - 1) x else f (n - 2) (x * x)",
    ),
  ).toMatchInlineSnapshot(`
    "f(n : Z, x : R) : R =
      if n == 0
      then x
      else let value : R = f(n - 1, x) in
        if value > 1.0 then value else f(n - 2, x * x)
    "
  `);
});
