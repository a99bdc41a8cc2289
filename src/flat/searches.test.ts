import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { afterFlat, flatOf } from "../../test/support/flat-passes.js";
import { assertFlat } from "./check.js";
import { printProcedure } from "./print.js";
import type { Program } from "./program.js";
import { withSearches } from "./searches.js";

/** The flat program of a definition `f` over lists. */
function flat(definition: string): Program {
  const core = coreOf(`data List a = Nil | Cons a (List a)\n${definition}`);
  return flatOf({ ...core, entries: core.entries.filter(({ name }) => name === "f") });
}

function procedure(program: Program): string {
  assertFlat(program);
  return program.procedures.filter(({ name }) => name === "f").map(printProcedure).join("\n"); // prettier-ignore
}

const positive =
  "def f (m : R) (l : List R) : List R = case l of { Nil -> Nil; Cons x xs -> if x > m then Cons (x * x) (f m xs) else f m xs }";

test("the next level that makes a cell is looked for in a loop of its own", () => {
  expect(procedure(afterFlat(flat(positive), "searches"))).toMatchInlineSnapshot(`
    "function f(m : R, l : List R) : List R =
      l2 = loop (l1 = l)
        switch l1 {
          Nil ->
            yield l1
          Cons ->
            x1 = l1.Cons.0
            xs1 = l1.Cons.1
            t6 = x1 > m
            if t6 then
              yield l1
            else
              next xs1
        }
      switch l2 {
        Nil ->
          t : List R = Nil()
          yield t
        Cons ->
          x = l2.Cons.0
          xs = l2.Cons.1
          t2 = x * x
          t3 = f(m, xs)
          t4 = Cons(t2, t3)
          yield t4
      }
    "
  `);
});

test("so that each level makes one, and the list is an array", () => {
  expect(
    procedure(afterFlat(flat(positive), "searches", "linear-recursion", "list-arrays", "joint-exits", "array-copies")),
  ).toMatchInlineSnapshot(`
    "function f(m : R, l3 : [R]) : [R] =
      length = length l3
      [t2Saved] = loop (at2 = 0)
        at4 = loop (at3 = at2)
          more = at3 < length
          if more then
            x1 = l3 ! at3
            t6 = x1 > m
            if t6 then
              yield at3
            else
              at5 = at3 + 1
              next at5
          else
            yield at3
        more1 = at4 < length
        if more1 then
          x = l3 ! at4
          t2 = x * x
          at6 = at4 + 1
          next at6, t2
        else
          yield
      yield t2Saved
    "
  `);
});

test("levels without a cell may change several parameters, or go on from several places", () => {
  const program = flat(`def f (k : Z) (l : List R) : List R = case l of {
    Nil -> Nil;
    Cons x xs -> if k > 3 then Cons x (f 0 xs) else if x > 0 then f (k + 1) xs else case xs of { Nil -> l; Cons y ys -> if y > x then f k ys else Cons y (f k xs) } }`);
  expect(procedure(afterFlat(program, "searches", "linear-recursion", "list-arrays", "joint-exits", "array-copies")))
    .toMatchInlineSnapshot(`
      "function f(k5 : Z, l3 : List R) : List R =
        end, [xSaved] = loop (k = k5, l = l3)
          k3, l2 = loop (k2 = k, l1 = l)
            switch l1 {
              Nil ->
                yield k2, l1
              Cons ->
                x1 = l1.Cons.0
                xs1 = l1.Cons.1
                t10 = k2 > 3
                if t10 then
                  yield k2, l1
                else
                  t11 = x1 > 0.0
                  if t11 then
                    k4 = k2 + 1
                    next k4, xs1
                  else
                    switch xs1 {
                      Nil ->
                        yield k2, l1
                      Cons ->
                        y1 = xs1.Cons.0
                        ys1 = xs1.Cons.1
                        t12 = y1 > x1
                        if t12 then
                          next k2, ys1
                        else
                          yield k2, l1
                    }
            }
          switch l2 {
            Nil ->
              t : List R = Nil()
              yield t
            Cons ->
              x = l2.Cons.0
              xs = l2.Cons.1
              t1 = k3 > 3
              if t1 then
                next 0, xs, x
              else
                switch xs {
                  Nil ->
                    yield l2
                  Cons ->
                    y = xs.Cons.0
                    next k3, xs, y
                }
          }
        depth2 = length xSaved
        last = depth2 - 1
        result = for up < depth2 (t13 = end)
          level = last - up
          x2 = xSaved ! level
          t3 = Cons(x2, t13)
          yield t3
        yield result
      "
    `);
});

test("levels that may be of several constructors, but not of all, are not looked for", () => {
  const program = flat(`data Shape = Dot R | Line R R | Gap
    def f (l : List Shape) : List R = case l of {
      Nil -> Nil;
      Cons s rest -> case s of { Dot x -> Cons x (f rest); Line x y -> Cons (x * y) (f rest); Gap -> f rest } }`);
  expect(withSearches(program)).toBe(program);
});

test("what is expensive is not computed twice, and numbers are not lists", () => {
  for (const definition of [
    "def sum (l : List R) : R = case l of { Nil -> 0; Cons x xs -> x + sum xs }\ndef f (l : List R) : List R = case l of { Nil -> Nil; Cons x xs -> if sum xs > x then Cons x (f xs) else f xs }",
    "def f (l : List R) : R = case l of { Nil -> 0; Cons x xs -> if x > 0 then x + f xs else f xs }",
    "def f (l : List R) : List R = case l of { Nil -> Nil; Cons x xs -> Cons x (f xs) }",
    "def f (l : List R) : List R = case l of { Nil -> Nil; Cons x xs -> if x > 0 then l else f xs }",
  ]) {
    const program = flat(definition);
    expect(withSearches(program)).toBe(program);
  }
});
