// Round Gaussian clusters by hand: one pass, where each point's soft assignments go back to the clusters at once.

import { matrix, rowsOf, vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

interface Cluster {
  readonly weight: number;
  readonly center: Float64Array;
  readonly spread: number;
}

type Points = readonly Float64Array[];

/** Each cluster's center, what squared distances from it are multiplied with, and the logarithm at the center. */
interface Table {
  readonly centers: Float64Array;
  readonly sharpness: Float64Array;
  readonly heights: Float64Array;
}

function tableOf(clusters: readonly Cluster[], dimension: number): Table {
  const centers = new Float64Array(clusters.length * dimension);
  clusters.forEach(({ center }, k) => {
    centers.set(center, k * dimension);
  });
  return {
    centers,
    sharpness: Float64Array.from(clusters, ({ spread }) => -0.5 * Math.exp(-2 * spread)),
    heights: Float64Array.from(
      clusters,
      ({ weight, spread }) => weight - dimension * (spread + 0.5 * Math.log(2 * Math.PI)),
    ),
  };
}

function squaredDistance(centers: Float64Array, from: number, point: Float64Array, dimension: number): number {
  let total = 0;
  for (let d = 0; d < dimension; d++) {
    const off = (point[d] ?? 0) - (centers[from + d] ?? 0);
    total += off * off;
  }
  return total;
}

function topOf(terms: Float64Array): number {
  let top = terms[0] ?? 0;
  for (let k = 1; k < terms.length; k++) {
    const term = terms[k] ?? 0;
    if (term > top) top = term;
  }
  return top;
}

function logSumExp(terms: Float64Array): number {
  const top = topOf(terms);
  let total = 0;
  for (let k = 0; k < terms.length; k++) total += Math.exp((terms[k] ?? 0) - top);
  return top + Math.log(total);
}

/** The same, and the terms become their shares in the sum. */
function softmax(terms: Float64Array): number {
  const top = topOf(terms);
  let total = 0;
  for (let k = 0; k < terms.length; k++) {
    const share = Math.exp((terms[k] ?? 0) - top);
    terms[k] = share;
    total += share;
  }
  const factor = 1 / total;
  for (let k = 0; k < terms.length; k++) terms[k] = (terms[k] ?? 0) * factor;
  return top + Math.log(total);
}

function weightsOf(clusters: readonly Cluster[]): Float64Array {
  return Float64Array.from(clusters, ({ weight }) => weight);
}

function loss(clusters: readonly Cluster[], points: Points): number {
  const count = clusters.length;
  const dimension = points[0]?.length ?? 0;
  const { centers, sharpness, heights } = tableOf(clusters, dimension);
  const terms = new Float64Array(count);
  let total = 0;
  for (const point of points) {
    for (let k = 0; k < count; k++) {
      const distance = squaredDistance(centers, k * dimension, point, dimension);
      terms[k] = (heights[k] ?? 0) + (sharpness[k] ?? 0) * distance;
    }
    total += logSumExp(terms);
  }
  const all = logSumExp(weightsOf(clusters));
  return all - total / points.length;
}

function lossGradient(clusters: readonly Cluster[], points: Points) {
  const count = clusters.length;
  const dimension = points[0]?.length ?? 0;
  const { centers, sharpness, heights } = tableOf(clusters, dimension);
  const terms = new Float64Array(count);
  const distances = new Float64Array(count);
  const weights_ = new Float64Array(count);
  const spreads_ = new Float64Array(count);
  const centers_ = new Float64Array(centers.length);
  const points_ = rowsOf(new Float64Array(points.length * dimension), points.length, dimension);
  const scale = -1 / points.length;
  let total = 0;
  points.forEach((point, i) => {
    for (let k = 0; k < count; k++) {
      const distance = squaredDistance(centers, k * dimension, point, dimension);
      distances[k] = distance;
      terms[k] = (heights[k] ?? 0) + (sharpness[k] ?? 0) * distance;
    }
    total += softmax(terms);
    const point_ = points_[i] ?? point;
    for (let k = 0; k < count; k++) {
      const from = k * dimension;
      const share_ = scale * (terms[k] ?? 0);
      const pull = 2 * share_ * (sharpness[k] ?? 0);
      weights_[k] = (weights_[k] ?? 0) + share_;
      spreads_[k] = (spreads_[k] ?? 0) - share_ * dimension - pull * (distances[k] ?? 0);
      for (let d = 0; d < dimension; d++) {
        const off_ = pull * ((point[d] ?? 0) - (centers[from + d] ?? 0));
        point_[d] = (point_[d] ?? 0) + off_;
        centers_[from + d] = (centers_[from + d] ?? 0) - off_;
      }
    }
  });
  const shares = weightsOf(clusters);
  const all = softmax(shares);
  return {
    value: all - total / points.length,
    grad: {
      clusters: rowsOf(centers_, count, dimension).map((center, k) => ({
        weight: (shares[k] ?? 0) + (weights_[k] ?? 0),
        center,
        spread: spreads_[k],
      })),
      points: points_,
    },
  };
}

/** Five clusters in three dimensions. */
function ofSize(count: number): Sized {
  const numbers = vec(10, 190, 0.5);
  const clusters = matrix(5, 3, 191).map((center, k): Cluster => {
    const [weight = 0, spread = 0] = numbers.subarray(2 * k, 2 * k + 2);
    return { weight, center, spread: spread - 0.5 };
  });
  return {
    entry: "loss",
    args: [clusters, matrix(count, 3, 192, 1.5)],
    elements: count * 5 * 10,
    primal: loss,
    gradient: lossGradient,
  };
}

export const workloads = natural("gaussian-clusters", [100, 1000, 10000], ofSize);
