// Several kernels on an image by hand: one pass, where each error goes back to weights and image at once.

import { matrix, rowsOf, vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

type Rows = readonly Float64Array[];

interface Kernel {
  readonly weights: Rows;
  readonly bias: number;
}

const none = new Float64Array(0);

function flat(rows: Rows, columns: number): Float64Array {
  const all = new Float64Array(rows.length * columns);
  let at = 0;
  for (const row of rows) for (let j = 0; j < columns; j++) all[at++] = row[j] ?? 0;
  return all;
}

/** A kernel of `high` rows of `wide` weights, laid on the image at `at`. */
function valueAt(
  weights: Float64Array,
  high: number,
  wide: number,
  image: Float64Array,
  columns: number,
  at: number,
): number {
  let total = 0;
  let w = 0;
  for (let p = 0, from = at; p < high; p++, from += columns)
    for (let q = 0; q < wide; q++) total += (weights[w++] ?? 0) * (image[from + q] ?? 0);
  return total;
}

/** What the adjoint of `valueAt` adds to the cotangents of weights and image. */
function valueBack(
  weights: Float64Array,
  high: number,
  wide: number,
  image: Float64Array,
  columns: number,
  at: number,
  y_: number,
  weights_: Float64Array,
  image_: Float64Array,
): void {
  let w = 0;
  for (let p = 0, from = at; p < high; p++, from += columns) {
    for (let q = 0; q < wide; q++, w++) {
      weights_[w] = (weights_[w] ?? 0) + y_ * (image[from + q] ?? 0);
      image_[from + q] = (image_[from + q] ?? 0) + y_ * (weights[w] ?? 0);
    }
  }
}

function loss(kernels: readonly Kernel[], rows: Rows, targets: readonly Rows[]): number {
  const columns = rows[0]?.length ?? 0;
  const image = flat(rows, columns);
  let total = 0;
  for (let k = 0; k < kernels.length; k++) {
    const kernel = kernels[k];
    if (kernel === undefined) break;
    const high = kernel.weights.length;
    const wide = kernel.weights[0]?.length ?? 0;
    const weights = flat(kernel.weights, wide);
    for (let i = 0; i <= rows.length - high; i++) {
      const target = targets[k]?.[i] ?? none;
      for (let j = 0; j <= columns - wide; j++) {
        const y = valueAt(weights, high, wide, image, columns, i * columns + j) + kernel.bias;
        const error = Math.max(y, 0) - (target[j] ?? 0);
        total += error * error;
      }
    }
  }
  return total;
}

function lossGradient(kernels: readonly Kernel[], rows: Rows, targets: readonly Rows[]) {
  const columns = rows[0]?.length ?? 0;
  const image = flat(rows, columns);
  const image_ = new Float64Array(image.length);
  let total = 0;
  const targets_: Float64Array[][] = [];
  const kernels_ = kernels.map((kernel, k) => {
    const high = kernel.weights.length;
    const wide = kernel.weights[0]?.length ?? 0;
    const weights = flat(kernel.weights, wide);
    const weights_ = new Float64Array(weights.length);
    const [h, w] = [rows.length - high + 1, columns - wide + 1];
    const target_ = new Float64Array(h * w);
    let bias_ = 0;
    for (let i = 0; i < h; i++) {
      const target = targets[k]?.[i] ?? none;
      for (let j = 0; j < w; j++) {
        const at = i * columns + j;
        const y = valueAt(weights, high, wide, image, columns, at) + kernel.bias;
        const error = Math.max(y, 0) - (target[j] ?? 0);
        total += error * error;
        target_[i * w + j] = -2 * error;
        if (y <= 0) continue;
        bias_ += 2 * error;
        valueBack(weights, high, wide, image, columns, at, 2 * error, weights_, image_);
      }
    }
    targets_.push(rowsOf(target_, h, w));
    return { weights: rowsOf(weights_, high, wide), bias: bias_ };
  });
  return {
    value: total,
    grad: { kernels: kernels_, image: rowsOf(image_, rows.length, columns), targets: targets_ },
  };
}

/** Four kernels of 3 times 3 weights. */
function ofSize(side: number): Sized {
  const biases = vec(4, 140, 0.3);
  return {
    entry: "loss",
    args: [
      Array.from(biases, (bias, k): Kernel => ({ weights: matrix(3, 3, 141 + k), bias })),
      matrix(side, side, 145),
      Array.from(biases, (_, k) => matrix(side - 2, side - 2, 146 + k)),
    ],
    elements: side * side * 72,
    primal: loss,
    gradient: lossGradient,
  };
}

export const workloads = natural("convolution-2d", [12, 40, 120], ofSize);
