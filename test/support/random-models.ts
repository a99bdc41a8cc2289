// Properties of random models, by the numbers that their terms are drawn with.

import fc from "fast-check";
import { CheckedRuns } from "./checked-runs.js";
import { verdictOn, type Plan } from "./harness.js";
import { Model } from "./model.js";
import type { Value } from "./random-arguments.js";
import type { Dice } from "./random-dice.js";

/** Dice that fall in any way. */
export const anyDice: fc.Arbitrary<Dice> = fc.infiniteStream(fc.nat({ max: 2 ** 30 - 1 })).map((numbers) => {
  const next = (): number => numbers.next().value / 2 ** 30;
  return { fraction: next, int: (low, high) => low + Math.floor(next() * (high - low + 1)) };
});

const plan: Plan = { stages: ["primal", "tape", "adjoint"], pairs: [["tape", "adjoint"]] };

/** How many models there are, how many characters they have at most, and what each is run on. */
interface Models {
  readonly runs: number;
  readonly longest: number;
  readonly argumentLists: readonly Readonly<Record<string, Value>>[];
}

/** After how much of the passes the memory of a model is checked, 1: all of them; null: it is not, of three in four. */
const parts = fc
  .tuple(fc.nat({ max: 7 }), fc.nat({ max: 100 }))
  .map(([which, part]) => (which === 0 ? 1 : which === 1 ? part / 100 : null));

/**
 * Throws unless what is compiled ahead of time agrees with the interpreter, the tape and finite differences on some models, which have a definition `entry`, and
 * some of them use their memory rightly, after all or some of the passes.
 */
export function assertAgreement(model: (dice: Dice) => string, { runs, longest, argumentLists }: Models): void {
  fc.assert(
    fc.property(anyDice.map(model), parts, (text, part) => {
      fc.pre(text.length < longest);
      const checked = part === null ? null : new CheckedRuns(new Model({ name: "random.lam", text }, ["entry"]), part);
      for (const args of argumentLists) {
        const verdict = verdictOn(text, "entry", args, plan);
        if (verdict.kind === "differ") throw new Error(`${verdict.how}\n${text}`);
        const problem = verdict.kind === "agree" ? (checked?.problemOf("entry", args) ?? null) : null;
        if (problem !== null) throw new Error(`after ${String(part)} of the passes: ${problem}\n${text}`);
      }
    }),
    { numRuns: runs },
  );
}
