// Random programs at singular and extreme points: every stage, forward mode included, has one convention, "a path with a zero factor contributes 0". Points at
// which sums cancel or products leave the range of doubles are counted instead. `DUALREV_RUNS` says how many programs.

import fc from "fast-check";
import { expect, test } from "vitest";
import { stageNames, stageNamed } from "../src/driver/stages.js";
import { Model } from "./support/model.js";
import { derivative, operations, textOf, type Step } from "./support/scalar-trace.js";

const runs = Number(process.env["DUALREV_RUNS"] ?? 50);

const inputs = 2;
const points = [0, 1, -1, 2, -0.5, 3, 800, -800, 1e-200, 1e200, 5e-324, Infinity, -Infinity];

const names = Object.keys(operations);

const programs = fc.array(fc.tuple(fc.nat({ max: names.length - 1 }), fc.nat(), fc.nat()), { minLength: 2, maxLength: 7 }).map(
  (drawn): readonly Step[] =>
    drawn.map(([op, first, second], at) => {
      const name = names[op] ?? "add";
      const arity = operations[name]?.partials(1, 1).length;
      // The last number but one is used, so that programs are chains
      const args = [at === 0 ? first % inputs : inputs + at - 1, second % (inputs + at)].slice(0, arity);
      return { op: name, args: first % 2 === 0 ? args : args.reverse() };
    }),
); // prettier-ignore

const arguments_ = fc.array(fc.tuple(fc.constantFrom(...points), fc.constantFrom(...points)), {
  minLength: 6,
  maxLength: 6,
});

/** Whether a number is the one that is meant, relative to the largest there is. */
function isSame(found: number, meant: number, scale: number): boolean {
  if (Number.isNaN(meant) || !Number.isFinite(meant)) return Object.is(found, meant);
  return Math.abs(found - meant) <= 1e-9 * Math.max(Math.abs(meant), Number.isFinite(scale) ? scale : 0);
}

test(
  "every stage has the same derivative at singular and extreme points",
  () => {
    const counts = { compared: 0, steep: 0, ordered: 0 };
    fc.assert(
      fc.property(programs, arguments_, (steps, calls) => {
        const text = textOf(inputs, steps);
        const model = new Model({ name: "random.lam", text }, ["entry"]);
        for (const args of calls) {
          const meant = derivative(args, steps);
          if (meant.isOrdered || !Number.isFinite(meant.value)) {
            counts.ordered += 1;
            continue;
          }
          counts.compared += 1;
          if (meant.isSteep) counts.steep += 1;
          const scale = Math.max(...meant.forward.map(Math.abs).filter(Number.isFinite), 0);
          for (const stage of stageNames) {
            const run = model.run("entry", stage, args);
            if (run.kind === "primal") continue;
            // Adjoint code tests what may be infinite where its numbers are ordinary
            if (stageNamed(stage).name === "adjoint" && !meant.isOrdinary) continue;
            const [row = []] = model.rows("entry", run, args);
            const at = meant.forward.findIndex((entry, i) => !isSame(row[i] ?? NaN, entry, scale));
            if (at >= 0)
              throw new Error(
                `${stage} at ${args.join(", ")}: ${row.join(", ")}, not ${meant.forward.join(", ")}\n${text}`,
              );
          }
        }
      }),
      { numRuns: runs },
    );
    if (process.env["DUALREV_STATISTICS"] !== undefined) console.log(JSON.stringify(counts));
    expect(counts.compared).toBeGreaterThan(counts.ordered / 4);
    expect(counts.steep).toBeGreaterThan(runs / 10);
  },
  10_000 * Math.max(6, runs),
);
