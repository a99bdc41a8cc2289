// The gradient of a sum over shards, as the sum of what each shard gives.

import type { Evaluation } from "../shared/minimize.js";
import { numbersOf, withNumbers } from "../shared/numbers.js";
import { lossGrad, priorGrad, type Rates } from "./model.grad.js";
import type { Policies } from "./shards.js";

/** What a shard gives at some rates: the value, and after it the numbers of the gradient. */
export type Part = readonly number[];

export function partOf(rates: Rates, { years, claims, features }: Policies): Part {
  const { value, grad } = lossGrad(rates, years, claims, features);
  return [value, ...numbersOf(grad.rates)];
}

/** The prior, which counts once, and to it all parts, one after the other in their order: sums of float64 depend on it. */
export function sumOf(rates: Rates, parts: readonly Part[]): Evaluation<Rates> {
  const { value: first, grad } = priorGrad(rates);
  const sum = [first, ...numbersOf(grad.rates)];
  for (const part of parts) sum.forEach((number, i) => (sum[i] = number + (part[i] ?? NaN)));
  const [value = NaN, ...gradient] = sum;
  return { value, gradient: withNumbers(rates, gradient) };
}
