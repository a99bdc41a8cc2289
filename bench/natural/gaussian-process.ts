// A Gaussian process by hand: Cholesky's factor in rows, and the gradient from the inverse of the covariances.

import { matrix, rowsOf, vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

interface Kernel {
  readonly lengthScale: number;
  readonly variance: number;
  readonly noise: number;
}

type Points = readonly Float64Array[];

/** Covariances in the upper triangle, Cholesky's factor in the lower one, 1 by its diagonal in `shares`. */
interface Factor {
  readonly matrix: Float64Array;
  readonly shares: Float64Array;
  /** The factor's solution for the measurements. */
  readonly solved: Float64Array;
  readonly value: number;
}

function squaredDistance(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let d = 0; d < a.length; d++) {
    const off = (a[d] ?? 0) - (b[d] ?? 0);
    total += off * off;
  }
  return total;
}

/** The product of two stretches of one array, or of two. */
function stretch(a: Float64Array, from: number, b: Float64Array, at: number, count: number): number {
  let total = 0;
  for (let k = 0; k < count; k++) total += (a[from + k] ?? 0) * (b[at + k] ?? 0);
  return total;
}

function covariances(kernel: Kernel, xs: Points): Float64Array {
  const n = xs.length;
  const all = new Float64Array(n * n);
  const sharpness = -0.5 / (kernel.lengthScale * kernel.lengthScale);
  for (let i = 0; i < n; i++) {
    const a = xs[i];
    if (a === undefined) break;
    all[i * n + i] = kernel.variance + kernel.noise * kernel.noise;
    for (let j = 0; j < i; j++) {
      const covariance = kernel.variance * Math.exp(sharpness * squaredDistance(a, xs[j] ?? a));
      all[i * n + j] = covariance;
      all[j * n + i] = covariance;
    }
  }
  return all;
}

function factorOf(kernel: Kernel, xs: Points, ys: Float64Array): Factor {
  const n = xs.length;
  const matrix = covariances(kernel, xs);
  const shares = new Float64Array(n);
  const solved = new Float64Array(n);
  let value = 0.5 * n * Math.log(2 * Math.PI);
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j < i; j++)
      matrix[row + j] = ((matrix[row + j] ?? 0) - stretch(matrix, row, matrix, j * n, j)) * (shares[j] ?? 0);
    const diagonal = Math.sqrt((matrix[row + i] ?? 0) - stretch(matrix, row, matrix, row, i));
    matrix[row + i] = diagonal;
    shares[i] = 1 / diagonal;
    const z = ((ys[i] ?? 0) - stretch(matrix, row, solved, 0, i)) / diagonal;
    solved[i] = z;
    value += 0.5 * z * z + Math.log(diagonal);
  }
  return { matrix, shares, solved, value };
}

function loss(kernel: Kernel, xs: Points, ys: Float64Array): number {
  return factorOf(kernel, xs, ys).value;
}

/** The columns of the factor's inverse, as rows. */
function inverseColumns({ matrix, shares }: Factor): Float64Array {
  const n = shares.length;
  const columns = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const column = i * n;
    columns[column + i] = shares[i] ?? 0;
    for (let k = i + 1; k < n; k++)
      columns[column + k] = -stretch(matrix, k * n + i, columns, column + i, k - i) * (shares[k] ?? 0);
  }
  return columns;
}

function lossGradient(kernel: Kernel, xs: Points, ys: Float64Array) {
  const n = xs.length;
  const dimension = xs[0]?.length ?? 0;
  const factor = factorOf(kernel, xs, ys);
  const { matrix, solved } = factor;
  const columns = inverseColumns(factor);
  const weights = new Float64Array(n);
  for (let i = 0; i < n; i++) weights[i] = stretch(columns, i * n + i, solved, i, n - i);
  const xs_ = rowsOf(new Float64Array(n * dimension), n, dimension);
  const square = kernel.lengthScale * kernel.lengthScale;
  /** Of the logarithm of the variance, of that of the length, and of the noise's square. */
  let logVariance_ = 0;
  let logLength_ = 0;
  let noise_ = 0;
  for (let i = 0; i < n; i++) {
    const a = xs[i];
    const a_ = xs_[i];
    if (a === undefined || a_ === undefined) break;
    const weight = weights[i] ?? 0;
    noise_ += 0.5 * (stretch(columns, i * n + i, columns, i * n + i, n - i) - weight * weight);
    for (let j = i + 1; j < n; j++) {
      const b = xs[j] ?? a;
      const b_ = xs_[j] ?? a_;
      const inverse = stretch(columns, i * n + j, columns, j * n + j, n - j);
      const power = (inverse - weight * (weights[j] ?? 0)) * (matrix[i * n + j] ?? 0);
      const pull = power / square;
      logVariance_ += power;
      for (let d = 0; d < dimension; d++) {
        const off = (a[d] ?? 0) - (b[d] ?? 0);
        logLength_ += pull * off * off;
        a_[d] = (a_[d] ?? 0) - pull * off;
        b_[d] = (b_[d] ?? 0) + pull * off;
      }
    }
  }
  return {
    value: factor.value,
    grad: {
      k: {
        lengthScale: logLength_ / kernel.lengthScale,
        variance: logVariance_ / kernel.variance + noise_,
        noise: 2 * kernel.noise * noise_,
      },
      xs: xs_,
      ys: weights,
    },
  };
}

/** Points in two dimensions. */
function ofSize(count: number): Sized {
  return {
    entry: "loss",
    args: [{ lengthScale: 0.4, variance: 1.3, noise: 0.5 }, matrix(count, 2, 200), vec(count, 201)],
    elements: count ** 3 / 6,
    primal: loss,
    gradient: lossGradient,
  };
}

export const workloads = natural("gaussian-process", [20, 100, 250], ofSize);

/** The same by the library, as far as 800 points. */
export const libraryWorkloads = natural("library-gaussian-process", [200, 400, 800], ofSize);
