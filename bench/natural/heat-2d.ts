// A plate that is heated, by hand: the stencil is its own adjoint, and times the states it gives the rate's cotangent.

import { matrix, rowsOf, vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

interface Source {
  readonly x: number;
  readonly y: number;
  readonly strength: number;
  readonly spread: number;
}

type Rows = readonly Float64Array[];

function flat(rows: Rows): Float64Array {
  const n = rows.length;
  const all = new Float64Array(n * n);
  let at = 0;
  for (const row of rows) for (let j = 0; j < n; j++) all[at++] = row[j] ?? 0;
  return all;
}

function heating(sources: readonly Source[], n: number): Float64Array {
  const heat = new Float64Array(n * n);
  for (const { x, y, strength, spread } of sources) {
    const sharpness = -0.5 / (spread * spread);
    for (let i = 0; i < n; i++) {
      const dy = i / (n - 1) - y;
      for (let j = 0; j < n; j++) {
        const dx = j / (n - 1) - x;
        heat[i * n + j] = (heat[i * n + j] ?? 0) + strength * Math.exp(sharpness * (dx * dx + dy * dy));
      }
    }
  }
  return heat;
}

/** A step from what begins at `at` to what begins at `next`. */
function stepFrom(
  us: Float64Array,
  n: number,
  at: number,
  next: number,
  rate: number,
  dt: number,
  heat: Float64Array,
): void {
  for (let i = 0; i < n; i++) {
    const row = at + i * n;
    const up = i > 0 ? row - n : row;
    const down = i < n - 1 ? row + n : row;
    let before = us[row] ?? 0;
    let here = before;
    for (let j = 0; j < n; j++) {
      const after = j < n - 1 ? (us[row + j + 1] ?? 0) : here;
      const flow = (us[up + j] ?? 0) + (us[down + j] ?? 0) + before + after - 4 * here;
      us[next + i * n + j] = here + rate * flow + dt * (heat[i * n + j] ?? 0);
      before = here;
      here = after;
    }
  }
}

/** All states one after the other, or two in turns where they are not kept; where the last one begins. */
function simulate(
  heat: Float64Array,
  rate: number,
  dt: number,
  steps: number,
  start: Rows,
  keep: boolean,
): { us: Float64Array; last: number } {
  const n = start.length;
  const size = n * n;
  const us = new Float64Array((keep ? steps + 1 : 2) * size);
  us.set(flat(start));
  let at = 0;
  for (let step = 0; step < steps; step++) {
    const next = keep ? at + size : size - at;
    stepFrom(us, n, at, next, rate, dt, heat);
    at = next;
  }
  return { us, last: at };
}

/** The mean squared error; errors in `errors`. */
function errorsOf(us: Float64Array, last: number, seen: Rows, errors: Float64Array): number {
  let total = 0;
  let at = 0;
  for (const row of seen) {
    for (let j = 0; j < seen.length; j++, at++) {
      const error = (us[last + at] ?? 0) - (row[j] ?? 0);
      errors[at] = error;
      total += error * error;
    }
  }
  return total / errors.length;
}

function loss(
  sources: readonly Source[],
  conductivity: number,
  time: number,
  steps: number,
  start: Rows,
  seen: Rows,
): number {
  const n = start.length;
  const dt = time / steps;
  const { us, last } = simulate(heating(sources, n), conductivity * dt * (n - 1) ** 2, dt, steps, start, false);
  return errorsOf(us, last, seen, new Float64Array(n * n));
}

/** The cotangents before a step, of those behind it; adds those behind it to the heat's, and gives the rate's. */
function stepBack(
  us: Float64Array,
  n: number,
  at: number,
  rate: number,
  next_: Float64Array,
  us_: Float64Array,
  heat_: Float64Array,
): number {
  let rate_ = 0;
  for (let i = 0; i < n; i++) {
    const row = i * n;
    const up = i > 0 ? row - n : row;
    const down = i < n - 1 ? row + n : row;
    let before = next_[row] ?? 0;
    let here = before;
    for (let j = 0; j < n; j++) {
      const after = j < n - 1 ? (next_[row + j + 1] ?? 0) : here;
      const flow = (next_[up + j] ?? 0) + (next_[down + j] ?? 0) + before + after - 4 * here;
      rate_ += flow * (us[at + row + j] ?? 0);
      us_[row + j] = here + rate * flow;
      heat_[row + j] = (heat_[row + j] ?? 0) + here;
      before = here;
      here = after;
    }
  }
  return rate_;
}

/** The cotangents of a source, of the heat's. */
function sourceBack({ x, y, strength, spread }: Source, n: number, heat_: Float64Array): Source {
  const square = spread * spread;
  let [x_, y_, strength_, spread_] = [0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const dy = i / (n - 1) - y;
    for (let j = 0; j < n; j++) {
      const dx = j / (n - 1) - x;
      const distance = dx * dx + dy * dy;
      const share = (heat_[i * n + j] ?? 0) * Math.exp((-0.5 * distance) / square);
      strength_ += share;
      x_ += share * dx;
      y_ += share * dy;
      spread_ += share * distance;
    }
  }
  const scale = strength / square;
  return { x: scale * x_, y: scale * y_, strength: strength_, spread: (scale * spread_) / spread };
}

function dot(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += (a[i] ?? 0) * (b[i] ?? 0);
  return total;
}

function lossGradient(
  sources: readonly Source[],
  conductivity: number,
  time: number,
  steps: number,
  start: Rows,
  seen: Rows,
) {
  const n = start.length;
  const size = n * n;
  const dt = time / steps;
  const rate = conductivity * dt * (n - 1) ** 2;
  const heat = heating(sources, n);
  const { us, last } = simulate(heat, rate, dt, steps, start, true);
  let us_ = new Float64Array(size);
  const value = errorsOf(us, last, seen, us_);
  const seen_ = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    const error_ = (2 / size) * (us_[i] ?? 0);
    us_[i] = error_;
    seen_[i] = -error_;
  }
  let before_ = new Float64Array(size);
  const heat_ = new Float64Array(size);
  let rate_ = 0;
  for (let step = steps - 1; step >= 0; step--) {
    rate_ += stepBack(us, n, step * size, rate, us_, before_, heat_);
    [us_, before_] = [before_, us_];
  }
  const dt_ = dot(heat, heat_) + (rate_ * rate) / dt;
  for (let i = 0; i < size; i++) heat_[i] = dt * (heat_[i] ?? 0);
  return {
    value,
    grad: {
      sources: sources.map((source) => sourceBack(source, n, heat_)),
      conductivity: (rate_ * rate) / conductivity,
      time: dt_ / steps,
      steps: 0,
      start: rowsOf(us_, n, n),
      seen: rowsOf(seen_, n, n),
    },
  };
}

/** 30 steps with three sources. */
function ofSize(n: number): Sized {
  const numbers = vec(12, 230);
  const sources = Array.from({ length: 3 }, (_, i): Source => {
    const [x = 0, y = 0, strength = 0, spread = 0] = numbers.subarray(4 * i, 4 * i + 4);
    return { x: 0.5 + 0.5 * x, y: 0.5 + 0.5 * y, strength: 2 + strength, spread: 0.2 + 0.1 * spread };
  });
  return {
    entry: "loss",
    args: [sources, 0.8, 5 / (n - 1) ** 2, 30, matrix(n, n, 231), matrix(n, n, 232)],
    elements: n * n * 30 * 8,
    primal: loss,
    gradient: lossGradient,
  };
}

/** Places along a side. */
export const workloads = natural("heat-2d", [10, 30, 100], ofSize);
