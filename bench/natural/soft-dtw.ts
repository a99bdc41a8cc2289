// Soft dynamic time warping by hand: each cell keeps the shares of its left and its upper predecessor, and the alignment goes back by them.

import { vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

const far = 1e10;

/** The costs above the first row, with one in front of it. */
function startOf(count: number): Float64Array {
  const row = new Float64Array(count + 1).fill(far);
  row[0] = 0;
  return row;
}

function loss(gamma: number, xs: Float64Array, ys: Float64Array): number {
  const m = ys.length;
  const sharp = 1 / gamma;
  const row = startOf(m);
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i] ?? 0;
    let diagonal = row[0] ?? 0;
    let left = far;
    row[0] = far;
    for (let j = 0; j < m; j++) {
      const up = row[j + 1] ?? 0;
      const beside = left < diagonal ? left : diagonal;
      const least = up < beside ? up : beside;
      const total =
        Math.exp(sharp * (least - left)) + Math.exp(sharp * (least - diagonal)) + Math.exp(sharp * (least - up));
      const d = x - (ys[j] ?? 0);
      left = d * d + least - gamma * Math.log(total);
      row[j + 1] = left;
      diagonal = up;
    }
  }
  return row[m] ?? 0;
}

function lossGradient(gamma: number, xs: Float64Array, ys: Float64Array) {
  const [n, m] = [xs.length, ys.length];
  const sharp = 1 / gamma;
  const row = startOf(m);
  const lefts = new Float64Array(n * m);
  const ups = new Float64Array(n * m);
  /** Derivatives of the soft minima in gamma. */
  const slopes = new Float64Array(n * m);
  for (let i = 0, at = 0; i < n; i++) {
    const x = xs[i] ?? 0;
    let diagonal = row[0] ?? 0;
    let left = far;
    row[0] = far;
    for (let j = 0; j < m; j++, at++) {
      const up = row[j + 1] ?? 0;
      const beside = left < diagonal ? left : diagonal;
      const least = up < beside ? up : beside;
      const a = sharp * (least - left);
      const b = sharp * (least - diagonal);
      const c = sharp * (least - up);
      const ea = Math.exp(a);
      const eb = Math.exp(b);
      const ec = Math.exp(c);
      const total = ea + eb + ec;
      const log = Math.log(total);
      const share = 1 / total;
      lefts[at] = share * ea;
      ups[at] = share * ec;
      slopes[at] = share * (a * ea + b * eb + c * ec) - log;
      const d = x - (ys[j] ?? 0);
      left = d * d + least - gamma * log;
      row[j + 1] = left;
      diagonal = up;
    }
  }
  const xs_ = new Float64Array(n);
  const ys_ = new Float64Array(m);
  /** What the cells of a row get from the row below it. */
  const below_ = new Float64Array(m);
  below_[m - 1] = 1;
  let gamma_ = 0;
  for (let i = n - 1; i >= 0; i--) {
    const x = xs[i] ?? 0;
    let x_ = 0;
    let fromRight = 0;
    let diagonal_ = 0;
    for (let j = m - 1, at = i * m + j; j >= 0; j--, at--) {
      const cell_ = fromRight + (below_[j] ?? 0);
      const left = lefts[at] ?? 0;
      const up = ups[at] ?? 0;
      const d_ = 2 * cell_ * (x - (ys[j] ?? 0));
      x_ += d_;
      ys_[j] = (ys_[j] ?? 0) - d_;
      gamma_ += cell_ * (slopes[at] ?? 0);
      fromRight = cell_ * left;
      below_[j] = diagonal_ + cell_ * up;
      diagonal_ = cell_ * (1 - left - up);
    }
    xs_[i] = x_;
  }
  return { value: row[m] ?? 0, grad: { gamma: gamma_, xs: xs_, ys: ys_ } };
}

/** A wave with noise, seen at some times from 0 to 1. */
function wave(count: number, phase: number, seed: number): Float64Array {
  return vec(count, seed, 0.4).map((noise, t) => Math.sin((7 * t) / count + phase) + noise);
}

/** Two series, one of them longer by a fifth. */
function ofSize(count: number): Sized {
  const more = Math.round(1.2 * count);
  return {
    entry: "loss",
    args: [0.3, wave(count, 0, 860), wave(more, 0.8, 861)],
    elements: count * more * 12,
    primal: loss,
    gradient: lossGradient,
  };
}

/** The shorter series' length. */
export const workloads = natural("soft-dtw", [30, 90, 270], ofSize);
