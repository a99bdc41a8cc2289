// A network of two layers learns to tell two spirals apart.

import { isMain } from "../shared/is-main.js";
import { minimize, type Minimum } from "../shared/minimize.js";
import { normalNumber, randomNumbers } from "../shared/random.js";
import { lossGrad, score, type ExampleInput, type Network } from "./model.grad.js";

/** Two spirals of `turns`, one the other turned by half a circle; from 0 to 1 along each. */
function spirals(count: number, offset: number): readonly ExampleInput[] {
  const turns = 1.5;
  return Array.from({ length: count }, (_, i) => {
    const t = (i + offset) / count;
    const angle = 2 * Math.PI * turns * t;
    const radius = 0.2 + t;
    const [x, y] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    return [
      { point: [x, y], first: true },
      { point: [-x, -y], first: false },
    ];
  }).flat();
}

export const training = spirals(100, 0);

/** Points between those of the training. */
export const unseen = spirals(100, 0.5);

const hiddenUnits = 20;

/** A network that knows nothing: small random weights. */
export function untrained(): Network {
  const random = randomNumbers(7);
  const row = (count: number, size: number) => Float64Array.from({ length: count }, () => size * normalNumber(random));
  return {
    hidden: { weights: Array.from({ length: hiddenUnits }, () => row(2, 2)), biases: row(hiddenUnits, 1) },
    output: { weights: [row(hiddenUnits, 0.2)], biases: new Float64Array(1) },
  };
}

export const decay = 1e-5;

export function train(): Minimum<Network> {
  return minimize(
    untrained(),
    (network) => {
      const { value, grad } = lossGrad(network, training, decay);
      return { value, gradient: grad.network };
    },
    { tolerance: 1e-5, iterations: 400 },
  );
}

/** The share of the examples that a network takes for what they are. */
export function accuracy(network: Network, examples: readonly ExampleInput[]): number {
  return examples.filter(({ point, first }) => score(network, point) > 0 === first).length / examples.length;
}

export function report(): string {
  const { at: network, value } = train();
  const percent = (examples: readonly ExampleInput[]) => (100 * accuracy(network, examples)).toFixed(0);
  return `${percent(training)} % of the training's points are told apart, and ${percent(unseen)} % of those between them (loss ${value.toFixed(2)}).`;
}

if (isMain(import.meta.url)) console.log(report());
