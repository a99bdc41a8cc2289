// Logistic regression by hand: a score for each example, and the sigmoid of it for its row.

import { rowsOf, vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

interface Example {
  readonly features: Float64Array;
  readonly positive: boolean;
}

interface Weights {
  readonly slopes: Float64Array;
  readonly intercept: number;
}

function dot(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let k = 0; k < a.length; k++) total += (a[k] ?? 0) * (b[k] ?? 0);
  return total;
}

function loss({ slopes, intercept }: Weights, ridge: number, examples: readonly Example[]): number {
  let total = 0;
  for (const { features, positive } of examples) {
    const score = intercept + dot(slopes, features);
    const s = positive ? -score : score;
    total += Math.max(s, 0) + Math.log1p(Math.exp(-Math.abs(s)));
  }
  return total / examples.length + 0.5 * ridge * dot(slopes, slopes);
}

function lossGradient({ slopes, intercept }: Weights, ridge: number, examples: readonly Example[]) {
  const count = examples.length;
  const width = slopes.length;
  const slopes_ = new Float64Array(width);
  const rows_ = rowsOf(new Float64Array(count * width), count, width);
  let total = 0;
  let intercept_ = 0;
  const examples_ = examples.map(({ features, positive }, i): Example => {
    const score = intercept + dot(slopes, features);
    const s = positive ? -score : score;
    const small = Math.exp(-Math.abs(s));
    total += Math.max(s, 0) + Math.log1p(small);
    const share = (s > 0 ? 1 : small) / (count * (1 + small));
    const score_ = positive ? -share : share;
    intercept_ += score_;
    const row_ = rows_[i] ?? features;
    for (let k = 0; k < width; k++) {
      slopes_[k] = (slopes_[k] ?? 0) + score_ * (features[k] ?? 0);
      row_[k] = score_ * (slopes[k] ?? 0);
    }
    return { features: row_, positive };
  });
  const square = dot(slopes, slopes);
  for (let k = 0; k < width; k++) slopes_[k] = (slopes_[k] ?? 0) + ridge * (slopes[k] ?? 0);
  return {
    value: total / count + 0.5 * ridge * square,
    grad: { w: { slopes: slopes_, intercept: intercept_ }, ridge: 0.5 * square, examples: examples_ },
  };
}

/** Examples with twelve features. */
function ofSize(count: number): Sized {
  const rows = rowsOf(vec(12 * count, 750), count, 12);
  const chances = vec(count, 751);
  return {
    entry: "loss",
    args: [
      { slopes: vec(12, 752), intercept: 0.3 },
      0.05,
      rows.map((row, i): Example => ({ features: row.slice(), positive: (row[0] ?? 0) + (chances[i] ?? 0) > 0 })),
    ],
    elements: count * 35,
    primal: loss,
    gradient: lossGradient,
  };
}

export const workloads = natural("logistic-regression", [200, 2000, 20000], ofSize);
