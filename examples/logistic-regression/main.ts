// Logistic regression: did cold damage the O-rings of the space shuttle? For each flight before the last one of Challenger, the temperature at the
// start in °F, and whether O-rings were found damaged (Dalal, Fowlkes & Hoadley, J. Am. Stat. Assoc. 84, 1989).

import { isMain } from "../shared/is-main.js";
import { minimize, type Minimum } from "../shared/minimize.js";
import { lossGrad, probability, type Model, type ObservationInput } from "./model.grad.js";

const intact = [66, 69, 68, 67, 72, 73, 70, 78, 67, 67, 75, 70, 81, 76, 79, 76];
const damaged = [70, 57, 63, 70, 53, 75, 58];

/** Temperatures are counted in tens of degrees from a mild day, so that both numbers of the model are of one size. */
export function features(temperature: number): readonly [number] {
  return [(temperature - 70) / 10];
}

export const flights: readonly ObservationInput[] = [
  ...intact.map((temperature) => ({ features: features(temperature), happened: false })),
  ...damaged.map((temperature) => ({ features: features(temperature), happened: true })),
];

export const start: Model = { bias: 0, weights: new Float64Array(1) };

/** The most likely model. */
export function train(): Minimum<Model> {
  return minimize(
    start,
    (model) => {
      const { value, grad } = lossGrad(model, flights);
      return { value, gradient: grad.model };
    },
    { tolerance: 1e-9, iterations: 100 },
  );
}

export function report(): string {
  const { at: model, value } = train();
  const percent = (temperature: number) => (100 * probability(model, features(temperature))).toFixed(2);
  return `The risk of damage falls by the factor ${Math.exp(-(model.weights[0] ?? NaN)).toFixed(1)} with 10 °F; log-likelihood ${(-value).toFixed(4)}.
At 75 °F it is ${percent(75)} %, at 31 °F ${percent(31)} %.`;
}

if (isMain(import.meta.url)) console.log(report());
