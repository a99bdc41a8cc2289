import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { optimised } from "../../test/support/optimised.js";
import { SameLengths } from "./same-lengths.js";
import { allBlocks } from "./traverse.js";

/** Of the first loop that carries arrays in the definition `entry`: which of them keep their lengths, and whether they begin with the same. */
function carried(text: string): { readonly kept: readonly boolean[]; readonly areAlike: boolean } | null {
  const core = coreOf(text);
  const entries = core.entries.filter(({ name }) => name === "entry");
  const program = flatOf(optimised({ ...core, entries }), "inline-procedures");
  const lengths = new SameLengths(program);
  for (const { body } of program.procedures) {
    for (const { stmts } of allBlocks(body)) {
      for (const stmt of stmts) {
        if (stmt.kind !== "for" || !stmt.params.some(({ rep }) => rep.kind === "array")) continue;
        return { kept: stmt.params.map((param) => lengths.isKept(param)), areAlike: lengths.areAlike(stmt) };
      }
    }
  }
  return null;
}

const entry = "def entry (n : Z) (xs : [R]) (ys : [R]) (zs : [(R, R)]) : [R] =";

test("the leaves of one array, and what an iteration makes of each", () => {
  const text = `${entry} map (\\(x, v). x * v) (iterate n (\\ps. let s = sum (map fst ps) in map (\\(x, v). (x + s, v * s)) ps) zs)`;
  expect(carried(text)).toEqual({ kept: [true, true], areAlike: true });
});

test("arrays whose lengths are compared in each iteration", () => {
  const iteration = "(zipWith (\\a b. a + b) p q, zipWith (\\a b. a - b * sum p) q p)";
  const text = `${entry} let (p, q) = iterate n (\\(p, q). ${iteration}) (xs, ys) in append p q`;
  expect(carried(text)).toEqual({ kept: [true, true], areAlike: false });
});

test("arrays that get the length of others, or another one", () => {
  const after = (iteration: string): ReturnType<typeof carried> =>
    carried(`${entry} let (p, q) = iterate n (\\(p, q). ${iteration}) (xs, ys) in append p q`);
  expect(after("(map (\\a. a * sum p) p, build (length p) (\\i. sum q))")?.kept).toEqual([true, false]);
  expect(after("(build (length p + 1) (\\i. sum q), map (\\a. a * sum p) q)")?.kept).toEqual([false, true]);
  expect(after("(q, map (\\a. a * sum q) p)")?.kept).toEqual([false, false]);
});
