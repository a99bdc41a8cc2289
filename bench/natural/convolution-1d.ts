// A filter on a signal by hand: one pass, where each error goes back to taps and signal at once.

import { vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

interface Filter {
  readonly taps: Float64Array;
  readonly bias: number;
}

function valueAt(filter: Filter, signal: Float64Array, i: number): number {
  const { taps } = filter;
  let total = filter.bias;
  for (let k = 0; k < taps.length; k++) total += (taps[k] ?? 0) * (signal[i + k] ?? 0);
  return Math.tanh(total);
}

function loss(filter: Filter, signal: Float64Array, target: Float64Array): number {
  let total = 0;
  for (let i = 0; i < target.length; i++) {
    const error = valueAt(filter, signal, i) - (target[i] ?? 0);
    total += error * error;
  }
  return total / target.length;
}

function lossGradient(filter: Filter, signal: Float64Array, target: Float64Array) {
  const { taps } = filter;
  const taps_ = new Float64Array(taps.length);
  const signal_ = new Float64Array(signal.length);
  const target_ = new Float64Array(target.length);
  const scale = 2 / target.length;
  let bias_ = 0;
  let total = 0;
  for (let i = 0; i < target.length; i++) {
    const y = valueAt(filter, signal, i);
    const error = y - (target[i] ?? 0);
    total += error * error;
    target_[i] = -scale * error;
    const y_ = scale * error * (1 - y * y);
    bias_ += y_;
    for (let k = 0; k < taps.length; k++) {
      taps_[k] = (taps_[k] ?? 0) + y_ * (signal[i + k] ?? 0);
      signal_[i + k] = (signal_[i + k] ?? 0) + y_ * (taps[k] ?? 0);
    }
  }
  return {
    value: total / target.length,
    grad: { filter: { taps: taps_, bias: bias_ }, signal: signal_, target: target_ },
  };
}

/** 15 taps. */
function ofSize(count: number): Sized {
  return {
    entry: "loss",
    args: [{ taps: vec(15, 130, 0.4), bias: 0.1 }, vec(count + 14, 131), vec(count, 132)],
    elements: count * 30,
    primal: loss,
    gradient: lossGradient,
  };
}

export const workloads = natural("convolution-1d", [300, 3000, 30000], ofSize);
