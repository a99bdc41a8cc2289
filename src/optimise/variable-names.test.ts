import { expect, test } from "vitest";
import { optimisedText } from "../../test/support/optimised.js";
import { VariableNames } from "./variable-names.js";

/** The definition `f` after all passes, on one line. */
function optimisedF(text: string): string {
  return (/\nf\((?:.|\n)*/.exec(`\n${optimisedText(text)}`)?.[0] ?? "").replace(/\s+/g, " ").trim();
}

test("a loop of the prelude's has the names of the author's function", () => {
  expect(optimisedF("def f (n : Z) (x : R) : R = iterate n (\\height. height * height) x")).toBe(
    "f(n : Z, x : R) : R = let rec go(i : Z, height : R) : R = if i >= n then height else go(i + 1, height * height) in go(0, x)",
  );
});

test("the first of the author's names stays", () => {
  const twice = optimisedF("def f (xs : [R]) : R = foldl (\\total x. let before = total in before * total + x) 0 xs");
  expect(twice).toContain("total * total");
  expect(twice).not.toContain("before");
});

test("functions of the prelude inside each other are no obstacle", () => {
  const inner = optimisedF("def f (xs : [[R]]) : R = sum (map (\\row. foldl (\\most entry. max most entry) 0 row) xs)");
  expect(inner).toContain("most");
  expect(inner).toContain("row");
});

test("names of the prelude do not take the place of the author's, nor do those without a name in the source", () => {
  expect(optimisedF("def f (points : [R]) : R = sum (map (\\p. p * p) points)")).not.toContain("xs");
  expect(optimisedF("def f (weights : [R]) : R = foldl (+) 0 weights")).toContain("acc");
});

test("an index that the author names", () => {
  expect(optimisedF("def f (xs : [R]) : R = sum (mapi (\\position x. toReal position * x) xs)")).toContain(
    "position + 1",
  );
});

test("copies have the shortest names that are free", () => {
  const text = "def g (f : R -> R) : R = let x = f 1 in x * x\ndef f (x : R) : R = g (\\y. y * x) + g (\\y. y + x)";
  expect(optimisedF(text)).toBe("f(x : R) : R = let x1 : R = 1.0 + x in x * x + x1 * x1");
});

test("digits belong to a name that the author has given, and to no other", () => {
  const names = new VariableNames(["x", "y1"]);
  names.learn([["y1", "y1"]]);
  expect([names.fresh("x"), names.fresh("y1"), names.fresh("acc2")]).toEqual(["x1", "y2", "acc2"]);
  expect(["x", "x1", "y1", "y2", "acc2"].map((name) => names.stemOf(name))).toEqual(["x", "x", "y1", "y1", "acc"]);
});
