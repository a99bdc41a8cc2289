import { expect, test } from "vitest";
import { optimisedText } from "../../test/support/optimised.js";

const simple = (text: string): string => optimisedText(text, "simplify");

test("tuples that are taken apart are not made", () => {
  expect(simple("def f (a : R) (b : R) : R = let p = (a + b, a * b) in let (x, y) = p in x - y"))
    .toMatchInlineSnapshot(`
    "f(a : R, b : R) : R =
      let x1 : R = a + b in
      let y1 : R = a * b in
      x1 - y1
    "
  `);
});

test("a case of a known constructor is its branch", () => {
  expect(
    simple(`
      data Shape = Circle R | Box R R
      def f (w : R) (s : Shape) : R =
        let b = Box (w + 1) w in
        (case b of { Circle r -> r; Box x y -> x * y }) +
        (case s of { Circle r -> (case s of { Circle t -> t * r; Box _ _ -> 0 }); Box x _ -> x })`),
  ).toMatchInlineSnapshot(`
    "data Shape = Circle R | Box R R

    f(w : R, s : Shape) : R =
      let r2 : R = w + 1.0 in
      r2 * w + case s of { Circle r1 -> r1 * r1; Box x1 _5 -> x1 }
    "
  `);
});

test("what is known of a condition holds in the branches", () => {
  expect(simple("def f (b : Bool) (x : R) : R = if b then (if b then x else 1) else (if b then 2 else x + x)"))
    .toMatchInlineSnapshot(`
    "f(b : Bool, x : R) : R =
      if b then x else x + x
    "
  `);
});

test("what does not depend on a condition", () => {
  expect(
    simple(`
      def f (x : R) : R = if x > 0 || true then x else 2
      def g (n : Z) (x : R) : R = if x > 0 && (div n 2 > 1 && false) then x else 2
      def h (n : Z) (x : R) : R = if h n x > 0 || true then x else 2`),
  ).toMatchInlineSnapshot(`
    "f(x : R) : R =
      x

    g(n : Z, x : R) : R =
      if (if x > 0.0
         then let unused : Bool = div(n, 2) > 1 in
           false
         else false)
      then x
      else 2.0

    h(n : Z, x : R) : R =
      let unused1 : Bool = h(n, x) > 0.0 in
      x
    "
  `);
});

test("identities hold for -0, NaN and infinity", () => {
  expect(simple("def f (x : R) (n : Z) : (R, R, R, R, R, Z) = (x + 0, x - 0, 1 * x, x * 0, - (- x), n + 0)"))
    .toMatchInlineSnapshot(`
    "f(x : R, n : Z) : (R, R, R, R, R, Z) =
      (x + 0.0, x, x, x * 0.0, x, n)
    "
  `);
});

test("literals are computed where that is exact and does not fail", () => {
  expect(simple("def f (x : R) : (R, R, R, Z, Z, Bool) = (x + 2 * 3, 1 / 0, exp 1, div 1 0, div (-7) 2, 2 < 3)"))
    .toMatchInlineSnapshot(`
    "f(x : R) : (R, R, R, Z, Z, Bool) =
      (x + 6.0, 1.0 / 0.0, exp(1.0), div(1, 0), -4, true)
    "
  `);
});

test("squares and cubes of literals are numbers, other powers stay", () => {
  expect(simple("def f (x : R) : [R] = [0.02 ^ 2, 0.1 ^ 3, 0 ^ 2, 1e200 ^ 2, 2 ^ (-1), 3 ^ 5, pow 2 0.5]"))
    .toMatchInlineSnapshot(`
    "f(x : R) : [R] =
      [
        0.0004,
        0.0010000000000000002,
        0.0,
        1e+200 ^ 2,
        2.0 ^ (-1),
        3.0 ^ 5,
        pow(2.0, 0.5)
      ]
    "
  `);
});

test("what may fail or not end is kept, what is total is not", () => {
  expect(
    simple(`
      def loop (x : R) : R = loop x
      def f (xs : [R]) (n : Z) : R = let a = xs ! n in let b = n * n in let c = loop 1 in let d = sin c in 1`),
  ).toMatchInlineSnapshot(`
    "loop(x : R) : R =
      loop(x)

    f(xs : [R], n : Z) : R =
      let a : R = xs ! n in
      let b : Z = n * n in
      let c : R = loop(1.0) in
      1.0
    "
  `);
});

test("lengths of arrays that are built here are known", () => {
  expect(simple("def f (n : Z) (x : R) : Z = let a = build (n + 1) (\\i. x) in length a + length [x, x]"))
    .toMatchInlineSnapshot(`
    "f(n : Z, x : R) : Z =
      let n1 : Z = n + 1 in
      let a : [R] = build n1 (\\i. x) in
      n1 + 2
    "
  `);
});

test("long chains of bindings are simplified in a loop", () => {
  const lines = Array.from({ length: 10_000 }, (_, i) => `let x${i + 1} = x${i} * 1.5 in`);
  expect(() => simple(`def f (x0 : R) : R =\n${lines.join("\n")}\nx10000`)).not.toThrow();
});
