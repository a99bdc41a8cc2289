import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { assertFlat } from "./check.js";
import { printProcedure } from "./print.js";

/** A procedure after recursion is made loops. */
function unrolled(text: string, name: string): string {
  const program = flatOf(coreOf(`data List a = Nil | Cons a (List a)\n${text}`), "linear-recursion");
  assertFlat(program);
  return program.procedures.filter((one) => one.name === name).map(printProcedure).join("\n"); // prettier-ignore
}

test("a fold saves what it needs on the way up", () => {
  const text = "def total (k : R) (l : List R) : R = case l of { Nil -> 0; Cons x xs -> k * x + total k xs }";
  expect(unrolled(text, "total")).toMatchInlineSnapshot(`
    "function total(k : R, l1 : List R) : R =
      end, [tSaved] = loop (l = l1)
        switch l {
          Nil ->
            yield 0.0
          Cons ->
            x = l.Cons.0
            xs = l.Cons.1
            t = k * x
            next xs, t
        }
      depth2 = length tSaved
      last = depth2 - 1
      result = for up < depth2 (t3 = end)
        level = last - up
        t4 = tSaved ! level
        t2 = t4 + t3
        yield t2
      yield result
    "
  `);
});

test("where nothing is saved, the levels are counted", () => {
  const text = "def power (x : R) (n : Z) : R = if n == 0 then 1 else x * power x (n - 1)";
  expect(unrolled(text, "power")).toMatchInlineSnapshot(`
    "function power(x : R, n2 : Z) : R =
      end, depth2 = loop (n = n2, depth = 0)
        depth1 = depth + 1
        t = n == 0
        if t then
          yield 1.0, depth
        else
          n1 = n -? 1
          next n1, depth1
      result = for up < depth2 (t3 = end)
        t2 = x * t3
        yield t2
      yield result
    "
  `);
});

test("which of several calls was made is saved", () => {
  const text = `
    def keep (l : List R) : List R =
      case l of { Nil -> Nil; Cons x xs -> if x > 0 then Cons x (keep xs) else keep xs }`;
  expect(unrolled(text, "keep")).toMatchInlineSnapshot(`
    "function keep(l1 : List R) : List R =
      end, [xSaved], [callSaved] = loop (l = l1)
        switch l {
          Nil ->
            t : List R = Nil()
            yield t
          Cons ->
            x = l.Cons.0
            xs = l.Cons.1
            t1 = x > 0.0
            if t1 then
              next xs, x, true
            else
              next xs, 0.0, false
        }
      depth2 = length xSaved
      last = depth2 - 1
      result = for up < depth2 (t5 = end)
        level = last - up
        call = callSaved ! level
        if call then
          x1 = xSaved ! level
          t3 = Cons(x1, t5)
          yield t3
        else
          yield t5
      yield result
    "
  `);
});

test("a call in a branch that others go on after", () => {
  const text = `
    def f (n : Z) (x : R) : R =
      let y = if n > 0 then f (n - 1) (x * 2) else x in
      sin y * x`;
  expect(unrolled(text, "f")).toMatchInlineSnapshot(`
    "function f(n2 : Z, x2 : R) : R =
      count = max(n2, 0)
      x4, [xSaved] = for n3 < count (x = x2)
        x1 = x * 2.0
        yield x1, x
      t3 = sin(x4)
      t4 = t3 * x4
      last = count - 1
      result = for up < count (y3 = t4)
        level = last - up
        x3 = xSaved ! level
        t1 = sin(y3)
        t2 = t1 * x3
        yield t2
      yield result
    "
  `);
});

test("functions that call each other in turn are one", () => {
  const text = `
    def even (n : Z) (x : R) : R = if n == 0 then x else 1 + odd (n - 1) x
    def odd (n : Z) (x : R) : R = if n == 0 then 0 else 0.5 * even (n - 1) x`;
  expect(unrolled(text, "even")).toMatchInlineSnapshot(`
    "function even(n5 : Z, x : R) : R =
      end, depth2 = loop (n = n5, depth = 0)
        depth1 = depth + 1
        t = n == 0
        if t then
          yield x, depth
        else
          n1 = n -? 1
          t6 = n1 == 0
          if t6 then
            t2 = 1.0 + 0.0
            yield t2, depth
          else
            n4 = n1 -? 1
            next n4, depth1
      result = for up < depth2 (t11 = end)
        t8 = 0.5 * t11
        t10 = 1.0 + t8
        yield t10
      yield result
    "
  `);
  expect(unrolled(text, "odd")).toContain("= even(");
});

test("two calls on a path, and calls in loops, stay", () => {
  const tree =
    "data Tree = Leaf R | Node Tree Tree def f (t : Tree) : R = case t of { Leaf x -> x; Node l r -> f l * f r }";
  expect(unrolled(tree, "f")).toMatch(/= f\(.*\n.*= f\(/);
  const rose = "data Rose = Rose R [Rose] def g (t : Rose) : R = case t of { Rose x ts -> x + sum (build (length ts) (\\i. g (ts ! i))) }"; // prettier-ignore
  expect(unrolled(rose, "g")).toContain("= g(");
});
