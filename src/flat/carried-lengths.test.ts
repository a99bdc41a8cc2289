import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { optimised } from "../../test/support/optimised.js";
import { assertFlat } from "./check.js";
import { printProcedure } from "./print.js";

/** The procedures when lengths that loops keep are known in front of them. */
function after(text: string): string {
  const program = flatOf(optimised(coreOf(text)), "carried-lengths");
  assertFlat(program);
  return program.procedures.map(printProcedure).join("\n");
}

test("the length of an array that each iteration makes as long as the one before", () => {
  expect(
    after(
      "def entry (n : Z) (u : [R]) : [R] = iterate n (\\v. build (length v) (\\i. v ! i + if i > 0 then v ! (i - 1) else 0)) u",
    ),
  ).toMatchInlineSnapshot(`
    "function entry(n : Z, u : [R]) : [R] =
      size = length u
      t = for i < n (v = u)
        [v1] = for i2 < size
          t3 = v ! i2
          t4 = i2 > 0
          t7 = if t4 then
            t5 = i2 - 1
            t6 = v ! t5
            yield t6
          else
            yield 0.0
          t8 = t3 + t7
          yield t8
        yield v1
      yield t
    "
  `);
});

test("not that of one that grows, or that two iterations make in different ways", () => {
  const isMeasured = (step: string): boolean =>
    /length u\n[^]*= for/.test(after(`def entry (n : Z) (u : [R]) : [R] = iterate n (\\v. ${step}) u`));
  expect(isMeasured("build (length v) (\\i. 2 * v ! (length v - 1 - i))")).toBe(true);
  expect(isMeasured("build (length v + 1) (\\i. toReal (length v + i))")).toBe(false);
  expect(isMeasured("if length v > 3 then v else build (length v + 1) (\\i. toReal i)")).toBe(false);
});
