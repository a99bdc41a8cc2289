import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { optimised } from "../../test/support/optimised.js";
import { assertFlat } from "./check.js";
import { printProcedure } from "./print.js";
import { withExitsBehind } from "./exit-sinking.js";

/** The procedures when what loops do in their last iterations stands behind them. */
function after(text: string): string {
  const program = flatOf(optimised(coreOf(text)), "exit-sinking");
  assertFlat(program);
  return program.procedures.map(printProcedure).join("\n");
}

test("what is computed where the loop ends", () => {
  expect(
    after(`def entry (xs : [R]) (x : R) : R =
      let rec find i = if x < xs ! i then x * xs ! i else find (i + 1) in find 0`),
  ).toMatchInlineSnapshot(`
    "function entry(xs : [R], x : R) : R =
      i2 = loop (i = 0)
        check i in xs
        value = xs ! i
        t1 = x < value
        if t1 then
          yield i
        else
          i1 = i + 1
          next i1
      value1 = xs ! i2
      t2 = x * value1
      yield t2
    "
  `);
});

test("with what only the last iteration uses, unless it may fail", () => {
  expect(
    after(`def entry (x : R) (n : Z) : R =
      let rec go y k =
        let z = sin y in
        let m = k * k in
        if y > 10 then z * toReal m else go (y * x) (k + 1) in
      go x n`),
  ).toMatchInlineSnapshot(`
    "function entry(x : R, n : Z) : R =
      y2, m1 = loop (y = x, k = n)
        m = k *? k
        t1 = y > 10.0
        if t1 then
          yield y, m
        else
          y1 = y * x
          k1 = k +? 1
          next y1, k1
      z = sin(y2)
      t2 = toReal(m1)
      t3 = z * t2
      yield t3
    "
  `);
});

test("where it branches", () => {
  expect(
    after(`def entry (x : R) : R =
      let rec go y = if y > 10 then (if x > 1 then y * y else sin y) else go (y * x) in go x`),
  ).toMatchInlineSnapshot(`
    "function entry(x : R) : R =
      y2 = loop (y = x)
        t1 = y > 10.0
        if t1 then
          yield y
        else
          y1 = y * x
          next y1
      t2 = x > 1.0
      t = if t2 then
        t3 = y2 * y2
        yield t3
      else
        t4 = sin(y2)
        yield t4
      yield t
    "
  `);
});

test("of several ways out, each has a number", () => {
  expect(
    after(`def entry (x : R) : R =
      let rec go y z = if y > 10 then y * y else if z < 0 then sin y * z else go (y * x) (z + 1) in go x x`),
  ).toMatchInlineSnapshot(`
    "function entry(x : R) : R =
      way, y2, z2 = loop (y = x, z = x)
        t1 = y > 10.0
        if t1 then
          yield 0, y, z
        else
          t3 = z < 0.0
          if t3 then
            yield 1, y, z
          else
            y1 = y * x
            z1 = z + 1.0
            next y1, z1
      isThis = way == 0
      t = if isThis then
        t2 = y2 * y2
        yield t2
      else
        t4 = sin(y2)
        t5 = t4 * z2
        yield t5
      yield t
    "
  `);
});

test("objects that only one of several ways needs", () => {
  expect(
    after(`def entry (l : List R) (k : Z) : R =
      case l of { Nil -> toReal (k * k); x :: rest -> if k == 0 then listSum rest * x else entry rest (k - 1) }`),
  ).toMatchInlineSnapshot(`
    "function listFoldlPlus(start : R, xs : List R) : R =
      t = loop (start1 = start, xs1 = xs)
        switch xs1 {
          Nil ->
            yield start1
          Cons ->
            y = xs1.Cons.0
            ys = xs1.Cons.1
            start2 = start1 + y
            next start2, ys
        }
      yield t

    function entry(l : List R, k : Z) : R =
      way, k3, l2 = loop (l1 = l, k1 = k)
        switch l1 {
          Nil ->
            yield 0, k1, l1
          Cons ->
            rest = l1.Cons.1
            t4 = k1 == 0
            if t4 then
              yield 1, k1, l1
            else
              k2 = k1 -? 1
              next rest, k2
        }
      isThis = way == 0
      t1 = if isThis then
        t2 = k3 *? k3
        t3 = toReal(t2)
        yield t3
      else
        x = l2.Cons.0
        rest1 = l2.Cons.1
        t5 = listFoldlPlus(0.0, rest1)
        t6 = t5 * x
        yield t6
      yield t1
    "
  `);
});

const isKept = (text: string): boolean => {
  const program = flatOf(optimised(coreOf(text)));
  return withExitsBehind(program).procedures.every((procedure, index) => procedure === program.procedures[index]);
};

test("several ways out stay where one has a number of its own, to which a cotangent comes back", () => {
  expect(
    isKept(`def entry (x : R) : R =
      let rec go y z = if y > 10 then y * y else let u = sin z in if u < 0 then u * z else go (y * x) (z + 1) in go x x`),
  ).toBe(true);
});

test("loops stay as they are that compute nothing where they end", () => {
  expect(isKept("def entry (x : R) : R = let rec go y = if y > 10 then y else go (y * x) in go x")).toBe(true);
  expect(
    isKept(
      "def entry (x : R) : R = let rec go y z = if y > 10 then z else if y < 0 then x else go (y * x) y in go x x",
    ),
  ).toBe(true);
});
