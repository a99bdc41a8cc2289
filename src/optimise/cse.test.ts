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

test("arrays and choices are the same whatever their variables are called, and wherever they fail", () => {
  expect(
    shared(`
      def f (m : [[R]]) (k : Z) : (R, R) =
        let a = build k (\\i. build (length m) (\\j. m ! j ! i)) in
        let b = build k (\\p. build (length m) (\\q. m ! q ! p)) in
        let c = build k (\\p. build (length m) (\\q. m ! p ! q)) in
        (a ! 0 ! 0 * b ! 1 ! 1 + c ! 1 ! 0, if k > 1 then exp (toReal k) else if k > 1 then 2 else 1)`),
  ).toMatchInlineSnapshot(`
    "f(m : [[R]], k : Z) : (R, R) =
      let a : [[R]] = build k (\\i. build (length m) (\\j. m ! j ! i)) in
      let b : [[R]] = a in
      let c : [[R]] = build k (\\p1. build (length m) (\\q1. m ! p1 ! q1)) in
      let value : Bool = k > 1 in
      (
        a ! 0 ! 0 * a ! 1 ! 1 + c ! 1 ! 0,
        if value then exp(toReal(k)) else if value then 2.0 else 1.0
      )
    "
  `);
});

test("an array of constants is made each time, and one of nothing has a type", () => {
  const text = shared(`
    def f (n : Z) : ([R], [R]) = let a = build n (\\_. 0) in let b = build n (\\_. 0) in (a, b)
    def g (n : Z) : [([R], [Z])] = let a = build n (\\i. [[toReal i]]) in let b = build n (\\_. (([] : [R]), ([] : [Z]))) in b`);
  expect(text.match(/build n/g)).toHaveLength(4);
});

test("what takes a function is the same for the same function", () => {
  expect(shared("def f (xs : [R]) (y : R) : R = sum (map (\\x. sin x * y) xs) + exp (sum (map (\\z. sin z * y) xs))"))
    .toMatchInlineSnapshot(`
    "map(f2 : R -> R, xs1 : [R]) : [R] =
      build (length xs1) (\\i1. f2 (xs1 ! i1))

    sum(xs2 : [R]) : R =
      let n1 : Z = length xs2 in
      let rec go1(i2 : Z, acc1 : R) : R =
        if i2 == n1 then acc1 else go1(i2 + 1, acc1 + xs2 ! i2)
      in
      go1(0, 0.0)

    f(xs : [R], y : R) : R =
      let value : R = sum(map(\\(x : R). sin(x) * y, xs)) in
      value + exp(value)
    "
  `);
});
