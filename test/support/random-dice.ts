// The random choices that random programs are made from.

/** A source of random choices; the same seed gives the same choices. */
export interface Dice {
  /** Both ends included. */
  int(low: number, high: number): number;
  /** Between 0 and 1. */
  fraction(): number;
}

export function chance(dice: Dice, probability: number): boolean {
  return dice.fraction() < probability;
}

export function pick<T>(dice: Dice, items: readonly T[]): T {
  const item = items[dice.int(0, items.length - 1)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** Picks among thunks by weight. */
export function weighted<T>(dice: Dice, choices: readonly (readonly [weight: number, make: () => T])[]): T {
  const total = choices.reduce((sum, [weight]) => sum + weight, 0);
  let left = dice.fraction() * total;
  for (const [weight, make] of choices) {
    left -= weight;
    if (left < 0) return make();
  }
  return pick(dice, choices)[1]();
}
