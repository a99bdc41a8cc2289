// Inverse kinematics: the angles of a robot's six joints that bring its hand to a place, turned as wanted.

import { isMain } from "../shared/is-main.js";
import { leastSquares } from "../shared/least-squares.js";
import { randomNumbers } from "../shared/random.js";
import { hand, residualsVjp, type Link, type PoseInput } from "./model.grad.js";

/** The arm of a Universal Robots UR5, from its data sheet. */
export const arm: readonly Link[] = [
  { length: 0, twist: Math.PI / 2, offset: 0.089159 },
  { length: -0.425, twist: 0, offset: 0 },
  { length: -0.39225, twist: 0, offset: 0 },
  { length: 0, twist: Math.PI / 2, offset: 0.10915 },
  { length: 0, twist: -Math.PI / 2, offset: 0.09465 },
  { length: 0, twist: 0, offset: 0.0823 },
];

/** Each joint turns once around to either side. */
export const limit = 2 * Math.PI;

export interface Solution {
  readonly angles: Float64Array;
  /** What lacks: the root of the sum of the squares of all residuals. */
  readonly distance: number;
  readonly starts: number;
}

function turned(random: () => number): Float64Array {
  return Float64Array.from(arm, () => (2 * random() - 1) * Math.PI);
}

/** Angles within the limits for a pose: from several starts, since from some there is no way to it. */
export function reach(target: PoseInput, random: () => number): Solution {
  let best: Solution = { angles: new Float64Array(arm.length), distance: Infinity, starts: 0 };
  for (let starts = 1; starts <= 20 && !(best.distance < 1e-8); starts++) {
    const start = turned(random);
    const { at: angles, error } = leastSquares(
      start,
      (at) => {
        const { value, pullback } = residualsVjp(arm, at, target);
        const unit = (i: number) => value.map((_, j) => (i === j ? 1 : 0));
        return { residuals: value, jacobian: () => Array.from(value, (_, i) => [...pullback(unit(i)).angles]) };
      },
      {
        maxIterations: 60,
        errorTolerance: 1e-20,
        minValues: start.map(() => -limit),
        maxValues: start.map(() => limit),
      },
    );
    const distance = Math.sqrt(error);
    best = distance < best.distance ? { angles, distance, starts } : { ...best, starts };
  }
  return best;
}

/** Poses that the arm can take. */
export function reachablePoses(count: number, random: () => number): readonly PoseInput[] {
  return Array.from({ length: count }, () => hand(arm, turned(random)));
}

export function report(): string {
  const random = randomNumbers(1);
  const solutions = reachablePoses(100, random).map((pose) => reach(pose, random));
  const reached = solutions.filter(({ distance }) => distance < 1e-6).length;
  return `${reached} of ${solutions.length} poses reached, to a micrometre and a microradian.`;
}

if (isMain(import.meta.url)) console.log(report());
