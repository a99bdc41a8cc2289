// The Brusselator in steps of the right size, by hand: Bogacki and Shampine's method, the way back finds slopes again.

import { natural, type Sized } from "./natural.js";

interface Rates {
  readonly feed: number;
  readonly decay: number;
}

interface State {
  readonly x: number;
  readonly y: number;
}

/** Six numbers that each try begins with: the state, its slope, the wished size of the step, the time that is left. */
interface Trail {
  readonly tries: Float64Array;
  readonly count: number;
  readonly last: Float64Array;
}

const perTry = 6;
const firstStep = 0.01;

function slopeX(rates: Rates, x: number, y: number): number {
  return rates.feed + x * x * y - (rates.decay + 1) * x;
}

function slopeY(rates: Rates, x: number, y: number): number {
  return rates.decay * x - x * x * y;
}

/** A step of size `h`: in `work` slopes 2 to 4, the next state, and the mean slope's error, whose norm it gives. */
function tryStep(rates: Rates, h: number, tries: Float64Array, at: number, work: Float64Array): number {
  const x = tries[at] ?? 0;
  const y = tries[at + 1] ?? 0;
  const k1x = tries[at + 2] ?? 0;
  const k1y = tries[at + 3] ?? 0;
  const x2 = x + 0.5 * h * k1x;
  const y2 = y + 0.5 * h * k1y;
  const k2x = slopeX(rates, x2, y2);
  const k2y = slopeY(rates, x2, y2);
  const x3 = x + 0.75 * h * k2x;
  const y3 = y + 0.75 * h * k2y;
  const k3x = slopeX(rates, x3, y3);
  const k3y = slopeY(rates, x3, y3);
  const x4 = x + h * ((2 / 9) * k1x + (1 / 3) * k2x + (4 / 9) * k3x);
  const y4 = y + h * ((2 / 9) * k1y + (1 / 3) * k2y + (4 / 9) * k3y);
  const k4x = slopeX(rates, x4, y4);
  const k4y = slopeY(rates, x4, y4);
  const wrongX = (-5 / 72) * k1x + (1 / 12) * k2x + (1 / 9) * k3x - (1 / 8) * k4x;
  const wrongY = (-5 / 72) * k1y + (1 / 12) * k2y + (1 / 9) * k3y - (1 / 8) * k4y;
  work[0] = k2x;
  work[1] = k2y;
  work[2] = k3x;
  work[3] = k3y;
  work[4] = k4x;
  work[5] = k4y;
  work[6] = x4;
  work[7] = y4;
  work[8] = wrongX;
  work[9] = wrongY;
  return Math.sqrt(wrongX * wrongX + wrongY * wrongY);
}

/** Room for one more try. */
function grown(tries: Float64Array<ArrayBuffer>, needed: number): Float64Array<ArrayBuffer> {
  if (needed <= tries.length) return tries;
  const larger = new Float64Array(2 * tries.length);
  larger.set(tries);
  return larger;
}

/** All steps, of which each begins behind the last one, or where it began, if nothing is kept. */
function solve(rates: Rates, tolerance: number, time: number, start: State, keep: boolean): Trail {
  const work = new Float64Array(10);
  let tries = new Float64Array((keep ? 256 : 1) * perTry);
  let at = 0;
  let count = 0;
  tries[0] = start.x;
  tries[1] = start.y;
  tries[2] = slopeX(rates, start.x, start.y);
  tries[3] = slopeY(rates, start.x, start.y);
  tries[4] = firstStep;
  tries[5] = time;
  for (let left = time, h = firstStep; left > 0; count++) {
    const used = Math.min(h, left);
    const ratio = (used * tryStep(rates, used, tries, at, work)) / tolerance;
    const taken = ratio <= 1;
    h = used * Math.max(0.2, Math.min(5, 0.9 * Math.pow(ratio, -1 / 3)));
    if (taken) left -= used;
    const next = keep ? at + perTry : at;
    if (keep) tries = grown(tries, next + perTry);
    tries[next] = taken ? (work[6] ?? 0) : (tries[at] ?? 0);
    tries[next + 1] = taken ? (work[7] ?? 0) : (tries[at + 1] ?? 0);
    tries[next + 2] = taken ? (work[4] ?? 0) : (tries[at + 2] ?? 0);
    tries[next + 3] = taken ? (work[5] ?? 0) : (tries[at + 3] ?? 0);
    tries[next + 4] = h;
    tries[next + 5] = left;
    at = next;
  }
  return { tries, count, last: tries.subarray(at, at + 2) };
}

function missOf(last: Float64Array, measured: State): number {
  const x = (last[0] ?? 0) - measured.x;
  const y = (last[1] ?? 0) - measured.y;
  return x * x + y * y;
}

function loss(rates: Rates, digits: number, time: number, start: State, measured: State): number {
  return missOf(solve(rates, Math.pow(10, -digits), time, start, false).last, measured);
}

function lossGradient(rates: Rates, digits: number, time: number, start: State, measured: State) {
  const tolerance = Math.pow(10, -digits);
  const { tries, count, last } = solve(rates, tolerance, time, start, true);
  const { decay } = rates;
  const work = new Float64Array(10);
  let x_ = 2 * ((last[0] ?? 0) - measured.x);
  let y_ = 2 * ((last[1] ?? 0) - measured.y);
  const measured_ = { x: -x_, y: -y_ };
  let feed_ = 0;
  let decay_ = 0;
  let digits_ = 0;
  /** Of the slope at the state, of the wished size, and of the time that is left. */
  let k1x_ = 0;
  let k1y_ = 0;
  let h_ = 0;
  let left_ = 0;
  for (let i = count - 1; i >= 0; i--) {
    const at = i * perTry;
    const x = tries[at] ?? 0;
    const y = tries[at + 1] ?? 0;
    const k1x = tries[at + 2] ?? 0;
    const k1y = tries[at + 3] ?? 0;
    const h = tries[at + 4] ?? 0;
    const left = tries[at + 5] ?? 0;
    const used = Math.min(h, left);
    const norm = tryStep(rates, used, tries, at, work);
    const k2x = work[0] ?? 0;
    const k2y = work[1] ?? 0;
    const k3x = work[2] ?? 0;
    const k3y = work[3] ?? 0;
    const ratio = (used * norm) / tolerance;
    const taken = ratio <= 1;
    const factor = (tries[at + perTry + 4] ?? 0) / used;
    let used_ = h_ * factor;
    let wrongX_ = 0;
    let wrongY_ = 0;
    if (factor > 0.2000000001 && factor < 4.9999999999) {
      // ratio * ratio_
      const share = (-1 / 3) * h_ * used * factor;
      digits_ += share * Math.LN10;
      used_ += share / used;
      const pull = share / (norm * norm);
      wrongX_ = pull * (work[8] ?? 0);
      wrongY_ = pull * (work[9] ?? 0);
    }
    let k4x_ = (-1 / 8) * wrongX_;
    let k4y_ = (-1 / 8) * wrongY_;
    let x4_ = 0;
    let y4_ = 0;
    if (taken) {
      used_ -= left_;
      k4x_ += k1x_;
      k4y_ += k1y_;
      x4_ = x_;
      y4_ = y_;
      k1x_ = k1y_ = x_ = y_ = 0;
    }
    const x4 = work[6] ?? 0;
    const y4 = work[7] ?? 0;
    const made4_ = k4x_ - k4y_;
    x4_ += 2 * x4 * y4 * made4_ - (decay + 1) * k4x_ + decay * k4y_;
    y4_ += x4 * x4 * made4_;
    used_ +=
      x4_ * ((2 / 9) * k1x + (1 / 3) * k2x + (4 / 9) * k3x) + y4_ * ((2 / 9) * k1y + (1 / 3) * k2y + (4 / 9) * k3y);
    const k3x_ = (4 / 9) * used * x4_ + (1 / 9) * wrongX_;
    const k3y_ = (4 / 9) * used * y4_ + (1 / 9) * wrongY_;
    const x3 = x + 0.75 * used * k2x;
    const y3 = y + 0.75 * used * k2y;
    const made3_ = k3x_ - k3y_;
    const x3_ = 2 * x3 * y3 * made3_ - (decay + 1) * k3x_ + decay * k3y_;
    const y3_ = x3 * x3 * made3_;
    used_ += 0.75 * (x3_ * k2x + y3_ * k2y);
    const k2x_ = (1 / 3) * used * x4_ + (1 / 12) * wrongX_ + 0.75 * used * x3_;
    const k2y_ = (1 / 3) * used * y4_ + (1 / 12) * wrongY_ + 0.75 * used * y3_;
    const x2 = x + 0.5 * used * k1x;
    const y2 = y + 0.5 * used * k1y;
    const made2_ = k2x_ - k2y_;
    const x2_ = 2 * x2 * y2 * made2_ - (decay + 1) * k2x_ + decay * k2y_;
    const y2_ = x2 * x2 * made2_;
    used_ += 0.5 * (x2_ * k1x + y2_ * k1y);
    k1x_ += (2 / 9) * used * x4_ - (5 / 72) * wrongX_ + 0.5 * used * x2_;
    k1y_ += (2 / 9) * used * y4_ - (5 / 72) * wrongY_ + 0.5 * used * y2_;
    x_ += x4_ + x3_ + x2_;
    y_ += y4_ + y3_ + y2_;
    feed_ += k4x_ + k3x_ + k2x_;
    decay_ += x4 * (k4y_ - k4x_) + x3 * (k3y_ - k3x_) + x2 * (k2y_ - k2x_);
    if (h <= left) h_ = used_;
    else {
      left_ += used_;
      h_ = 0;
    }
  }
  const made_ = k1x_ - k1y_;
  x_ += 2 * start.x * start.y * made_ - (decay + 1) * k1x_ + decay * k1y_;
  y_ += start.x * start.x * made_;
  feed_ += k1x_;
  decay_ -= start.x * made_;
  return {
    value: missOf(last, measured),
    grad: {
      r: { feed: feed_, decay: decay_ },
      digits: digits_,
      time: left_,
      start: { x: x_, y: y_ },
      measured: measured_,
    },
  };
}

function ofSize(time: number): Sized {
  return {
    entry: "loss",
    args: [{ feed: 1, decay: 3 }, 5, time, { x: 1.2, y: 3.1 }, { x: 0.5, y: 2.9 }],
    elements: time * 1000,
    primal: loss,
    gradient: lossGradient,
  };
}

/** Some time of the reaction. */
export const workloads = natural("adaptive-step", [3, 30, 300], ofSize);
