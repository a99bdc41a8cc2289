import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { afterFlat, flatOf } from "../../test/support/flat-passes.js";
import { optimised } from "../../test/support/optimised.js";
import { assertFlat } from "./check.js";
import { printProcedure } from "./print.js";
import type { Program } from "./program.js";

/** The definition `entry` with short loops written out. */
function before(text: string): Program {
  const core = coreOf(text);
  const entries = core.entries.filter(({ name }) => name === "entry");
  return flatOf(optimised({ ...core, entries }), "inline-procedures", "unroll", "chosen-items");
}

function entryOf(program: Program): string {
  assertFlat(program);
  return program.procedures.filter(({ name }) => name === "entry").map(printProcedure).join("\n"); // prettier-ignore
}

/** The definition `entry` when loops carry the items of small arrays. */
const apart = (text: string): string => entryOf(afterFlat(before(text), "scalar-replacement"));

const product = `def product (a : [[R]]) (b : [[R]]) : [[R]] =
  build 2 (\\i. build 2 (\\j. sum (build 2 (\\k. a ! i ! k * b ! k ! j))))
`;

test("a pair that a loop carries as an array is two numbers", () => {
  expect(apart("def entry (xs : [R]) : R = (foldl (\\s x. [s ! 1, s ! 0 * x]) [1, 2] xs) ! 0")).toMatchInlineSnapshot(`
    "function entry(xs : [R]) : R =
      n = length xs
      t0, t1_1 = for i < n (s0 = 1.0, s1_1 = 2.0)
        x = xs ! i
        t4 = s0 * x
        yield s1_1, t4
      yield t0
    "
  `);
});

test("a matrix that a loop multiplies is its elements, also where functions make it", () => {
  const text = apart(`${product}def entry (xs : [R]) : R =
  let eye = build 2 (\\i. build 2 (\\j. if i == j then 1 else 0)) in
  (foldl (\\m x. product m [[1, x], [0, 1]]) eye xs) ! 0 ! 1`);
  expect(text.match(/ = for /g)).toHaveLength(3);
  expect(text).not.toMatch(/\bm\d* ! /);
});

test("a choice of arrays hands on their items", () => {
  const text = apart("def entry (xs : [R]) : R = (foldl (\\s x. if x > 0 then [s ! 1, x] else s) [1, 2] xs) ! 0");
  expect(text).not.toMatch(/\bs\d* ! /);
});

test("a loop in a loop carries the items, too", () => {
  const text = apart(
    "def entry (n : Z) (x : R) : R = (iterate n (\\s. iterate n (\\t. [t ! 1, t ! 0 + x]) s) [1, 2]) ! 0",
  );
  expect(text.match(/ = for /g)).toHaveLength(2);
  expect(text).not.toMatch(/ ! /);
});

test("what is returned as a whole is put together behind the loop", () => {
  const text = apart("def entry (xs : [R]) : [R] = foldl (\\s x. [s ! 1, s ! 0 * x]) [1, 2] xs");
  expect(text).toMatch(/= \[/);
  expect(text).not.toMatch(/\bs\d* ! /);
});

const isSame = (text: string): boolean => apart(text) === entryOf(before(text));

test("an array stays where it is read at an index from elsewhere, is longer, changes its length, or starts with one that is not known", () => {
  expect(isSame("def entry (xs : [R]) (i : Z) : R = (foldl (\\s x. [s ! i, x]) [1, 2] xs) ! 0")).toBe(true);
  expect(isSame(`def entry (xs : [R]) : R = (foldl (\\s x. map (\\y. y * x) s) (build 17 toReal) xs) ! 0`)).toBe(true);
  expect(isSame("def entry (xs : [R]) : R = sum (foldl (\\s x. if x > 0 then [x] else [x, s ! 0]) [1, 2] xs)")).toBe(true); // prettier-ignore
  expect(isSame("def entry (xs : [R]) (s : [R]) : R = (foldl (\\s x. [s ! 1, x]) s xs) ! 0")).toBe(true);
});
