// Temporal classification by hand: the forward algorithm over the places from which the end can be reached, which keeps the shares of staying and skipping for the way back.

import { matrix, rowsOf, vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

type Rows = readonly Float64Array[];

const never = -1e10;

function logSumExp(xs: Float64Array): number {
  let top = -Infinity;
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i] ?? 0;
    if (x > top) top = x;
  }
  let total = 0;
  for (let i = 0; i < xs.length; i++) total += Math.exp((xs[i] ?? 0) - top);
  return top + Math.log(total);
}

/** The labels with blanks around each, and what is known of these places. */
class Places {
  readonly symbols: Int32Array;
  readonly size: number;
  /** Shares in what arrives at each place, of one frame where nothing is kept. */
  readonly stays: Float64Array;
  readonly skips: Float64Array;
  private readonly maySkip: Uint8Array;
  private readonly count: number;
  private readonly keep: boolean;

  constructor(labels: readonly number[], count: number, keep: boolean) {
    this.size = 2 * labels.length + 1;
    this.count = count;
    this.keep = keep;
    this.symbols = new Int32Array(this.size);
    this.maySkip = new Uint8Array(this.size);
    labels.forEach((label, i) => {
      this.symbols[2 * i + 1] = label;
      this.maySkip[2 * i + 1] = i > 0 && label !== 0 && label !== labels[i - 1] ? 1 : 0;
    });
    this.stays = new Float64Array((keep ? count : 1) * this.size);
    this.skips = new Float64Array((keep ? count : 1) * this.size);
  }

  /** The first place of a frame from which the end can be reached. */
  first(t: number): number {
    return Math.max(0, this.size - 2 * (this.count - t));
  }

  /** Behind the last place of a frame that can be reached. */
  behind(t: number): number {
    return Math.min(this.size, 2 * (t + 1));
  }

  /** Logarithms of probabilities after frame `t` in `next`, of those before it. */
  private forward(t: number, frame: Float64Array, known: Float64Array, next: Float64Array): void {
    const { symbols, maySkip, stays, skips } = this;
    const all = logSumExp(frame);
    const from = this.keep ? t * this.size : 0;
    const behind = this.behind(t);
    for (let i = this.first(t); i < behind; i++) {
      const stay = known[i] ?? 0;
      const step = i > 0 ? (known[i - 1] ?? 0) : never;
      const skip = maySkip[i] === 1 ? (known[i - 2] ?? 0) : never;
      const later = stay > step ? stay : step;
      const top = skip > later ? skip : later;
      const a = Math.exp(stay - top);
      const c = Math.exp(skip - top);
      const total = a + Math.exp(step - top) + c;
      stays[from + i] = a / total;
      skips[from + i] = c / total;
      next[i] = top + Math.log(total) + (frame[symbols[i] ?? 0] ?? 0) - all;
    }
  }

  /** Logarithms of probabilities of the last two places, after all frames. */
  run(frames: Rows): { blank: number; label: number } {
    const { size } = this;
    let known = new Float64Array(size).fill(never);
    let next = new Float64Array(size).fill(never);
    known[0] = 0;
    for (let t = 0; t < frames.length; t++) {
      this.forward(t, frames[t] ?? known, known, next);
      [known, next] = [next, known];
    }
    return { blank: known[size - 1] ?? 0, label: known[size - 2] ?? 0 };
  }
}

/** Minus the logarithm of the sum of two probabilities. */
function surprise(blank: number, label: number): number {
  const top = Math.max(blank, label);
  return -(top + Math.log(Math.exp(blank - top) + Math.exp(label - top)));
}

function loss(labels: readonly number[], frames: Rows): number {
  const { blank, label } = new Places(labels, frames.length, false).run(frames);
  return surprise(blank, label);
}

function lossGradient(labels: readonly number[], frames: Rows) {
  const count = frames.length;
  const places = new Places(labels, count, true);
  const { blank, label } = places.run(frames);
  const { size, symbols, stays, skips } = places;
  const value = surprise(blank, label);
  const width = frames[0]?.length ?? 0;
  const frames_ = rowsOf(new Float64Array(count * width), count, width);
  /** Probabilities of the places of a frame, given the labels: minus the cotangents. */
  let known_ = new Float64Array(size);
  let before_ = new Float64Array(size);
  known_[size - 1] = Math.exp(blank + value);
  known_[size - 2] = Math.exp(label + value);
  for (let t = count - 1; t >= 0; t--) {
    const frame = frames[t] ?? known_;
    const frame_ = frames_[t] ?? known_;
    const all = logSumExp(frame);
    for (let k = 0; k < width; k++) frame_[k] = Math.exp((frame[k] ?? 0) - all);
    before_.fill(0);
    const from = t * size;
    const behind = places.behind(t);
    for (let i = places.first(t); i < behind; i++) {
      const k_ = known_[i] ?? 0;
      const symbol = symbols[i] ?? 0;
      const stay_ = k_ * (stays[from + i] ?? 0);
      const skip_ = k_ * (skips[from + i] ?? 0);
      frame_[symbol] = (frame_[symbol] ?? 0) - k_;
      before_[i] = (before_[i] ?? 0) + stay_;
      if (i > 0) before_[i - 1] = (before_[i - 1] ?? 0) + (k_ - stay_ - skip_);
      if (i > 1) before_[i - 2] = (before_[i - 2] ?? 0) + skip_;
    }
    [known_, before_] = [before_, known_];
  }
  return { value, grad: { labels: labels.map(() => 0), frames: frames_ } };
}

/** Eleven symbols and the blank; as many labels as a quarter of the frames. */
function ofSize(count: number): Sized {
  const labels = Array.from(vec(Math.round(count / 4), 900, 5.5), (x) => Math.min(11, 1 + Math.floor(x + 5.5)));
  return {
    entry: "loss",
    args: [labels, matrix(count, 12, 901, 2)],
    elements: count * (labels.length * 24 + 40),
    primal: loss,
    gradient: lossGradient,
  };
}

/** Frames. */
export const workloads = natural("temporal-classification", [60, 180, 540], ofSize);
