import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { assertFlat } from "./check.js";
import { flatten } from "./flatten.js";
import { inlineProcedures } from "./inline-procedures.js";
import { linearRecursion } from "./linear-recursion.js";
import { listColumns } from "./list-columns.js";
import { printProcedure } from "./print.js";

const lists = `
  data List a = Nil | Cons a (List a)
  def mapList f l = case l of { Nil -> Nil; Cons x xs -> Cons (f x) (mapList f xs) }
  def zipList f l m = case (l, m) of { (Cons x xs, Cons y ys) -> Cons (f x y) (zipList f xs ys); _ -> Nil }
  def total (l : List R) : R = case l of { Nil -> 0; Cons x xs -> x + total xs }
  def range (n : Z) : List R = if n <= 0 then Nil else Cons (toReal n) (range (n - 1))`;

/** The definition `entry` when lists have become arrays. */
function columns(text: string): string {
  const core = coreOf(`${lists}\n${text}`);
  const entries = core.entries.filter(({ name }) => name === "entry");
  const program = listColumns(inlineProcedures(linearRecursion(flatten({ ...core, entries }))));
  assertFlat(program);
  return program.procedures.filter(({ name }) => name === "entry").map(printProcedure).join("\n"); // prettier-ignore
}

test("what is saved to make a list is what the list holds", () => {
  const text = "def entry (l : List R) (m : List R) : R = total (zipList (\\x y. x * y) l m)";
  expect(columns(text)).toMatchInlineSnapshot(`
    "function entry(l2 : List R, m1 : List R) : R =
      f1 = closure fCode[]
      [t3Saved] = loop (l = l2, m = m1)
        switch l {
          Nil ->
            yield
          Cons ->
            x = l.Cons.0
            xs = l.Cons.1
            switch m {
              Nil ->
                yield
              Cons ->
                y = m.Cons.0
                ys = m.Cons.1
                t2 = f1(x)
                t3 = t2(y)
                next xs, ys, t3
            }
        }
      depth2 = length t3Saved
      last = depth2 - 1
      result1 = for up1 < depth2 (t18 = 0.0)
        level1 = last - up1
        x4 = t3Saved ! level1
        t7 = x4 + t18
        yield t7
      yield result1
    "
  `);
});

test("a list that is walked twice, and one of its elements made on the way up", () => {
  const text = `
    def sums (l : List R) : List R = case l of { Nil -> Nil; Cons x xs -> let y = sin x * x in Cons y (sums xs) }
    def entry (l : List R) : R = let s = sums l in total s * total s`;
  expect(columns(text)).not.toContain("Cons(");
});

test("a chain of lists", () => {
  const text = "def entry (l : List R) : R = total (mapList sin (mapList (\\x. x * x) l))";
  const entry = columns(text);
  expect(entry).not.toContain("Cons(");
  expect(entry).toContain("for at");
});

test("pairs in lists", () => {
  const text = `
    def sumPairs (l : List (R, Z)) : R = case l of { Nil -> 0; Cons (x, n) rest -> x * toReal n + sumPairs rest }
    def entry (l : List R) : R = sumPairs (mapList (\\x. (exp x, 2)) l)`;
  expect(columns(text)).not.toContain("Cons(");
});

test("a list that is handed on is made", () => {
  expect(columns("def entry (l : List R) : (R, List R) = let m = mapList sin l in (total m, m)")).toContain("Cons(");
  expect(
    columns(`
      def after (l : List R) : R = case l of { Nil -> 0; Cons x xs -> case xs of { Nil -> x; Cons y ys -> x * y + after xs } }
      def entry (l : List R) : R = after (mapList sin l)`),
  ).toContain("Cons(");
});

test("a list that ends in another is made", () => {
  const text = `
    def append (l : List R) (m : List R) : List R = case l of { Nil -> m; Cons x xs -> Cons x (append xs m) }
    def entry (l : List R) (m : List R) : R = total (append l m)`;
  expect(columns(text)).toContain("Cons(");
});
