// A natural cubic spline's fit by hand: the symmetric tridiagonal system is solved once more for its adjoint.

import { vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

/** Of the system at the inner knots: what is above its diagonal, by the pivots, and 1 by the pivots. */
interface Factor {
  readonly ratios: Float64Array;
  readonly shares: Float64Array;
}

function factorOf(xs: Float64Array): Factor {
  const count = xs.length;
  const ratios = new Float64Array(count);
  const shares = new Float64Array(count);
  let left = (xs[1] ?? 0) - (xs[0] ?? 0);
  for (let i = 1; i < count - 1; i++) {
    const right = (xs[i + 1] ?? 0) - (xs[i] ?? 0);
    const share = 1 / (2 * (left + right) - left * (ratios[i - 1] ?? 0));
    shares[i] = share;
    ratios[i] = right * share;
    left = right;
  }
  return { ratios, shares };
}

/** Solves the system in place: `values` has its right side at the inner knots. */
function solve({ ratios, shares }: Factor, xs: Float64Array, values: Float64Array): void {
  const last = values.length - 1;
  values[0] = 0;
  values[last] = 0;
  for (let i = 1; i < last; i++) {
    const left = (xs[i] ?? 0) - (xs[i - 1] ?? 0);
    values[i] = ((values[i] ?? 0) - left * (values[i - 1] ?? 0)) * (shares[i] ?? 0);
  }
  for (let i = last - 1; i > 0; i--) values[i] = (values[i] ?? 0) - (ratios[i] ?? 0) * (values[i + 1] ?? 0);
}

/** The second derivatives at the knots. */
function bends(factor: Factor, xs: Float64Array, ys: Float64Array): Float64Array {
  const values = new Float64Array(xs.length);
  let before = ((ys[1] ?? 0) - (ys[0] ?? 0)) / ((xs[1] ?? 0) - (xs[0] ?? 0));
  for (let i = 1; i < xs.length - 1; i++) {
    const slope = ((ys[i + 1] ?? 0) - (ys[i] ?? 0)) / ((xs[i + 1] ?? 0) - (xs[i] ?? 0));
    values[i] = 6 * (slope - before);
    before = slope;
  }
  solve(factor, xs, values);
  return values;
}

/** The interval of `t`. */
function find(xs: Float64Array, t: number): number {
  let low = 0;
  let high = xs.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (t < (xs[middle] ?? 0)) high = middle;
    else low = middle;
  }
  return low;
}

function loss(xs: Float64Array, ys: Float64Array, ts: Float64Array, seen: Float64Array): number {
  const ms = bends(factorOf(xs), xs, ys);
  let total = 0;
  for (let i = 0; i < ts.length; i++) {
    const t = ts[i] ?? 0;
    const k = find(xs, t);
    const h = (xs[k + 1] ?? 0) - (xs[k] ?? 0);
    const a = ((xs[k + 1] ?? 0) - t) / h;
    const b = (t - (xs[k] ?? 0)) / h;
    const bent = (a * a * a - a) * (ms[k] ?? 0) + (b * b * b - b) * (ms[k + 1] ?? 0);
    const error = a * (ys[k] ?? 0) + b * (ys[k + 1] ?? 0) + (bent * h * h) / 6 - (seen[i] ?? 0);
    total += error * error;
  }
  return total / ts.length;
}

/** Adds to the cotangents of the knots what those of the second derivatives, `ms_`, give them. */
function bendsBack(
  factor: Factor,
  xs: Float64Array,
  ys: Float64Array,
  ms: Float64Array,
  ms_: Float64Array,
  xs_: Float64Array,
  ys_: Float64Array,
): void {
  solve(factor, xs, ms_);
  for (let i = 0; i < xs.length - 1; i++) {
    const h = (xs[i + 1] ?? 0) - (xs[i] ?? 0);
    const slope = ((ys[i + 1] ?? 0) - (ys[i] ?? 0)) / h;
    const here_ = ms_[i] ?? 0;
    const next_ = ms_[i + 1] ?? 0;
    const here = ms[i] ?? 0;
    const next = ms[i + 1] ?? 0;
    const y_ = (6 * (here_ - next_)) / h;
    const h_ = -here_ * (2 * here + next) - next_ * (here + 2 * next) - y_ * slope;
    ys_[i] = (ys_[i] ?? 0) - y_;
    ys_[i + 1] = (ys_[i + 1] ?? 0) + y_;
    xs_[i] = (xs_[i] ?? 0) - h_;
    xs_[i + 1] = (xs_[i + 1] ?? 0) + h_;
  }
}

function lossGradient(xs: Float64Array, ys: Float64Array, ts: Float64Array, seen: Float64Array) {
  const factor = factorOf(xs);
  const ms = bends(factor, xs, ys);
  const xs_ = new Float64Array(xs.length);
  const ys_ = new Float64Array(xs.length);
  const ms_ = new Float64Array(xs.length);
  const ts_ = new Float64Array(ts.length);
  const seen_ = new Float64Array(ts.length);
  const scale = 2 / ts.length;
  let total = 0;
  for (let i = 0; i < ts.length; i++) {
    const t = ts[i] ?? 0;
    const k = find(xs, t);
    const h = (xs[k + 1] ?? 0) - (xs[k] ?? 0);
    const a = ((xs[k + 1] ?? 0) - t) / h;
    const b = (t - (xs[k] ?? 0)) / h;
    const [y0, y1, m0, m1] = [ys[k] ?? 0, ys[k + 1] ?? 0, ms[k] ?? 0, ms[k + 1] ?? 0];
    const cubicA = a * a * a - a;
    const cubicB = b * b * b - b;
    const sixth = (h * h) / 6;
    const bent = cubicA * m0 + cubicB * m1;
    const error = a * y0 + b * y1 + bent * sixth - (seen[i] ?? 0);
    total += error * error;
    const e_ = scale * error;
    seen_[i] = -e_;
    ys_[k] = (ys_[k] ?? 0) + e_ * a;
    ys_[k + 1] = (ys_[k + 1] ?? 0) + e_ * b;
    ms_[k] = (ms_[k] ?? 0) + e_ * cubicA * sixth;
    ms_[k + 1] = (ms_[k + 1] ?? 0) + e_ * cubicB * sixth;
    const a_ = (e_ * (y0 + (3 * a * a - 1) * m0 * sixth)) / h;
    const b_ = (e_ * (y1 + (3 * b * b - 1) * m1 * sixth)) / h;
    const h_ = (e_ * bent * h) / 3 - a_ * a - b_ * b;
    ts_[i] = b_ - a_;
    xs_[k] = (xs_[k] ?? 0) - b_ - h_;
    xs_[k + 1] = (xs_[k + 1] ?? 0) + a_ + h_;
  }
  bendsBack(factor, xs, ys, ms, ms_, xs_, ys_);
  return { value: total / ts.length, grad: { xs: xs_, ys: ys_, ts: ts_, seen: seen_ } };
}

/** Some knots, and data at eight times as many places. */
function ofSize(count: number): Sized {
  const data = 8 * count;
  return {
    entry: "loss",
    args: [
      vec(count, 160, 0.3).map((x, i) => i + x),
      vec(count, 161),
      vec(data, 162).map((t) => 0.5 + 0.5 * (t + 1) * (count - 2)),
      vec(data, 163),
    ],
    elements: data * 20,
    primal: loss,
    gradient: lossGradient,
  };
}

export const workloads = natural("cubic-spline-fit", [16, 160, 1600], ofSize);
