// Entropic transport by hand: the scalings of all iterations kept, and the kernel's cotangents in one pass over it for each.

import { matrix, rowsOf, vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

type Rows = readonly Float64Array[];

/** Costs and kernel of the points `xs` and `ys`, by rows. */
function kernelOf(epsilon: number, xs: Rows, ys: Rows, costs: Float64Array, kernel: Float64Array): void {
  let at = 0;
  for (const x of xs) {
    for (const y of ys) {
      let cost = 0;
      for (let k = 0; k < x.length; k++) {
        const d = (x[k] ?? 0) - (y[k] ?? 0);
        cost += d * d;
      }
      costs[at] = cost;
      kernel[at++] = Math.exp(-cost / epsilon);
    }
  }
}

/** One iteration, from the scalings `v` of the columns: those of the rows, and new ones of the columns. */
function iteration(
  kernel: Float64Array,
  a: Float64Array,
  b: Float64Array,
  v: Float64Array,
  u: Float64Array,
  next: Float64Array,
): void {
  const m = b.length;
  next.fill(0);
  for (let i = 0, at = 0; i < a.length; i++, at += m) {
    let total = 0;
    for (let j = 0; j < m; j++) total += (kernel[at + j] ?? 0) * (v[j] ?? 0);
    const ui = (a[i] ?? 0) / total;
    u[i] = ui;
    for (let j = 0; j < m; j++) next[j] = (next[j] ?? 0) + ui * (kernel[at + j] ?? 0);
  }
  for (let j = 0; j < m; j++) next[j] = (b[j] ?? 0) / (next[j] ?? 0);
}

function transportCost(costs: Float64Array, kernel: Float64Array, u: Float64Array, v: Float64Array): number {
  const m = v.length;
  let total = 0;
  for (let i = 0, at = 0; i < u.length; i++, at += m) {
    let row = 0;
    for (let j = 0; j < m; j++) row += (costs[at + j] ?? 0) * (kernel[at + j] ?? 0) * (v[j] ?? 0);
    total += (u[i] ?? 0) * row;
  }
  return total;
}

function loss(epsilon: number, xs: Rows, a: Float64Array, ys: Rows, b: Float64Array, iterations: number): number {
  const [n, m] = [a.length, b.length];
  const costs = new Float64Array(n * m);
  const kernel = new Float64Array(n * m);
  kernelOf(epsilon, xs, ys, costs, kernel);
  const u = new Float64Array(n).fill(1);
  let v = new Float64Array(m).fill(1);
  let next = new Float64Array(m);
  for (let t = 0; t < iterations; t++) {
    iteration(kernel, a, b, v, u, next);
    [v, next] = [next, v];
  }
  return transportCost(costs, kernel, u, v);
}

/** Back through an iteration from `v` to `u` and `next`: `v_` is first the cotangent of `next`, then that of `v`; `u_` is used up. */
function iterationBack(
  kernel: Float64Array,
  a: Float64Array,
  b: Float64Array,
  v: Float64Array,
  u: Float64Array,
  next: Float64Array,
  u_: Float64Array,
  v_: Float64Array,
  sums_: Float64Array,
  a_: Float64Array,
  b_: Float64Array,
  kernel_: Float64Array,
): void {
  const m = b.length;
  for (let j = 0; j < m; j++) {
    const share = ((v_[j] ?? 0) * (next[j] ?? 0)) / (b[j] ?? 0);
    b_[j] = (b_[j] ?? 0) + share;
    sums_[j] = -share * (next[j] ?? 0);
    v_[j] = 0;
  }
  for (let i = 0, at = 0; i < a.length; i++, at += m) {
    let ui_ = u_[i] ?? 0;
    for (let j = 0; j < m; j++) ui_ += (kernel[at + j] ?? 0) * (sums_[j] ?? 0);
    const ui = u[i] ?? 0;
    const share = (ui_ * ui) / (a[i] ?? 0);
    a_[i] = (a_[i] ?? 0) + share;
    const sum_ = -share * ui;
    for (let j = 0; j < m; j++) {
      kernel_[at + j] = (kernel_[at + j] ?? 0) + ui * (sums_[j] ?? 0) + sum_ * (v[j] ?? 0);
      v_[j] = (v_[j] ?? 0) + sum_ * (kernel[at + j] ?? 0);
    }
    u_[i] = 0;
  }
}

function lossGradient(epsilon: number, xs: Rows, a: Float64Array, ys: Rows, b: Float64Array, iterations: number) {
  const [n, m] = [a.length, b.length];
  const d = xs[0]?.length ?? 0;
  const costs = new Float64Array(n * m);
  const kernel = new Float64Array(n * m);
  kernelOf(epsilon, xs, ys, costs, kernel);
  const us = rowsOf(new Float64Array(iterations * n), iterations, n);
  const vs = rowsOf(new Float64Array((iterations + 1) * m), iterations + 1, m);
  const ones = new Float64Array(n).fill(1);
  vs[0]?.fill(1);
  for (let t = 0; t < iterations; t++) iteration(kernel, a, b, vs[t] ?? b, us[t] ?? a, vs[t + 1] ?? b);
  const u = us[iterations - 1] ?? ones;
  const v = vs[iterations] ?? b;
  const kernel_ = new Float64Array(n * m);
  const u_ = new Float64Array(n);
  const v_ = new Float64Array(m);
  let value = 0;
  for (let i = 0, at = 0; i < n; i++, at += m) {
    const ui = u[i] ?? 0;
    let ui_ = 0;
    for (let j = 0; j < m; j++) {
      const both = (costs[at + j] ?? 0) * (kernel[at + j] ?? 0);
      ui_ += both * (v[j] ?? 0);
      v_[j] = (v_[j] ?? 0) + both * ui;
      kernel_[at + j] = ui * (v[j] ?? 0) * (costs[at + j] ?? 0);
    }
    u_[i] = ui_;
    value += ui * ui_;
  }
  const a_ = new Float64Array(n);
  const b_ = new Float64Array(m);
  const sums_ = new Float64Array(m);
  for (let t = iterations - 1; t >= 0; t--)
    iterationBack(kernel, a, b, vs[t] ?? b, us[t] ?? a, vs[t + 1] ?? b, u_, v_, sums_, a_, b_, kernel_);
  const xs_ = rowsOf(new Float64Array(n * d), n, d);
  const ys_ = rowsOf(new Float64Array(m * d), m, d);
  let epsilon_ = 0;
  for (let i = 0, at = 0; i < n; i++) {
    const x = xs[i] ?? a;
    const x_ = xs_[i] ?? a;
    for (let j = 0; j < m; j++, at++) {
      const share = ((kernel_[at] ?? 0) * (kernel[at] ?? 0)) / epsilon;
      const cost_ = (u[i] ?? 0) * (kernel[at] ?? 0) * (v[j] ?? 0) - share;
      epsilon_ += (share * (costs[at] ?? 0)) / epsilon;
      const y = ys[j] ?? b;
      const y_ = ys_[j] ?? b;
      for (let k = 0; k < d; k++) {
        const by = 2 * cost_ * ((x[k] ?? 0) - (y[k] ?? 0));
        x_[k] = (x_[k] ?? 0) + by;
        y_[k] = (y_[k] ?? 0) - by;
      }
    }
  }
  return {
    value,
    grad: { epsilon: epsilon_, xs: xs_, a: a_, ys: ys_, b: b_, iterations: 0 },
  };
}

/** Masses that sum up to 1. */
function masses(count: number, seed: number): Float64Array {
  const all = vec(count, seed, 0.8).map((x) => 1 + x);
  const total = all.reduce((sum, x) => sum + x, 0);
  return all.map((x) => x / total);
}

/** As many points in the plane on either side, and thirty iterations. */
function ofSize(count: number): Sized {
  return {
    entry: "loss",
    args: [0.4, matrix(count, 2, 850), masses(count, 851), matrix(count, 2, 852), masses(count, 853), 30],
    elements: count * count * 30 * 4,
    primal: loss,
    gradient: lossGradient,
  };
}

/** Points on either side. */
export const workloads = natural("sinkhorn", [16, 50, 160], ofSize);
