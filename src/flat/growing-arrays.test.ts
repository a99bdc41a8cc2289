import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { optimised } from "../../test/support/optimised.js";
import { assertFlat } from "./check.js";
import { printProcedure } from "./print.js";

/** The definition `entry` when arrays grow in place, or before. */
function grown(text: string, ...passes: readonly string[]): string {
  const core = coreOf(text);
  const entries = core.entries.filter(({ name }) => name === "entry");
  const program = flatOf(optimised({ ...core, entries }), "inline-procedures", ...passes, "growing-arrays");
  assertFlat(program);
  return program.procedures.filter(({ name }) => name === "entry").map(printProcedure).join("\n"); // prettier-ignore
}

test("an array that iterations make longer is made by the loop, whose iterations read it", () => {
  const text = `def entry (xs : [R]) (k : R) : [R] =
    foldl (\\acc x. append acc [x + k * (if length acc > 1 then acc ! (length acc - 2) else 0)]) [] xs`;
  expect(grown(text)).toBe(`function entry(xs : [R], k : R) : [R] =
  n = length xs
  [t] = for i < n
    x = xs ! i
    t2 = i > 1
    t5 = if t2 then
      t3 = i - 2
      t4 = t ! t3
      yield t4
    else
      yield 0.0
    t6 = k * t5
    t7 = x + t6
    yield t7
  yield t
`);
});

test("behind what it begins with, where that is anything", () => {
  const text = "def entry (n : Z) (x : R) : [R] = iterate n (\\acc. append acc [sin (acc ! (length acc - 1))]) [x]";
  expect(grown(text)).toBe(`function entry(n : Z, x : R) : [R] =
  x1 = [x]
  t11 = max(n, 0)
  [t12] = for i < t11
    t14 = i < 1
    t3 = if t14 then
      t15 = x1 ! i
      yield t15
    else
      t16 = i - 1
      t17 = t12 ! t16
      yield t17
    t4 = sin(t3)
    yield t4
  t23 = t11 + 1
  [t] = for i4 < t23
    t19 = i4 < 1
    t18 = if t19 then
      t20 = x1 ! i4
      yield t20
    else
      t21 = i4 - 1
      t22 = t12 ! t21
      yield t22
    yield t18
  yield t
`);
});

test("not where something else holds it, or it grows in some iterations alone", () => {
  const carries = (text: string): boolean => /= \w+\)/.test(grown(text));
  const fold = (next: string): string => `def entry (xs : [R]) : [R] = foldl (\\acc x. ${next}) [1] xs`;
  expect(carries(fold("append acc [x]"))).toBe(false);
  expect(carries(fold("append acc [x * sum acc]"))).toBe(false);
  expect(carries(fold("append acc [x, x]"))).toBe(true);
  expect(carries(fold("append [x] acc"))).toBe(true);
  expect(carries(fold("if x > 0 then append acc [x] else acc"))).toBe(true);
  const held =
    "def entry (xs : [R]) : [[R]] = snd (foldl (\\(acc, all) x. (append acc [x], append all [acc])) ([], []) xs)";
  expect(carries(held)).toBe(true);
});
