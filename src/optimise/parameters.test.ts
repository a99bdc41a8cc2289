import { expect, test } from "vitest";
import { optimisedText } from "../../test/support/optimised.js";

test("a tuple that a loop takes apart is passed as its components", () => {
  expect(
    optimisedText(
      "def f (t : R) (xs : [R]) : R = fst (foldl (\\(acc, power) x. (acc + x * power, power * t)) (0, 1) xs)",
    ),
  ).toMatchInlineSnapshot(`
    "f(t : R, xs : [R]) : R =
      let n : Z = length xs in
      fst (let rec go(i : Z, acc : R, power : R) : (R, R) =
         if i == n
         then (acc, power)
         else let x : R = xs ! i in
           go(i + 1, acc + x * power, power * t)
       in
       go(0, 0.0, 1.0))
    "
  `);
});

test("a tuple that is needed as a whole stays", () => {
  expect(
    optimisedText(
      "def f (n : Z) (x : R) : (R, R) = let rec go i p = if i == 0 then p else if fst p > 1 then fst (go (i - 1) p, p) else go (i - 1) (fst p + x, snd p * x) in go n (x, x)",
      "parameters",
    ),
  ).toMatchInlineSnapshot(`
    "f(n : Z, x : R) : (R, R) =
      let rec go(i : Z, p : (R, R)) : (R, R) =
        if i == 0
        then p
        else if fst p > 1.0
          then fst (go(i - 1, p), p)
          else go(i - 1, (fst p + x, snd p * x))
      in
      go(n, (x, x))
    "
  `);
});

test("what is not used is not passed, but evaluated where it may fail", () => {
  expect(
    optimisedText(
      "def f (n : Z) (x : R) : R = let rec go i a b c = if i == 0 then b else go (i - 1) (a * a) (b + 1) c in go n x x (n * n)",
      "parameters",
    ),
  ).toMatchInlineSnapshot(`
    "f(n : Z, x : R) : R =
      let rec go(i : Z, a : R, b : R) : R =
        if i == 0 then b else go(i - 1, a * a, b + 1.0)
      in
      let c1 : Z = n * n in
      go(n, x, x)
    "
  `);
});

test("a tuple from elsewhere is taken apart at the call", () => {
  expect(
    optimisedText(
      `def g (p : (R, R)) (n : Z) : R = if n == 0 then fst p else g (snd p, fst p) (n - 1)
       def h (xs : List (R, R)) : R = case xs of { Nil -> 0; x :: _ -> let rec go q i = if i == 0 then snd q else go q (i - 1) in go x 3 }`,
      "parameters",
    ),
  ).toMatchInlineSnapshot(`
    "data List a = Nil | Cons a (List a)

    g(p : (R, R), n : Z) : R =
      if n == 0 then fst p else g((snd p, fst p), n - 1)

    h(xs : List (R, R)) : R =
      case xs of {
        Nil -> 0.0;
        Cons x _1 ->
          let rec go(q1 : R, q2 : R, i : R) : R =
            if i == 0.0 then q2 else go(q1, q2, i - 1.0)
          in
          go(fst x, snd x, 3.0)
      }
    "
  `);
});
