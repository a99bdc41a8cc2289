import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { afterFlat, flatOf } from "../../test/support/flat-passes.js";
import { assertFlat } from "./check.js";
import { printFlat } from "./print.js";
import type { Program } from "./program.js";
import { allBlocks, sizeOf } from "./traverse.js";

/** The flat program of a model with one entry, before and after calls are inlined. */
function inlined(text: string, entry: string): { readonly before: Program; readonly after: Program } {
  const core = coreOf(`data List a = Nil | Cons a (List a)\n${text}`);
  const before = flatOf({ ...core, entries: core.entries.filter(({ name }) => name === entry) }, "linear-recursion");
  const after = afterFlat(before, "inline-procedures");
  assertFlat(after);
  return { before, after };
}

function namesOf(program: Program): readonly string[] {
  return program.procedures.map(({ name }) => name);
}

test("what is called takes the place of the call", () => {
  const text = `
    def larger (x : R) (y : R) : R = if x > y then x else y
    def distance (x : R) (y : R) : R = let far = larger x y in sqrt (far * far + y)`;
  expect(printFlat(inlined(text, "distance").after)).toMatchInlineSnapshot(`
    "function distance(x1 : R, y1 : R) : R =
      t = x1 > y1
      far = if t then
        yield x1
      else
        yield y1
      t1 = far * far
      t2 = t1 + y1
      t3 = sqrt(t2)
      yield t3

    entry distance = distance
    "
  `);
});

test("loops of recursive definitions come to stand in one procedure", () => {
  const text = `
    def double (l : List R) : List R = case l of { Nil -> Nil; Cons x xs -> Cons (2 * x) (double xs) }
    def total (l : List R) : R = case l of { Nil -> 0; Cons x xs -> x + total xs }
    def entry (l : List R) : R = let doubled = double l in total doubled`;
  const { after } = inlined(text, "entry");
  expect(namesOf(after)).toEqual(["entry"]);
  expect(printFlat(after)).toContain("doubled = for ");
});

test("recursion, constants and functions as values stay", () => {
  const text = `
    data Tree = Leaf R | Node Tree Tree
    def sumTree (t : Tree) : R = case t of { Leaf x -> x; Node a b -> sumTree a + sumTree b }
    def scale : R = exp 2
    def choose (b : Bool) : R -> R = if b then (\\x. x * scale) else sin
    def entry (t : Tree) (b : Bool) : R = choose b (sumTree t)`;
  const { before, after } = inlined(text, "entry");
  expect(namesOf(after)).toEqual(namesOf(before).filter((name) => name !== "choose"));
  expect(namesOf(after)).toContain("sumTree");
  expect(namesOf(after)).toContain("scale");
});

test("loops that do not count are put into counted ones, not into others", () => {
  const text = `
    def total (l : List R) : R = case l of { Nil -> 0; Cons x xs -> x + total xs }
    def totals (ls : List (List R)) : R = case ls of { Nil -> 0; Cons l rest -> total l + totals rest }
    def rows (ls : [List R]) : R =
      let n = length ls in
      let rec go i sum = if i == n then sum else go (i + 1) (sum + total (ls ! i)) in
      go 0 0`;
  expect(namesOf(inlined(text, "totals").after)).toEqual(["total", "totals"]);
  expect(namesOf(inlined(text, "rows").after)).toEqual(["rows"]);
});

test("copies of copies do not get large", () => {
  const steps = Array.from({ length: 30 }, (_, k) => `def f${k + 1} (x : R) : R = f${k} (sin x) * f${k} (cos x)`);
  const { after } = inlined(`def f0 (x : R) : R = x * x + 1\n${steps.join("\n")}`, "f30");
  const size = after.procedures.reduce((sum, { body }) => sum + sizeOf(body), 0);
  expect(size).toBeLessThan(800);
});

test("a large one that is an entry is copied where it is called, if that is one place", () => {
  const step = `def step (x : R) : R = ${"sin (".repeat(80)}x${")".repeat(80)}`;
  const calls = (loss: string): number => {
    const after = flatOf(coreOf(`${step}\ndef loss (n : Z) (x : R) : R = ${loss}`), "inline-procedures");
    assertFlat(after);
    const stmts = after.procedures.flatMap(({ body }) => [...allBlocks(body)].flatMap((block) => block.stmts));
    return stmts.filter((stmt) => stmt.kind === "call" && stmt.fn === "step").length;
  };
  expect(calls("iterate n step x")).toBe(0);
  expect(calls("iterate n step (step x)")).toBe(2);
});
