import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { optimised } from "../../test/support/optimised.js";
import { assertFlat } from "./check.js";
import { printProcedure } from "./print.js";

/** The definition `entry` when loops have been interchanged. */
function interchanged(text: string): string {
  const core = coreOf(text);
  const entries = core.entries.filter(({ name }) => name === "entry");
  const program = flatOf(optimised({ ...core, entries }), "inline-procedures", "interchange");
  assertFlat(program);
  return program.procedures.filter(({ name }) => name === "entry").map(printProcedure).join("\n"); // prettier-ignore
}

/** Whether the loop over the elements is the outer one. */
const isOutside = (text: string): boolean => /\n {2}(\[\w+\](, )?)+ = for/.test(interchanged(text));

test("each element goes through all iterations by itself", () => {
  expect(
    interchanged(
      "def entry (n : Z) (xs : [(R, R)]) : [(R, R)] = iterate n (map (\\(x, v). (x + 0.1 * v, v - 0.1 * x))) xs",
    ),
  ).toMatchInlineSnapshot(`
    "function entry(n : Z, xs0 : [R], xs1 : [R]) : ([R], [R]) =
      t2 = length xs0
      [t0], [t1] = for i2 < t2
        y4 = xs0 ! i2
        y5 = xs1 ! i2
        t7, t8 = for i < n (y2 = y4, y3 = y5)
          t3 = 0.1 * y3
          t4 = y2 + t3
          t5 = 0.1 * y2
          t6 = y3 - t5
          yield t4, t6
        yield t7, t8
      yield t0, t1
    "
  `);
});

test("a choice for each element stays one", () => {
  expect(
    isOutside("def entry (n : Z) (xs : [R]) : [R] = iterate n (map (\\x. if x > 1 then x / 2 else 3 * x)) xs"),
  ).toBe(true);
});

test("not where elements have to do with each other, or an iteration may fail", () => {
  const isKept = (iteration: string): boolean =>
    !isOutside(`def entry (n : Z) (m : Z) (xs : [R]) : [R] = iterate n (${iteration}) xs`);
  expect(isKept("\\ys. map (\\y. y * y) ys")).toBe(false);
  expect(isKept("\\ys. map (\\y. y * sum ys) ys")).toBe(true);
  expect(isKept("\\ys. build (length ys) (\\i. ys ! (length ys - 1 - i))")).toBe(true);
  expect(isKept("\\ys. map (\\y. y * toReal (m * m)) ys")).toBe(true);
  expect(isKept("\\ys. build m (\\i. toReal i)")).toBe(true);
});
