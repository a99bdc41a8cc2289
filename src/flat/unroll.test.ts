import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { optimised } from "../../test/support/optimised.js";
import { assertFlat } from "./check.js";
import { printProcedure } from "./print.js";

/** The definition `entry` when short loops have been written out. */
function unrolled(text: string): string {
  const core = coreOf(text);
  const entries = core.entries.filter(({ name }) => name === "entry");
  const program = flatOf(optimised({ ...core, entries }), "inline-procedures", "unroll", "chosen-items");
  assertFlat(program);
  return program.procedures.filter(({ name }) => name === "entry").map(printProcedure).join("\n"); // prettier-ignore
}

test("a fold over an array that is written out", () => {
  expect(unrolled("def entry (x : R) (y : R) : R = sum (map (\\v. v * v) [x, y])")).toMatchInlineSnapshot(`
    "function entry(x : R, y : R) : R =
      t3 = x * x
      acc2 = 0.0 + t3
      t4 = y * y
      acc3 = acc2 + t4
      yield acc3
    "
  `);
});

test("an element at an index that the loop computes is chosen, and known to be there", () => {
  expect(unrolled("def entry (x : R) (y : R) : R = maximum [x, y]")).toMatchInlineSnapshot(`
    "function entry(x : R, y : R) : R =
      t5 = y <= x
      t7, best2 = if t5 then
        yield 0, x
      else
        t6 = x /= x
        if t6 then
          yield 0, x
        else
          yield 1, y
      t8 = t7 == 0
      t4 = if t8 then
        yield x
      else
        yield y
      yield t4
    "
  `);
});

test("an index from elsewhere is compared with the length", () => {
  const text = unrolled("def entry (x : R) (i : Z) : R = [x, 2 * x, 3] ! i");
  expect(text).toMatch(/check i in 3\n/);
  expect(text).not.toContain("[x");
});

test("the only item of an array is what is read, in loops, too", () => {
  const text = unrolled("def entry (x : R) (ys : [R]) : [R] = append ys [2 * x]");
  expect(text).not.toContain("= [");
  expect(text).toMatch(/yield t\d+\n/);
});

const isLeft = (text: string): boolean => / = for /.test(unrolled(text));

test("loops that are long, hold others, make arrays, or read no such array stay", () => {
  expect(isLeft("def entry (x : R) : R = sum [x, x * x, 1 + x, exp x, sin x]")).toBe(true);
  expect(isLeft("def entry (x : R) (ys : [R]) : R = foldl (\\a v. a + sum (map (\\y. y * v) ys)) 0 [x, x * x]")).toBe(true); // prettier-ignore
  expect(isLeft("def entry (x : R) : [R] = map exp [x, 2 * x]")).toBe(true);
  expect(isLeft("def entry (x : R) (ys : [R]) : R = foldl (\\a i. a * ys ! i + x) 1 (range 0 2)")).toBe(true);
});

test("an array that is needed as a whole, or read in a loop, stays", () => {
  expect(unrolled("def entry (x : R) (i : Z) : ([R], R) = let w = [x, 2 * x] in (w, w ! i)")).toContain("w ! i");
  const text = "def entry (x : R) (n : Z) : R = let w = [x, 2 * x] in sum (build n (\\i. w ! (mod i 2)))";
  expect(unrolled(text)).toMatch(/w ! /);
});

test("an array of an iteration is not needed in it", () => {
  const text = unrolled("def entry (xs : [R]) (w : R) : R = sum (map (\\x. logSumExp [x, w, x * w]) xs)");
  expect(text.match(/ = for /g)).toHaveLength(1);
  expect(text).not.toMatch(/= \[/);
});
