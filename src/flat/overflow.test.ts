import { describe, expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { optimised } from "../../test/support/optimised.js";
import { printFlat } from "./print.js";

/** The operations of a program that are marked. */
function marked(text: string): readonly string[] {
  const lines = printFlat(flatOf(optimised(coreOf(text)), "overflow")).split("\n");
  return lines.map((line) => line.trim()).filter((line) => /\w!\(| [-+*/^]! /.test(line));
}

describe("what overflows and is then", () => {
  test("cut off", () => {
    expect(marked("def entry (a : R) (x : R) : R = min (a * exp x) 1000")).toEqual(["t = exp!(x)", "t1 = a *! t"]);
  });

  test("a divisor", () => {
    expect(marked("def entry (x : R) : R = 1 / (1 + exp (-x))")).toEqual(["t1 = exp!(t)"]);
  });

  test("an exponent", () => {
    expect(marked("def entry (x : R) : R = exp (- (exp x))")).toEqual(["t = exp!(x)"]);
  });

  test("not taken", () => {
    expect(marked("def entry (x : R) : R = let e = exp x in if x > 700 then 1 else e * 2")).toEqual(["e = exp!(x)"]);
  });

  test("not read", () => {
    expect(marked("def entry (xs : [R]) (i : Z) : R = let es = map exp xs in es ! i + sum es")).toEqual([
      "t = exp!(x)",
    ]);
  });

  test("one of several results", () => {
    expect(marked("def entry (x : R) (y : R) : (R, R) = (exp x, y)")).toEqual(["t = exp!(x)"]);
  });

  test("given to a function that may leave it out", () => {
    expect(
      marked(
        "def pick (n : Z) (a : R) (b : R) : R = if n == 0 then a else pick (n - 1) b a\ndef entry (x : R) (n : Z) : R = pick n (exp x) 1",
      ),
    ).toEqual(["a2 = exp!(x)"]);
  });

  test("of a loop that may have no iterations", () => {
    expect(marked("def entry (x : R) (n : Z) : R = let e = exp x in iterate n (\\y. y * e) 1")).toContain(
      "e = exp!(x)",
    );
  });

  test("divided by what may be zero", () => {
    expect(marked("def entry (a : R) (r : R) : R = min (a * (1 / r)) 1000")).toEqual(["t = 1.0 /! r", "t1 = a *! t"]);
  });
});

test("a search for the smallest number, or what else a loop adds up, bounds no exponent", () => {
  const shifted = (found: string): string =>
    `def entry (xs : [R]) : R = let (top, rest) = ${found} in tanh (rest + sum (map (\\x. exp (x - top)) xs))`;
  expect(
    marked(shifted("foldl (\\(m, s) x. (if m <= x then m else x, s)) (xs ! 0, 0) xs")).filter((line) =>
      line.includes("exp"),
    ),
  ).toHaveLength(1);
  expect(
    marked(shifted("foldl (\\(m, s) x. (if x <= m then x else m, s)) (xs ! 0, 0) xs")).filter((line) =>
      line.includes("exp"),
    ),
  ).toHaveLength(1);
  expect(
    marked(shifted("let (s, m) = foldl (\\(s, m) x. (s + x, max m x)) (0, xs ! 0) xs in (s, m)")).filter((line) =>
      line.includes("exp"),
    ),
  ).toHaveLength(1);
});

describe("nothing is marked where", () => {
  test("it is the result that overflows", () => {
    expect(marked("def entry (a : R) (x : R) : R = a * exp x + 1")).toEqual([]);
  });

  test("numbers are of moderate size", () => {
    expect(marked("def entry (a : R) (x : R) : R = min (a * x * x + sin x) 1000")).toEqual([]);
  });

  test("an exponent is not positive", () => {
    expect(marked("def entry (x : R) : R = 1 / (1 + exp (- (x * x)))")).toEqual([]);
    expect(marked("def entry (x : R) : R = if x < 0 then 1 / (1 + exp x) else x")).toEqual([]);
  });

  test("the largest number is subtracted first", () => {
    expect(marked("def entry (xs : [R]) : R = sum (map (\\p. p * p) (softmax xs))")).toEqual([]);
    expect(
      marked("def entry (xs : [R]) : R = let top = foldl max (xs ! 0) xs in tanh (sum (map (\\x. exp (x - top)) xs))"),
    ).toEqual([]);
  });

  test("a divisor has been compared with zero", () => {
    expect(
      marked("def entry (a : R) (r : R) : R = let d = abs r in if d == 0 then 0 else min (a * (1 / d)) 1000"),
    ).toEqual([]);
    expect(marked("def entry (a : R) (r : R) : R = if r > 0 then min (a * (1 / r)) 1000 else 0")).toEqual([]);
  });
});
