import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { optimise } from "../optimise/passes.js";
import { assertFlat } from "./check.js";
import { printProcedure } from "./print.js";

/** The procedure `go` of a program. */
function goOf(text: string): string {
  const core = coreOf(text);
  const own = { ...core, entries: core.entries.filter(({ name }) => name === "entry") };
  const program = flatOf(optimise(own), "halving");
  assertFlat(program);
  return program.procedures.filter(({ name }) => name === "go").map(printProcedure).join("\n"); // prettier-ignore
}

const appended = "def both (xs : [a]) (ys : [a]) : [a] = let n = length xs in build (n + length ys) (\\i. if i < n then xs ! i else ys ! (i - n))"; // prettier-ignore

/** A recursion whose step, halves and result can be other ones. */
function halving({
  step = "x * acc",
  before = "",
  left = "first half acc",
  append = appended,
  second = "(first + half) (count - half) middle",
  result = "(both left right, last)",
} = {}): string {
  return `${append}
    def entry (x : R) (n : Z) : [R] =
      let rec go first count acc =
        if count == 1 then
          let next = ${step} in ([next], next)
        else
          let half = div count 2 in
          ${before}
          let (left, middle) = go ${left} in
          let (right, last) = go ${second} in
          ${result}
      in fst (go 0 n 1)`;
}

test("halves of a range become a loop over it", () => {
  expect(goOf(halving({ step: "x * acc + toReal first" }))).toMatchInlineSnapshot(`
    "function go(first : Z, count : Z, acc : R, x1 : R) : ([R], R) =
      acc2, [made] = for i1 < count (acc1 = acc)
        first2 = first +? i1
        t1 = x1 * acc1
        t2 = toReal(first2)
        next = t1 + t2
        yield next, next
      yield made, acc2
    "
  `);
});

test("not where the halves are others, or what is made of them", () => {
  const isRecursive = (text: string): boolean => goOf(text).includes("= go(");
  expect(isRecursive(halving())).toBe(false);
  expect(isRecursive(halving({ second: "(first + half) (count - half) acc" }))).toBe(true);
  expect(isRecursive(halving({ second: "(first + count) (count - half) middle" }))).toBe(true);
  expect(isRecursive(halving({ second: "(first + half) half middle" }))).toBe(true);
  expect(isRecursive(halving({ result: "(both right left, last)" }))).toBe(true);
  expect(isRecursive(halving({ result: "(both left right, middle)" }))).toBe(true);
  expect(isRecursive(halving({ result: "(both left left, last)" }))).toBe(true);
  expect(isRecursive(halving({ left: "first half (2 * acc)" }))).toBe(true);
  expect(isRecursive(halving({ left: "(first + 1) half acc" }))).toBe(true);
  expect(isRecursive(halving({ left: "first (half + 1) acc" }))).toBe(true);
  expect(isRecursive(halving({ before: "let _ = [x] ! (count - 2) in" }))).toBe(true);
  expect(isRecursive(halving({ append: appended.replace("i < n", "i <= n") }))).toBe(true);
  expect(isRecursive(halving({ append: appended.replace("i < n", "i < 2") }))).toBe(true);
  expect(isRecursive(halving({ append: appended.replace("i < n", "i == n") }))).toBe(true);
});
