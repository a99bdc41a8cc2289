import { describe, expect, test } from "vitest";
import { check } from "../driver/check.js";
import { compile } from "../driver/compile.js";
import type { SourceFile } from "../syntax/source.js";

const lib =
  "type Point = (R, R)\ndef half (x : R) : R = x / 2\ndef both (x : R) : Point = (x, x)\ndef unused (x : R) = 1\n";
const load = (path: string) => (path === "lib.lam" ? lib : null);
const model = (text: string): SourceFile => ({ name: "m.lam", text });
const codes = (text: string) => check(model(text), { load }).diagnostics.map(({ code }) => code);

describe("nothing is said", () => {
  test.each([
    ["of names that begin with an underscore", "def f (_n : Z) (x : R) : R = let _y = x in (\\_z. x) 1"],
    [
      "of a definition that a local function uses",
      "def g h = h 1.0\ndef f (x : R) : R = let k y = g (\\z. y * z) in k x",
    ],
    [
      "of a definition that a rule uses",
      "def slope x = 2 * x\ndef apply g (x : R) : R = g x * x\nrule derivative apply g x dg dx = slope (dg x) + g x * dx\ndef f (x : R) : R = apply sin x",
    ],
    ["of a file that exports nothing: it is there for others", "def g h = h 1.0\ndef k h = g h"],
    ["of a file of imports alone, which hands them on", 'import "lib.lam" (half)'],
    ["of an alias, whose name the types of the module have", 'import "lib.lam" (Point, both)\ndef f x = both x'],
    ["of what is wrong in imported files", 'import "lib.lam" (half)\ndef f (x : R) : R = half x'],
    [
      "of a function that is handed on",
      "data T = T R [T]\ndef f (k : R) (t : T) : R = case t of { T x ts -> k * x + sum (map (f k) ts) }",
    ],
    ["of a parameter with the name of its function", "def f (f : R) : R = f"],
    ["of a number with the name of a function", "def f (xs : [R]) : R = let sum = xs ! 0 in sum + 1"],
  ])("%s", (_, text) => {
    expect(codes(text)).toEqual([]);
  });
});

test("an import is of use where it is exported", () => {
  const source = model('import "lib.lam" (half)\ndef f (x : R) : R = x');
  expect(codes(source.text)).toEqual(["W0103"]);
  expect(compile(source, { load, entries: ["half", "f"] }).diagnostics).toEqual([]);
});

test("a model with mistakes has no warnings", () => {
  expect(codes("def f (n : Z) (x : R) : R = y")).toEqual(["E0201"]);
});

test("long chains are walked", () => {
  const chain = (part: (i: number) => string) => Array.from({ length: 10_000 }, (_, i) => part(i)).join("");
  expect(codes(`def f (x : R) : R = ${chain(() => "x + ")} x`)).toEqual([]);
  expect(codes(`def f (x : R) : R = ${chain(() => "let x = x + 1 in ")} x`)).toEqual([]);
  expect(codes(`def f (n : Z) : R = ${chain((i) => `if n == ${i} then f ${i} else `)} f n`)).toEqual(["W0105"]);
});
