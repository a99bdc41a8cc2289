// Kalman's filter by hand: small matrices in flat arrays, what each step computes kept, and the adjoint of each product.

import { matrix, rowsOf } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

type Rows = readonly Float64Array[];

interface System {
  readonly move: Rows;
  readonly see: Rows;
  readonly drift: Rows;
  readonly noise: Rows;
}

interface Belief {
  readonly mean: Float64Array;
  readonly covariance: Rows;
}

function flat(rows: Rows, columns: number): Float64Array {
  const all = new Float64Array(rows.length * columns);
  let at = 0;
  for (const row of rows) for (let j = 0; j < columns; j++) all[at++] = row[j] ?? 0;
  return all;
}

/** `out` becomes `a` (rows times inner) times `b` (inner times columns), where `keep` is 0, and has it added where that is 1. */
function product(
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  columns: number,
  keep: number,
  out: Float64Array,
): void {
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      let total = 0;
      for (let k = 0; k < inner; k++) total += (a[i * inner + k] ?? 0) * (b[k * columns + j] ?? 0);
      out[i * columns + j] = keep * (out[i * columns + j] ?? 0) + total;
    }
  }
}

/** Likewise with the transposed `b`, which has `columns` rows. */
function productWithTransposed(
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  columns: number,
  keep: number,
  out: Float64Array,
): void {
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      let total = 0;
      for (let k = 0; k < inner; k++) total += (a[i * inner + k] ?? 0) * (b[j * inner + k] ?? 0);
      out[i * columns + j] = keep * (out[i * columns + j] ?? 0) + total;
    }
  }
}

/** Likewise with the transposed `a`, which has `inner` rows. */
function transposedProduct(
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  columns: number,
  keep: number,
  out: Float64Array,
): void {
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      let total = 0;
      for (let k = 0; k < inner; k++) total += (a[k * rows + i] ?? 0) * (b[k * columns + j] ?? 0);
      out[i * columns + j] = keep * (out[i * columns + j] ?? 0) + total;
    }
  }
}

/** Adds `scale` times `b` to `a`. */
function add(a: Float64Array, scale: number, b: Float64Array): void {
  for (let i = 0; i < a.length; i++) a[i] = (a[i] ?? 0) + scale * (b[i] ?? 0);
}

/** The filter at one step: matrices in flat arrays, a state of `d` numbers of which two are seen. */
class Filter {
  readonly d: number;
  readonly move: Float64Array;
  readonly see: Float64Array;
  readonly drift: Float64Array;
  readonly noise: Float64Array;
  /** The belief before the step, and after it. */
  readonly mean: Float64Array;
  readonly covariance: Float64Array;
  /** What is predicted, and the covariance moved from the left alone. */
  readonly predicted: Float64Array;
  readonly half: Float64Array;
  readonly prediction: Float64Array;
  /** What is seen times the predicted covariance, and this times what is seen transposed. */
  readonly seen: Float64Array;
  readonly crossed: Float64Array;
  readonly spread: Float64Array;
  readonly precision: Float64Array;
  readonly gain: Float64Array;
  readonly surprise: Float64Array;
  /** All of these, from the belief on: what a step back needs. */
  readonly all: Float64Array;

  constructor(s: System, start: Belief) {
    const d = start.mean.length;
    this.d = d;
    this.move = flat(s.move, d);
    this.see = flat(s.see, d);
    this.drift = flat(s.drift, d);
    this.noise = flat(s.noise, 2);
    const all = new Float64Array(2 * d + 3 * d * d + 6 * d + 10);
    let at = 0;
    const part = (size: number): Float64Array => all.subarray(at, (at += size));
    this.all = all;
    this.mean = part(d);
    this.covariance = part(d * d);
    this.predicted = part(d);
    this.half = part(d * d);
    this.prediction = part(d * d);
    this.seen = part(2 * d);
    this.crossed = part(2 * d);
    this.spread = part(4);
    this.precision = part(4);
    this.gain = part(2 * d);
    this.surprise = part(2);
    this.mean.set(start.mean);
    this.covariance.set(flat(start.covariance, d));
  }

  /** The prediction, and what the correction by a measurement needs; gives minus the log-likelihood. */
  observe(seen: Float64Array): number {
    const { d, move, see, prediction, spread, precision, surprise } = this;
    product(move, this.mean, d, d, 1, 0, this.predicted);
    product(move, this.covariance, d, d, d, 0, this.half);
    prediction.set(this.drift);
    productWithTransposed(this.half, move, d, d, d, 1, prediction);
    surprise.set(seen);
    for (let k = 0; k < d; k++) {
      const x = this.predicted[k] ?? 0;
      surprise[0] = (surprise[0] ?? 0) - (see[k] ?? 0) * x;
      surprise[1] = (surprise[1] ?? 0) - (see[d + k] ?? 0) * x;
    }
    product(see, prediction, 2, d, d, 0, this.seen);
    spread.set(this.noise);
    productWithTransposed(this.seen, see, 2, d, 2, 1, spread);
    const determinant = (spread[0] ?? 0) * (spread[3] ?? 0) - (spread[1] ?? 0) * (spread[2] ?? 0);
    precision[0] = (spread[3] ?? 0) / determinant;
    precision[1] = -(spread[1] ?? 0) / determinant;
    precision[2] = -(spread[2] ?? 0) / determinant;
    precision[3] = (spread[0] ?? 0) / determinant;
    productWithTransposed(prediction, see, d, d, 2, 0, this.crossed);
    product(this.crossed, precision, d, 2, 2, 0, this.gain);
    const v = surprise[0] ?? 0;
    const w = surprise[1] ?? 0;
    const square = v * (precision[0] * v + precision[1] * w) + w * (precision[2] * v + precision[3] * w);
    return Math.log(2 * Math.PI) + 0.5 * Math.log(determinant) + 0.5 * square;
  }

  /** The belief after the correction. */
  correct(): void {
    const { d, gain, seen, covariance, prediction, surprise, mean, predicted } = this;
    for (let i = 0; i < d; i++) {
      const g = gain[2 * i] ?? 0;
      const h = gain[2 * i + 1] ?? 0;
      mean[i] = (predicted[i] ?? 0) + g * (surprise[0] ?? 0) + h * (surprise[1] ?? 0);
      for (let j = 0; j < d; j++)
        covariance[i * d + j] = (prediction[i * d + j] ?? 0) - g * (seen[j] ?? 0) - h * (seen[d + j] ?? 0);
    }
  }
}

function loss(s: System, start: Belief, series: Rows): number {
  const filter = new Filter(s, start);
  let total = 0;
  for (const seen of series) {
    total += filter.observe(seen);
    filter.correct();
  }
  return total;
}

/** The cotangents of a filter's parameters and belief. */
class Back {
  readonly filter: Filter;
  readonly move_: Float64Array;
  readonly see_: Float64Array;
  readonly drift_: Float64Array;
  readonly noise_ = new Float64Array(4);
  readonly mean_: Float64Array;
  readonly covariance_: Float64Array;
  private readonly predicted_: Float64Array;
  private readonly half_: Float64Array;
  private readonly prediction_: Float64Array;
  private readonly seen_: Float64Array;
  private readonly crossed_: Float64Array;
  private readonly spread_ = new Float64Array(4);
  private readonly precision_ = new Float64Array(4);
  private readonly small = new Float64Array(4);
  private readonly gain_: Float64Array;

  constructor(filter: Filter) {
    const { d } = filter;
    this.filter = filter;
    this.move_ = new Float64Array(d * d);
    this.see_ = new Float64Array(2 * d);
    this.drift_ = new Float64Array(d * d);
    this.mean_ = new Float64Array(d);
    this.covariance_ = new Float64Array(d * d);
    this.predicted_ = new Float64Array(d);
    this.half_ = new Float64Array(d * d);
    this.prediction_ = new Float64Array(d * d);
    this.seen_ = new Float64Array(2 * d);
    this.crossed_ = new Float64Array(2 * d);
    this.gain_ = new Float64Array(2 * d);
  }

  /** Back through the correction and the prediction of the step that `filter` holds. */
  step(surprise_: Float64Array): void {
    this.correction(surprise_);
    const { filter, move_, half_, prediction_, predicted_ } = this;
    const { d, move } = filter;
    add(this.drift_, 1, prediction_);
    product(prediction_, move, d, d, d, 0, half_);
    transposedProduct(prediction_, filter.half, d, d, d, 1, move_);
    productWithTransposed(half_, filter.covariance, d, d, d, 1, move_);
    transposedProduct(move, half_, d, d, d, 0, this.covariance_);
    product(predicted_, filter.mean, d, 1, d, 1, move_);
    transposedProduct(move, predicted_, d, d, 1, 0, this.mean_);
  }

  private correction(surprise_: Float64Array): void {
    const { filter, mean_, covariance_, gain_, seen_, see_, precision_, spread_, small, crossed_, prediction_ } = this;
    const { d, gain, seen, see, precision, surprise, prediction } = filter;
    productWithTransposed(covariance_, seen, d, d, 2, 0, gain_);
    transposedProduct(gain, covariance_, 2, d, d, 0, seen_);
    const v = surprise[0] ?? 0;
    const w = surprise[1] ?? 0;
    for (let i = 0; i < d; i++) {
      gain_[2 * i] = (mean_[i] ?? 0) * v - (gain_[2 * i] ?? 0);
      gain_[2 * i + 1] = (mean_[i] ?? 0) * w - (gain_[2 * i + 1] ?? 0);
    }
    for (let i = 0; i < 2 * d; i++) seen_[i] = -(seen_[i] ?? 0);
    transposedProduct(gain, mean_, 2, d, 1, 0, surprise_);
    const p = 0.5 * ((precision[1] ?? 0) + (precision[2] ?? 0));
    surprise_[0] = (surprise_[0] ?? 0) + (precision[0] ?? 0) * v + p * w;
    surprise_[1] = (surprise_[1] ?? 0) + p * v + (precision[3] ?? 0) * w;
    precision_[0] = 0.5 * v * v;
    precision_[1] = 0.5 * v * w;
    precision_[2] = 0.5 * v * w;
    precision_[3] = 0.5 * w * w;
    transposedProduct(filter.crossed, gain_, 2, d, 2, 1, precision_);
    productWithTransposed(gain_, precision, d, 2, 2, 0, crossed_);
    // The inverse, and half the log of the determinant
    transposedProduct(precision, precision_, 2, 2, 2, 0, small);
    productWithTransposed(small, precision, 2, 2, 2, 0, spread_);
    spread_[0] = 0.5 * (precision[0] ?? 0) - (spread_[0] ?? 0);
    const upper = 0.5 * (precision[2] ?? 0) - (spread_[1] ?? 0);
    spread_[2] = 0.5 * (precision[1] ?? 0) - (spread_[2] ?? 0);
    spread_[1] = upper;
    spread_[3] = 0.5 * (precision[3] ?? 0) - (spread_[3] ?? 0);
    add(this.noise_, 1, spread_);
    product(spread_, see, 2, 2, d, 1, seen_);
    transposedProduct(spread_, seen, 2, 2, d, 1, see_);
    // The covariance is used as it is, times what is seen from the right, and from the left
    prediction_.set(covariance_);
    product(crossed_, see, d, 2, d, 1, prediction_);
    transposedProduct(crossed_, prediction, 2, d, d, 1, see_);
    transposedProduct(see, seen_, d, 2, d, 1, prediction_);
    productWithTransposed(seen_, prediction, 2, d, d, 1, see_);
    for (let k = 0; k < d; k++) {
      const x = filter.predicted[k] ?? 0;
      see_[k] = (see_[k] ?? 0) - surprise_[0] * x;
      see_[d + k] = (see_[d + k] ?? 0) - surprise_[1] * x;
      this.predicted_[k] = (mean_[k] ?? 0) - (see[k] ?? 0) * surprise_[0] - (see[d + k] ?? 0) * surprise_[1];
    }
  }
}

function lossGradient(s: System, start: Belief, series: Rows) {
  const filter = new Filter(s, start);
  const { d, all } = filter;
  const count = series.length;
  const saved = rowsOf(new Float64Array(count * all.length), count, all.length);
  let total = 0;
  series.forEach((seen, t) => {
    total += filter.observe(seen);
    saved[t]?.set(all);
    filter.correct();
  });
  const back = new Back(filter);
  const series_ = rowsOf(new Float64Array(2 * count), count, 2);
  for (let t = count - 1; t >= 0; t--) {
    all.set(saved[t] ?? all);
    back.step(series_[t] ?? all);
  }
  return {
    value: total,
    grad: {
      s: {
        move: rowsOf(back.move_, d, d),
        see: rowsOf(back.see_, 2, d),
        drift: rowsOf(back.drift_, d, d),
        noise: rowsOf(back.noise_, 2, 2),
      },
      start: { mean: back.mean_, covariance: rowsOf(back.covariance_, d, d) },
      series: series_,
    },
  };
}

/** Rows of a matrix of numbers. */
function rows(...numbers: readonly (readonly number[])[]): Rows {
  return numbers.map((row) => Float64Array.from(row));
}

/** A point in the plane with its velocity, of which the place is seen. */
function ofSize(count: number): Sized {
  const steps = matrix(count, 2, 740, 0.8);
  return {
    entry: "loss",
    args: [
      {
        move: rows([1, 0, 0.2, 0], [0, 1, 0, 0.2], [0, 0, 0.98, 0.05], [0, 0, -0.05, 0.98]),
        see: rows([1, 0, 0, 0], [0, 1, 0, 0]),
        drift: rows([0.02, 0, 0, 0], [0, 0.02, 0, 0], [0, 0, 0.1, 0.01], [0, 0, 0.01, 0.1]),
        noise: rows([0.3, 0.05], [0.05, 0.2]),
      },
      {
        mean: Float64Array.of(0, 0, 0.5, 0.5),
        covariance: rows([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]),
      },
      steps,
    ],
    elements: count * 500,
    primal: loss,
    gradient: lossGradient,
  };
}

export const workloads = natural("kalman", [10, 100, 1000], ofSize);
