import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { optimised } from "../../test/support/optimised.js";
import { assertFlat } from "./check.js";
import { withExitsBehind } from "./exits.js";
import { flatten } from "./flatten.js";
import { printProcedure } from "./print.js";

/** The procedures when what loops do in their last rounds stands behind them. */
function after(text: string): string {
  const program = withExitsBehind(flatten(optimised(coreOf(text))));
  assertFlat(program);
  return program.procedures.map(printProcedure).join("\n");
}

test("what is computed where the loop ends", () => {
  expect(
    after(`def entry (xs : [R]) (x : R) : R =
      let rec find i = if x < xs ! i then x * xs ! i else find (i + 1) in find 0`),
  ).toMatchInlineSnapshot(`
    "function entry(xs : [R], x : R) : R =
      value1 = loop (i = 0)
        check i in xs
        value = xs ! i
        t = x < value
        if t then
          yield value
        else
          i1 = i + 1
          next i1
      t1 = x * value1
      yield t1
    "
  `);
});

test("with what only the last round uses, unless it may fail", () => {
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
        t = y > 10.0
        if t then
          yield y, m
        else
          y1 = y * x
          k1 = k +? 1
          next y1, k1
      z = sin(y2)
      t1 = toReal(m1)
      t2 = z * t1
      yield t2
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
        t = y > 10.0
        if t then
          yield y
        else
          y1 = y * x
          next y1
      t1 = x > 1.0
      t4 = if t1 then
        t2 = y2 * y2
        yield t2
      else
        t3 = sin(y2)
        yield t3
      yield t4
    "
  `);
});

test("loops stay as they are that end in several places, or compute nothing there", () => {
  const isKept = (text: string): boolean => {
    const program = flatten(optimised(coreOf(text)));
    return withExitsBehind(program).procedures.every((procedure, index) => procedure === program.procedures[index]);
  };
  expect(isKept("def entry (x : R) : R = let rec go y = if y > 10 then y else go (y * x) in go x")).toBe(true);
  expect(
    isKept(`def entry (x : R) : R =
      let rec go y = if y > 10 then y * y else if y < 0 then sin y else go (y * x) in go x`),
  ).toBe(true);
});
