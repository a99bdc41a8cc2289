import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { assertFlat } from "./check.js";
import { printProcedure } from "./print.js";

const lists = `
  data List a = Nil | Cons a (List a)
  def total (l : List R) : R = case l of { Nil -> 0; Cons x xs -> x + total xs }
  def squares (l : List R) : List R = case l of { Nil -> Nil; Cons x xs -> Cons (x * x) (squares xs) }
  def products (l : List R) (m : List R) : List R =
    case (l, m) of { (Cons x xs, Cons y ys) -> Cons (x * y) (products xs ys); _ -> Nil }`;

/** The definition `entry` when loops have been fused. */
function fused(text: string): string {
  const core = coreOf(`${lists}\n${text}`);
  const entries = core.entries.filter(({ name }) => name === "entry");
  const program = flatOf(
    { ...core, entries },
    "linear-recursion",
    "list-arrays",
    "joint-exits",
    "array-copies",
    "inline-procedures",
    "loop-fusion",
  );
  assertFlat(program);
  return program.procedures.filter(({ name }) => name === "entry").map(printProcedure).join("\n"); // prettier-ignore
}

function loops(text: string): number {
  return fused(text).split("= for ").length - 1;
}

test("what is summed is not stored", () => {
  expect(fused("def entry (l : List R) (m : List R) : R = total (products l m)")).toMatchInlineSnapshot(`
    "function entry(l3 : [R], m1 : [R]) : R =
      length2 = length l3
      length3 = length m1
      least = min(length2, length3)
      last = least - 1
      result = for up < least (t12 = 0.0)
        level = last - up
        x2 = l3 ! level
        y = m1 ! level
        t8 = x2 * y
        t1 = t8 + t12
        yield t1
      yield result
    "
  `);
});

test("a chain of loops is one", () => {
  expect(loops("def entry (l : List R) : R = total (squares (squares (squares l)))")).toBe(1);
});

test("an element that is a loop itself is computed where it is read", () => {
  const text = `
    def totals (ls : List (List R)) : List R = case ls of { Nil -> Nil; Cons l rest -> Cons (total l) (totals rest) }
    def entry (ls : List (List R)) : R = total (squares (totals ls))`;
  expect(loops(text)).toBe(2);
});

test("what is read twice is stored", () => {
  // The two loops are one
  expect(loops("def entry (l : List R) : R = let s = squares l in total s * total s")).toBe(1);
  expect(loops("def entry (l : List R) : R = let s = squares l in total s * total (products s s)")).toBe(3);
  const inner = `
    def each (ls : List (List R)) (m : List R) : R =
      case ls of { Nil -> 0; Cons l rest -> total (products l m) + each rest m }
    def entry (ls : List (List R)) (m : List R) : R = each ls (squares m)`;
  expect(fused(inner)).toContain("[m3] = for ");
});

test("several arrays of one loop, or elements that are read at several places, are computed once in an iteration", () => {
  const text = `
    def entry (m : R) (l : List R) : R = case l of {
      Nil -> 1;
      Cons x xs -> if x > m then x * x + entry m xs else if x > 0 then x * entry m xs else entry m xs }`;
  expect(fused(text)).toMatchInlineSnapshot(`
    "function entry(m1 : R, l7 : [R]) : R =
      length4 = length l7
      last3 = length4 - 1
      result3 = for up3 < length4 (t24 = 1.0)
        level3 = last3 - up3
        x3 = l7 ! level3
        t11 = x3 > m1
        x5, call = if t11 then
          t12 = x3 * x3
          yield t12, 0
        else
          t15 = x3 > 0.0
          if t15 then
            yield x3, 1
          else
            yield 0.0, 2
        isCall1 = call == 0
        if isCall1 then
          t14 = x5 + t24
          yield t14
        else
          isCall = call == 1
          if isCall then
            t17 = x5 * t24
            yield t17
          else
            yield t24
      yield result3
    "
  `);
  // Two readers
  expect(loops("def entry (l : List R) : R = let s = squares l in total s + total (products s l)")).toBe(3);
});
