// A Gaussian mixture: which three clouds, of any shape, do points of the plane come from? By maximum likelihood.

import { isMain } from "../shared/is-main.js";
import { minimize, type Minimum } from "../shared/minimize.js";
import { normalNumber, randomNumbers } from "../shared/random.js";
import { lossGrad, type Component } from "./model.grad.js";

interface Cloud {
  readonly share: number;
  readonly mean: readonly [number, number];
  /** A point is the mean, and this lower triangular matrix times two standard normal numbers: [a, 0], [b, c]. */
  readonly shape: readonly [a: number, b: number, c: number];
}

/** What is to be found. */
export const clouds: readonly Cloud[] = [
  { share: 0.5, mean: [-2, 0], shape: [1, 0.6, 0.4] },
  { share: 0.3, mean: [3, 1], shape: [0.5, -0.7, 0.5] },
  { share: 0.2, mean: [0.5, 4], shape: [1.2, 0, 0.3] },
];

export const points: readonly (readonly number[])[] = clouds.flatMap(({ share, mean: [x, y], shape: [a, b, c] }, i) => {
  const random = randomNumbers(i + 1);
  return Array.from({ length: 500 * share }, () => {
    const [u, v] = [normalNumber(random), normalNumber(random)];
    return [x + a * u, y + b * u + c * v];
  });
});

/** Three round clouds, somewhere. */
export function guess(): readonly Component[] {
  const means = [[-1, -1], [1, 0], [0, 2]]; // prettier-ignore
  return means.map((mean) => ({
    logWeight: 0,
    mean: Float64Array.from(mean),
    logDiagonal: new Float64Array(2),
    below: [new Float64Array(0), new Float64Array(1)],
  }));
}

/** The most likely mixture. */
export function fit(): Minimum<readonly Component[]> {
  return minimize(
    guess(),
    (components) => {
      const { value, grad } = lossGrad(components, points);
      return { value, gradient: grad.components };
    },
    { tolerance: 1e-8, iterations: 500 },
  );
}

/** The shares of the components, which add up to one. */
export function sharesOf(components: readonly Component[]): readonly number[] {
  const weights = components.map(({ logWeight }) => Math.exp(logWeight));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

export function report(): string {
  const { at: components, value } = fit();
  const shares = sharesOf(components);
  const lines = components.map(
    ({ mean }, i) =>
      `${(100 * (shares[i] ?? NaN)).toFixed(0)} % around (${[...mean].map((x) => x.toFixed(2)).join(", ")})`,
  );
  return [...lines, `Log-likelihood of the ${points.length} points: ${(-value * points.length).toFixed(2)}`].join("\n");
}

if (isMain(import.meta.url)) console.log(report());
