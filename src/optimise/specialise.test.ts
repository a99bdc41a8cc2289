import { expect, test } from "vitest";
import { optimisedText } from "../../test/support/optimised.js";

test("a recursive function is copied for a lambda, whose free variables become parameters", () => {
  expect(
    optimisedText(`
      def map' f l = case l of { Nil -> Nil; x :: xs -> f x :: map' f xs }
      def scaled (a : R) (xs : List R) : List R = map' (\\x. a * x) xs`),
  ).toMatchInlineSnapshot(`
    "data List a = Nil | Cons a (List a)

    mapTimes(l : List R, a : R) : List R =
      case l of { Nil -> Nil; Cons x xs -> Cons (a * x) mapTimes(xs, a) }

    scaled(a : R, xs : List R) : List R =
      mapTimes(xs, a)
    "
  `);
});

test("equal specialisations are made once, and named after what they are for", () => {
  expect(
    optimisedText(`
      def zipWith' f l1 l2 = case (l1, l2) of { (x :: xs, y :: ys) -> f x y :: zipWith' f xs ys; _ -> Nil }
      def f (a : List R) (b : List R) : (List R, List R) = (zipWith' (*) a b, zipWith' (\\x y. x * y) b a)`),
  ).toMatchInlineSnapshot(`
    "data List a = Nil | Cons a (List a)

    zipWithTimes(l1 : List R, l2 : List R) : List R =
      case l1 of {
        Nil -> Nil;
        Cons x xs ->
          case l2 of { Nil -> Nil; Cons y ys -> Cons (x * y) zipWithTimes(xs, ys) }
      }

    f(a : List R, b : List R) : (List R, List R) =
      (zipWithTimes(a, b), zipWithTimes(b, a))
    "
  `);
});

test("where the lambda calls a local function, the copy is local", () => {
  expect(
    optimisedText(`
      def map' f l = case l of { Nil -> Nil; x :: xs -> f x :: map' f xs }
      def f (n : Z) (xs : List R) : List R =
        let rec power i x = if i == 0 then 1 else x * power (i - 1) x in
        map' (power n) xs`),
  ).toMatchInlineSnapshot(`
    "data List a = Nil | Cons a (List a)

    f(n : Z, xs : List R) : List R =
      let rec power(i : Z, x : R) : R =
        if i == 0 then 1.0 else x * power(i - 1, x)
      in
      let rec mapPower(l : List R) : List R =
        case l of { Nil -> Nil; Cons x1 xs1 -> Cons power(n, x1) mapPower(xs1) }
      in
      mapPower(xs)
    "
  `);
});

test("mutually recursive functions are copied together", () => {
  expect(
    optimisedText(`
      def even f (n : Z) (x : R) : R = if n == 0 then x else odd f (n - 1) (f x)
      def odd f (n : Z) (x : R) : R = if n == 0 then 0 else even f (n - 1) (f x)
      def g (n : Z) (x : R) : R = even (\\y. sin y) n x`),
  ).toMatchInlineSnapshot(`
    "evenSin(n : Z, x : R) : R =
      if n == 0 then x else oddSin(n - 1, sin(x))

    oddSin(n : Z, x : R) : R =
      if n == 0 then 0.0 else evenSin(n - 1, sin(x))

    g(n : Z, x : R) : R =
      evenSin(n, x)
    "
  `);
});

test("a function that calls itself with another function is not copied", () => {
  expect(
    optimisedText(`
      def f (g : R -> R) (n : Z) : R = if n == 0 then g 1 else f (\\x. g (x + 1)) (n - 1)
      def main (y : R) (n : Z) : R = f (\\x. x * y) n`),
  ).toMatchInlineSnapshot(`
    "f(g : R -> R, n : Z) : R =
      if n == 0 then g 1.0 else f(\\(x : R). g (x + 1.0), n - 1)

    main(y : R, n : Z) : R =
      f(\\(x : R). x * y, n)
    "
  `);
});

test("copies of copies end", () => {
  const copies = Array.from(
    { length: 25 },
    (_, i) =>
      `def h${i + 1} (g : R -> R) (x : R) : R = if x > 9 then x else h${i} (\\y. g (g y)) (h${i + 1} g (x + 1))`,
  );
  const text = [
    "def h0 (g : R -> R) (x : R) : R = if x > 1 then g x else h0 g (x + 1)",
    ...copies,
    "def f (x : R) : R = h25 sin x",
  ];
  expect(optimisedText(text.join("\n")).length).toBeLessThan(300_000);
});
