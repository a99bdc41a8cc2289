import { expect, test } from "vitest";
import { optimisedText } from "../../test/support/optimised.js";

test("arguments are evaluated once, in their order", () => {
  expect(optimisedText("def square x = x * x\ndef f (y : R) : R = square (y + 1) - square y", "inline"))
    .toMatchInlineSnapshot(`
    "square(x : R) : R =
      x * x

    f(y : R) : R =
      (let x1 : R = y + 1.0 in
       x1 * x1) -
      y * y
    "
  `);
});

test("a lambda in a let becomes a function, and a lambda again where it is a value", () => {
  expect(
    optimisedText(
      `def repeat (h : R -> R -> R) (n : Z) (x : R) : R = if n == 0 then h x x else repeat h (n - 1) (h x 1)
       def f (a : R) (n : Z) : R =
         let g = if a > 0 then \\x. x else \\x. a in
         let k = \\x y. x * g y + a in
         k 1 (k 2 3) + repeat k n a`,
      "inline",
    ),
  ).toMatchInlineSnapshot(`
    "repeat(h : R -> R -> R, n : Z, x : R) : R =
      if n == 0 then h x x else repeat(h, n - 1, h x 1.0)

    f(a : R, n : Z) : R =
      let g : R -> R = if a > 0.0 then \\(x : R). x else \\(x1 : R). a in
      let rec k(x3 : R, y1 : R) : R =
        x3 * g y1 + a
      in
      (let y3 : R = 2.0 * g 3.0 + a in
       1.0 * g y3 + a) +
      repeat(\\(x4 : R). \\(y2 : R). x4 * g y2 + a, n, a)
    "
  `);
});

test("recursive functions and join points that are large stay", () => {
  expect(
    optimisedText(
      `def f (n : Z) (x : R) : R =
         let rec go i y = if i == 0 then y else go (i - 1) (y * x)
         and twice y = go n (go n y) in
         twice (twice x)`,
      "inline",
    ),
  ).toMatchInlineSnapshot(`
    "f(n : Z, x : R) : R =
      let rec go(i : Z, y1 : R) : R =
        if i == 0 then y1 else go(i - 1, y1 * x)
      in
      let rec twice(y : R) : R =
        go(n, go(n, y))
      in
      let y2 : R = go(n, go(n, x)) in
      go(n, go(n, y2))
    "
  `);
});

test("constants made of literals are written where they are used, others are computed once", () => {
  expect(
    optimisedText(
      "def origin = (0.0, 1.0)\ndef root = sqrt 2\ndef f (x : R) : R = x * pi + fst origin + root",
      "inline",
      "simplify",
    ),
  ).toMatchInlineSnapshot(`
    "origin : (R, R) =
      (0.0, 1.0)

    root : R =
      1.4142135623730951

    f(x : R) : R =
      x * 3.141592653589793 + 0.0 + root
    "
  `);
});

test("programs made to explode keep their calls", () => {
  const doubled = Array.from({ length: 40 }, (_, i) => `def f${i + 1} (x : R) : R = f${i} (f${i} x)`);
  const text = optimisedText(["def f0 (x : R) : R = x * x + 1", ...doubled].join("\n"));
  expect(text.length).toBeLessThan(30_000);
});

test("a long chain of calls does not become a deep term", () => {
  const calls = Array.from({ length: 2000 }, (_, i) => `def f${i + 1} (x : R) : R = 1 + f${i} x`);
  expect(() => optimisedText(["def f0 (x : R) : R = x", ...calls].join("\n"), "inline")).not.toThrow();
});
