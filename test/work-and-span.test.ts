// What SV25 §12 is for, counted: the gradient of a program that forks is as parallel as the program. Its work is a constant times that of the program, and
// its longest path a constant times the program's. The paper states the first, and leaves bounds of the second open (§15.3). An atomic addition and an
// allocation count 1; contention and Wrap do not count.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cost, type StageCost } from "../src/driver/cost.js";
import { costOver } from "../src/driver/cost-over.js";
import { readFixture } from "./support/fixture.js";
import { forkingPrograms } from "./support/random-forks.js";

/** By how much a gradient may take longer, in counted work and along the longest path. */
const most = 12;

describe("the gradient against the value", () => {
  test("is a constant times as much work, and so is its longest path, in programs of every shape", () => {
    let forking = 0;
    fc.assert(
      fc.property(forkingPrograms, (text) => {
        const counted = cost({ name: "shape.lam", text }, "f", { x: 0.5, y: -0.75 }, { budget: 1e6 });
        if (!counted.ok) throw new Error(`${text}: ${counted.diagnostics[0]?.title ?? ""}`);
        const primal = counted.value.find(({ stage }) => stage === "primal");
        const gradient = counted.value.find(({ stage }) => stage === "parallel");
        if (primal === undefined || gradient === undefined || gradient.stopped !== null) return;
        expect(gradient.total, text).toBeLessThanOrEqual(most * (primal.total + 2));
        if (primal.span === null || gradient.span === null) return;
        forking += 1;
        expect(gradient.span, text).toBeLessThanOrEqual(most * (primal.span + 2));
        expect(gradient.span).toBeLessThanOrEqual(gradient.total);
      }),
      { numRuns: Number(process.env["DUALREV_RUNS"] ?? 20) },
    );
    expect(forking).toBeGreaterThan(4);
  }, 600_000);
});

describe("what is counted", () => {
  const counted = (text: string, args: object): ReadonlyMap<string, StageCost> => {
    const costs = cost({ name: "counted.lam", text }, "f", args);
    if (!costs.ok) throw new Error(costs.diagnostics[0]?.title);
    return new Map(costs.value.map((each) => [each.stage, each]));
  };

  test("are the same calls of functions, whether tasks make them or not", () => {
    const [tasks, inOrder] = ["parMap", "map"].map((map) =>
      counted(`def f (xs : [R]) : R = sum (${map} (\\x. x * x) xs)`, { xs: [1, 2, 3, 4] }),
    );
    for (const stage of ["primal", "d4", "parallel"]) {
      expect(tasks?.get(stage)?.work).toMatchObject({ functionCalls: inOrder?.get(stage)?.work.functionCalls });
    }
  });

  test("are forks in a function that is a loop, too", () => {
    const text = `def f (n : Z) (x : R) : R =
      if n <= 0 then x else if mod n 2 == 0 then f (n - 1) (x * 2) else let (a, b) = f (n - 2) x |*| x * x in a + b`;
    const primal = counted(text, { n: 9, x: 1.5 }).get("primal");
    expect(primal?.span).toBeLessThan(primal?.total ?? 0);
  });
});

describe("the longest path", () => {
  const growths = (name: string, entry: string, args: object, values: readonly number[]): readonly string[] => {
    const series = costOver(
      readFixture("parallel", name).source,
      entry,
      args,
      { names: ["xs"], values },
      { budget: 1 },
    );
    if (!series.ok) throw new Error(series.diagnostics[0]?.title);
    const of = (stage: string, what: string): string => series.value.find((one) => one.stage === stage && one.of === what)?.growth ?? "none"; // prettier-ignore
    return ["work", "span"].flatMap((what) => ["primal", "parallel"].map((stage) => of(stage, what)));
  };

  test("of a balanced tree of forks grows with the logarithm, in the value and in the gradient", () => {
    expect(growths("tree-reduction", "total", { xs: [0.5] }, [4, 16, 64, 256, 1024])).toEqual([
      "linear",
      "linear",
      "log n",
      "log n",
    ]);
  });

  test("of a chain of forks is linear in both", () => {
    expect(growths("forks-in-fold", "chain", { start: 1, xs: [0.5] }, [2, 4, 8, 16, 32])).toEqual(["linear", "linear", "linear", "linear"]); // prettier-ignore
  });

  test("is not told of a program that does not fork", () => {
    const counted = cost({ name: "plain.lam", text: "def f (x : R) : R = x * x" }, "f", { x: 2 });
    expect(counted.ok && counted.value.every(({ span }) => span === null)).toBe(true);
  });
});

test("a matrix that is to stay square does, at every size, and is as regular as the given one", () => {
  const text = 'import "std/solve.lam" (solveLinear)\n\ndef f (a : [[R]]) (b : [R]) : R = sum (solveLinear a b)\n';
  const args = { a: [[2, 1], [1, 3]], b: [1, 1] }; // prettier-ignore
  const over = { names: ["a", "b"], values: [1, 3, 4] };
  const counted = (square: readonly string[]): boolean => costOver({ name: "m.lam", text }, "f", args, { ...over, square }, { budget: 1 }).ok; // prettier-ignore
  expect([counted(["a"]), counted([])]).toEqual([true, false]);
});
