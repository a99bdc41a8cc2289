// The paper's claim (SV25 §12.2), counted: the gradient of a program that forks takes a constant times its work, and its longest path a constant times
// that of the program. An atomic addition and an allocation count 1; contention and Wrap do not count.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cost } from "../src/driver/cost.js";
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
      { numRuns: Number(process.env["DUALREV_RUNS"] ?? 60) },
    );
    expect(forking).toBeGreaterThan(10);
  }, 600_000);
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
