// Properties of random models, by the numbers that their terms are drawn with.

import fc from "fast-check";
import { verdictOn, type Plan } from "./harness.js";
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

/** Throws unless what is compiled ahead of time agrees with the interpreter, the tape and finite differences on some models, which have a definition `entry`. */
export function assertAgreement(model: (dice: Dice) => string, { runs, longest, argumentLists }: Models): void {
  fc.assert(
    fc.property(anyDice.map(model), (text) => {
      fc.pre(text.length < longest);
      for (const args of argumentLists) {
        const verdict = verdictOn(text, "entry", args, plan);
        if (verdict.kind === "differ") throw new Error(`${verdict.how}\n${text}`);
      }
    }),
    { numRuns: runs },
  );
}
