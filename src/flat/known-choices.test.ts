import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { optimised } from "../../test/support/optimised.js";
import { assertFlat } from "./check.js";
import { printProcedure } from "./print.js";

function after(text: string): string {
  const program = flatOf(optimised(coreOf(text)), "known-choices");
  assertFlat(program);
  return program.procedures.map(printProcedure).join("\n");
}

test("a test of which was chosen is made of the tests that chose", () => {
  expect(
    after(`def entry (x : R) (y : R) : R =
      let at : Z = if y <= x then 0 else if x /= x then 0 else 1 in
      if at == 0 then x * y else y`),
  ).toMatchInlineSnapshot(`
    "function entry(x : R, y : R) : R =
      t = y <= x
      t2 = if t then
        yield true
      else
        t4 = x /= x
        if t4 then
          yield true
        else
          yield false
      if t2 then
        t3 = x * y
        yield t3
      else
        yield y
    "
  `);
});

test("not where it is not chosen among literals", () => {
  expect(
    after(`def entry (x : R) (n : Z) : R =
      let at = if x > 0 then n else 1 in
      if at == 0 then x else 2`),
  ).toMatchInlineSnapshot(`
    "function entry(x : R, n : Z) : R =
      t = x > 0.0
      at = if t then
        yield n
      else
        yield 1
      t1 = at == 0
      if t1 then
        yield x
      else
        yield 2.0
    "
  `);
});
