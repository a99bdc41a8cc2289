import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { optimised } from "../../test/support/optimised.js";
import { assertFlat } from "./check.js";
import { printProcedure } from "./print.js";

/** The definition `entry` when values that are others are gone. */
function after(text: string): string {
  const core = coreOf(text);
  const entries = core.entries.filter(({ name }) => name === "entry");
  const program = flatOf(optimised({ ...core, entries }), "inline-procedures", "same-arrays");
  assertFlat(program);
  return program.procedures.filter(({ name }) => name === "entry").map(printProcedure).join("\n"); // prettier-ignore
}

const body = "data Body = Body { x : R, v : R, mass : R }\n";

test("what a record with new values for some fields leaves as it is", () => {
  expect(
    after(
      `${body}def entry (n : Z) (bs : [Body]) : [Body] = iterate n (\\bs. let s = sum (map (\\b. b.mass * b.x) bs) in map (\\b. { b | x = s + b.v }) bs) bs`,
    ),
  ).toMatchInlineSnapshot(`
    "function entry(n : Z, bsX : [R], bsV : [R], bsMass : [R]) : ([R], [R], [R]) =
      tX = for i < n (bs1X = bsX)
        n1 = length bs1X
        s1 = for i1 < n1 (s = 0.0)
          bX = bs1X ! i1
          bMass = bsMass ! i1
          t2 = bMass * bX
          s2 = s + t2
          yield s2
        [bs2X] = for i4 < n1
          b1V = bsV ! i4
          t3 = s1 + b1V
          yield t3
        yield bs2X
      yield tX, bsV, bsMass
    "
  `);
});

test("copies of arrays that are as long, not of longer ones", () => {
  const isCopied = (size: string): boolean =>
    after(`${body}def entry (bs : [Body]) (cs : [Body]) : R = let c = build (${size}) (\\i. (bs ! i).v) in sum c * c ! 0 * toReal (length c)`).includes("[c]"); // prettier-ignore
  expect(isCopied("length bs")).toBe(false);
  expect(isCopied("length (map (\\b. b.mass) bs)")).toBe(false);
  expect(isCopied("length cs")).toBe(true);
});

test("what all iterations hand on, through loops in loops, and what some of them change", () => {
  const carried = (iteration: string): string | undefined =>
    /loop \((.*)\)|for \w+ < \w+ \((.*)\)/.exec(after(`def entry (n : Z) (xs : [R]) (k : R) : R = let (a, b) = iterate n (\\(a, b). ${iteration}) (k, xs) in a * sum b`))?.[0]; // prettier-ignore
  expect(carried("(a * sum b, b)")).toMatchInlineSnapshot(`"for i < n (a = k)"`);
  expect(carried("(a * sum b, snd (iterate 3 (\\(c, d). (c + a, d)) (a, b)))")).toMatchInlineSnapshot(
    `"for i < n (a = k)"`,
  );
  expect(carried("(a * sum b, if a > 3 then map (\\x. 2 * x) b else b)")).toMatchInlineSnapshot(
    `"for i < n (a = k, b = xs)"`,
  );
});
