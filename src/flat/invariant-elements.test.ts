import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { firstDifference } from "../../test/support/compare.js";
import { codeOf, numbersOf } from "../../test/support/emitted-sweeps.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { optimised } from "../../test/support/optimised.js";
import { exportOf, loadModule } from "../driver/evaluate.js";
import { assertFlat } from "./check.js";
import { hoistInvariants } from "./loop-invariants.js";
import { printProcedure } from "./print.js";

/** The procedures when what inner loops compute alike in every iteration of an outer one stands in front of that. */
function after(text: string): string {
  const flat = flatOf(optimised(coreOf(text)), "loop-invariants");
  assertFlat(flat);
  const program = hoistInvariants(flat);
  assertFlat(program);
  return program.procedures.map(printProcedure).join("\n");
}

const nodes =
  "def entry (b : [R]) (zs : [R]) (rows : [[R]]) : R = sum (map (\\z. sum (map (\\row. exp (dot b row + z)) rows)) zs)";

test("products that do not depend on the outer loop are made in front of it", () => {
  expect(after(nodes)).toMatchInlineSnapshot(`
    "function entry(b : [R], zs : [R], rows : [[R]]) : R =
      n = length zs
      n1 = length rows
      some = n > 0
      count = if some then
        yield n1
      else
        yield 0
      [t19] = for i6 < count
        row1 = rows ! i6
        t13 = length b
        t14 = length row1
        n3 = sameLength?(t13, t14)
        t18 = for i7 < n3 (acc6 = 0.0)
          t15 = b ! i7
          t16 = row1 ! i7
          t17 = t15 * t16
          acc7 = acc6 + t17
          yield acc7
        yield t18
      t = for i < n (acc = 0.0)
        z = zs ! i
        t2 = for i2 < n1 (acc1 = 0.0)
          t6 = t19 ! i2
          t11 = t6 + z
          t12 = exp(t11)
          acc4 = acc1 + t12
          yield acc4
        acc5 = acc + t2
        yield acc5
      yield t
    "
  `);
});

test("rows of what two inner loops compute alike", () => {
  const text =
    "def entry (xs : [R]) (rows : [[R]]) : R = sum (map (\\x. sum (map (\\row. sin (sum (map (\\y. x * exp y) row))) rows)) xs)";
  expect(after(text)).toMatch(/\[\w+\] = for [^]*\[\w+\] = for [^]*exp\([^]*yield/);
  expect(after(text).match(/exp/g)).toHaveLength(1);
});

test("not what is cheap, what the outer loop changes, or is done on one way only", () => {
  const inner = (term: string): string =>
    after(`def entry (zs : [R]) (ys : [R]) : R = sum (map (\\z. sum (map (\\y. ${term}) ys)) zs)`);
  for (const term of ["z * (y + 1)", "exp (y * z)", "if z * y > 0.5 then exp y else z"])
    expect(inner(term).match(/= for/g)).toHaveLength(2);
});

const args = [
  Float64Array.of(0.3, -0.2),
  Float64Array.of(0.5, 1.5, -1),
  [Float64Array.of(1, 2), Float64Array.of(-1, 0.5)],
];

function gradient(stage: "adjoint" | "tape", values: readonly unknown[]): unknown {
  return exportOf(loadModule(codeOf(nodes, stage)), "entryGrad")(...values);
}

test("the gradient is that of the other stages, also where a loop has no iterations", () => {
  const [b, zs, rows] = args;
  const none = new Float64Array(0);
  for (const values of [args, [b, none, rows], [b, zs, []], [none, none, [none]]]) {
    const [numbers, expected] = [numbersOf(gradient("adjoint", values)), numbersOf(gradient("tape", values))];
    expect(firstDifference(numbers, expected, 1e-12)).toBeNull();
  }
});

test("lengths that differ are no error where no iteration compares them", () => {
  const [b, zs] = args;
  const short = [Float64Array.of(1)];
  expect(numbersOf(gradient("adjoint", [b, new Float64Array(0), short]))).toEqual([0, 0, 0, 0]);
  expect(() => gradient("adjoint", [b, zs, short])).toThrow("the lengths 2 and 1 must be the same");
});
