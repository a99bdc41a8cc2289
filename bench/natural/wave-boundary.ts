// Waves on a string by hand: all heights kept, and cotangents that take two steps at a time, as heights do.

import { matrix, rowsOf, vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

type Rows = readonly Float64Array[];

const none = new Float64Array(0);

/** Squares of the speeds in places per step, and how much of a wave comes back from the last place. */
interface Medium {
  readonly squares: Float64Array;
  readonly back: number;
}

function mediumOf(speeds: Float64Array, scale: number): Medium {
  const last = scale * (speeds[speeds.length - 1] ?? 0);
  return { squares: speeds.map((c) => (scale * c) ** 2), back: (last - 1) / (last + 1) };
}

/** A step to heights in `us` at `next`, of those at `now` and at `before`, which may be `next`. */
function step({ squares, back }: Medium, us: Float64Array, before: number, now: number, next: number): void {
  const last = squares.length - 1;
  let here = us[now] ?? 0;
  let left = us[now + 1] ?? 0;
  for (let i = 0; i < last; i++) {
    const right = us[now + i + 1] ?? 0;
    us[next + i] = 2 * here - (us[before + i] ?? 0) + (squares[i] ?? 0) * (left - 2 * here + right);
    left = here;
    here = right;
  }
  us[next + last] = left + back * ((us[next + last - 1] ?? 0) - here);
}

/** The squared errors of heights in `us` at `at`. */
function misfit(us: Float64Array, at: number, sensors: readonly number[], seen: Float64Array): number {
  let total = 0;
  for (let s = 0; s < sensors.length; s++) {
    const error = (us[at + (sensors[s] ?? 0)] ?? 0) - (seen[s] ?? 0);
    total += error * error;
  }
  return total;
}

function loss(
  speeds: Float64Array,
  dx: number,
  dt: number,
  start: Float64Array,
  sensors: readonly number[],
  series: Rows,
): number {
  const n = speeds.length;
  const medium = mediumOf(speeds, dt / dx);
  const us = new Float64Array(2 * n);
  us.set(start);
  us.set(start, n);
  let now = n;
  let total = 0;
  for (const seen of series) {
    step(medium, us, n - now, now, n - now);
    now = n - now;
    total += misfit(us, now, sensors, seen);
  }
  return total;
}

/**
 * Back through a step: `next_` becomes the cotangents of the heights before those at `now`, `now_` has its part added. Adds to those of the squares, and gives that of what
 * comes back.
 */
function stepBack(
  { squares, back }: Medium,
  us: Float64Array,
  now: number,
  next_: Float64Array,
  now_: Float64Array,
  squares_: Float64Array,
): number {
  const n = squares.length;
  const last = n - 1;
  const leaving_ = next_[last] ?? 0;
  const back_ = leaving_ * ((us[now + n + last - 1] ?? 0) - (us[now + last] ?? 0));
  next_[last] = 0;
  next_[last - 1] = (next_[last - 1] ?? 0) + back * leaving_;
  let here = us[now] ?? 0;
  let left = us[now + 1] ?? 0;
  let u_ = next_[0] ?? 0;
  let flow_ = (squares[0] ?? 0) * u_;
  let fromLeft = 0;
  // The second place is on both sides of the first one
  now_[1] = (now_[1] ?? 0) + flow_;
  for (let i = 0; i < last; i++) {
    const right = us[now + i + 1] ?? 0;
    const right_ = next_[i + 1] ?? 0;
    const fromRight = (squares[i + 1] ?? 0) * right_;
    now_[i] = (now_[i] ?? 0) + 2 * (u_ - flow_) + fromLeft + fromRight;
    squares_[i] = (squares_[i] ?? 0) + u_ * (left - 2 * here + right);
    next_[i] = -u_;
    left = here;
    here = right;
    fromLeft = flow_;
    u_ = right_;
    flow_ = fromRight;
  }
  now_[last - 1] = (now_[last - 1] ?? 0) + leaving_;
  now_[last] = (now_[last] ?? 0) + fromLeft - back * leaving_;
  return back_;
}

function lossGradient(
  speeds: Float64Array,
  dx: number,
  dt: number,
  start: Float64Array,
  sensors: readonly number[],
  series: Rows,
) {
  const n = speeds.length;
  const count = series.length;
  const scale = dt / dx;
  const medium = mediumOf(speeds, scale);
  const us = new Float64Array((count + 2) * n);
  us.set(start);
  us.set(start, n);
  let value = 0;
  let now = n;
  for (const seen of series) {
    step(medium, us, now - n, now, now + n);
    now += n;
    value += misfit(us, now, sensors, seen);
  }
  const series_ = rowsOf(new Float64Array(count * sensors.length), count, sensors.length);
  const squares_ = new Float64Array(n);
  let next_ = new Float64Array(n);
  let now_ = new Float64Array(n);
  let back_ = 0;
  for (let t = count - 1; t >= 0; t--) {
    const seen = series[t] ?? none;
    const seen_ = series_[t] ?? none;
    for (let s = 0; s < sensors.length; s++) {
      const place = sensors[s] ?? 0;
      const error_ = 2 * ((us[now + place] ?? 0) - (seen[s] ?? 0));
      next_[place] = (next_[place] ?? 0) + error_;
      seen_[s] = -error_;
    }
    now -= n;
    back_ += stepBack(medium, us, now, next_, now_, squares_);
    [next_, now_] = [now_, next_];
  }
  // Of the speeds in places per step
  const speeds_ = squares_.map((square_, i) => 2 * square_ * scale * (speeds[i] ?? 0));
  const last = scale * (speeds[n - 1] ?? 0);
  speeds_[n - 1] = (speeds_[n - 1] ?? 0) + (2 * back_) / (last + 1) ** 2;
  let scale_ = 0;
  for (let i = 0; i < n; i++) scale_ += (speeds_[i] ?? 0) * (speeds[i] ?? 0);
  const before_ = now_;
  return {
    value,
    grad: {
      speeds: speeds_.map((c_) => c_ * scale),
      dx: (-scale_ * scale) / dx,
      dt: scale_ / dx,
      start: next_.map((u_, i) => u_ + (before_[i] ?? 0)),
      sensors: sensors.map(() => 0),
      series: series_,
    },
  };
}

/** A string with a bump, which three sensors look at for twice the time that a wave takes from end to end. */
function ofSize(n: number): Sized {
  return {
    entry: "loss",
    args: [
      vec(n, 910, 0.08).map((x) => 0.98 + x),
      1.2,
      1.08,
      Float64Array.from({ length: n }, (_, i) => Math.exp(-((10 * (i / (n - 1) - 0.3)) ** 2))),
      [0.1, 0.55, 0.9].map((x) => Math.round(x * n)),
      matrix(2 * n, 3, 911, 0.5),
    ],
    elements: 2 * n * n * 8,
    primal: loss,
    gradient: lossGradient,
  };
}

/** Places. */
export const workloads = natural("wave-boundary", [100, 300, 800], ofSize);
