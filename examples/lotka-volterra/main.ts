// Fitting an ODE: hares and lynxes as the Hudson's Bay Company bought their pelts, in thousands, from 1900 to 1920 (Howard, 2009). The numbers
// of both at the beginning and the four rates of Lotka and Volterra's equations are found from them.

import { isMain } from "../shared/is-main.js";
import { leastSquares, type Fit } from "../shared/least-squares.js";
import { numbersOf } from "../shared/numbers.js";
import { residualsVjp, trajectory, type Model, type State } from "./model.grad.js";

// prettier-ignore
const hares = [30, 47.2, 70.2, 77.4, 36.3, 20.6, 18.1, 21.4, 22, 25.4, 27.1, 40.3, 57, 76.6, 52.3, 19.5, 11.2, 7.6, 14.6, 16.2, 24.7];
// prettier-ignore
const lynxes = [4, 6.1, 9.8, 35.2, 59.4, 41.7, 19, 13, 8.3, 9.1, 7.4, 8, 12.3, 19.5, 45.7, 51.1, 29.7, 15.8, 9.7, 10.1, 8.6];

export const pelts: readonly State[] = hares.map((count, year) => ({ hares: count, lynxes: lynxes[year] ?? NaN }));

/** A guess: the rates from the length of a cycle, about ten years. */
export const guess: Model = {
  start: { hares: 30, lynxes: 4 },
  birth: 0.6,
  hunting: 0.03,
  feeding: 0.03,
  death: 0.6,
};

/** The model under which a series is most likely, if its logarithms are off by normally distributed errors. */
export function fit(series: readonly State[], from: Model): Fit<Model> {
  return leastSquares(
    from,
    (model) => {
      const { value, pullback } = residualsVjp(model, series);
      const unit = (i: number) => value.map((_, j) => (i === j ? 1 : 0));
      return { residuals: value, jacobian: () => Array.from(value, (_, i) => numbersOf(pullback(unit(i)).model)) };
    },
    { maxIterations: 30, minValues: numbersOf(from).map(() => 1e-6), maxValues: numbersOf(from).map(() => 1e3) },
  );
}

export function report(): string {
  const { at: model, error } = fit(pelts, guess);
  const typical = Math.sqrt(error / (2 * pelts.length));
  const years = trajectory(model, pelts.length - 1);
  return `Birth ${model.birth.toFixed(3)}, hunting ${model.hunting.toFixed(4)}, feeding ${model.feeding.toFixed(4)}, death ${model.death.toFixed(3)} a year.
The counts are off by ${(100 * typical).toFixed(0)} %; in 1920 there should be ${years.at(-1)?.hares.toFixed(1) ?? "?"} thousand hares, and there were ${pelts.at(-1)?.hares ?? "?"}.`;
}

if (isMain(import.meta.url)) console.log(report());
