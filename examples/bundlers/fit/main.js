/* global console */
// @ts-check
import { lossGrad } from "./model.lam";

const times = [0, 1, 2, 3, 4, 5];
const seen = times.map((t) => 3 * Math.exp(-0.5 * t));

let curve = { start: 1, rate: 1 };
for (let step = 0; step < 5000; step++) {
  const { grad } = lossGrad(curve, times, seen);
  curve = { start: curve.start - 0.3 * grad.curve.start, rate: curve.rate - 0.03 * grad.curve.rate };
}

console.log(`start ${curve.start.toFixed(3)}, rate ${curve.rate.toFixed(3)}`);
