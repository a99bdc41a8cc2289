// A hidden Markov model by hand: the forward algorithm in log space, whose shares in sums are saved for the way back.

import { matrix, rowsOf, vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

interface State {
  readonly mean: number;
  readonly spread: number;
}

interface Hmm {
  readonly start: Float64Array;
  readonly moves: readonly Float64Array[];
  readonly states: readonly State[];
}

/** Logarithms of probabilities, moves by where they lead; means, 1 by deviations, and heights of densities. */
interface Table {
  readonly start: Float64Array;
  readonly into: Float64Array;
  readonly means: Float64Array;
  readonly shares: Float64Array;
  readonly heights: Float64Array;
}

/** For each observation and state, how much comes from which one; of one observation where nothing is kept. */
interface Known {
  readonly value: number;
  readonly origins: Float64Array;
  /** Logarithms of joint probabilities of the last state. */
  readonly last: Float64Array;
}

function logSumExp(xs: Float64Array, from: number, count: number): number {
  let top = xs[from] ?? 0;
  for (let i = 1; i < count; i++) {
    const x = xs[from + i] ?? 0;
    if (x > top) top = x;
  }
  let total = 0;
  for (let i = 0; i < count; i++) total += Math.exp((xs[from + i] ?? 0) - top);
  return top + Math.log(total);
}

/** The same of `known` plus moves from `from`; the terms' shares in the sum in `origins`. */
function arrive(
  known: Float64Array,
  into: Float64Array,
  from: number,
  terms: Float64Array,
  origins: Float64Array,
  at: number,
): number {
  const count = known.length;
  let top = -Infinity;
  for (let r = 0; r < count; r++) {
    const term = (known[r] ?? 0) + (into[from + r] ?? 0);
    terms[r] = term;
    if (term > top) top = term;
  }
  let total = 0;
  for (let r = 0; r < count; r++) {
    const share = Math.exp((terms[r] ?? 0) - top);
    origins[at + r] = share;
    total += share;
  }
  const factor = 1 / total;
  for (let r = 0; r < count; r++) origins[at + r] = (origins[at + r] ?? 0) * factor;
  return top + Math.log(total);
}

function tableOf({ start, moves, states }: Hmm): Table {
  const count = start.length;
  const into = new Float64Array(count * count);
  moves.forEach((row, r) => {
    const all = logSumExp(row, 0, count);
    for (let s = 0; s < count; s++) into[s * count + r] = (row[s] ?? 0) - all;
  });
  const all = logSumExp(start, 0, count);
  return {
    start: start.map((p) => p - all),
    into,
    means: Float64Array.from(states, ({ mean }) => mean),
    shares: Float64Array.from(states, ({ spread }) => Math.exp(-spread)),
    heights: Float64Array.from(states, ({ spread }) => -spread - 0.5 * Math.log(2 * Math.PI)),
  };
}

function logDensity({ means, shares, heights }: Table, s: number, seen: number): number {
  const off = (seen - (means[s] ?? 0)) * (shares[s] ?? 0);
  return (heights[s] ?? 0) - 0.5 * off * off;
}

function forward(table: Table, series: Float64Array, keep: boolean): Known {
  const { start, into } = table;
  const count = start.length;
  const square = count * count;
  const origins = new Float64Array(keep ? series.length * square : square);
  const terms = new Float64Array(count);
  let known = start.map((p, s) => p + logDensity(table, s, series[0] ?? 0));
  let next = new Float64Array(count);
  for (let t = 1; t < series.length; t++) {
    const seen = series[t] ?? 0;
    const at = keep ? t * square : 0;
    for (let s = 0; s < count; s++)
      next[s] = arrive(known, into, s * count, terms, origins, at + s * count) + logDensity(table, s, seen);
    [known, next] = [next, known];
  }
  return { value: -logSumExp(known, 0, count), origins, last: known };
}

function loss(model: Hmm, series: Float64Array): number {
  return forward(tableOf(model), series, false).value;
}

/** Cotangents of scores, in place, of those of their normalized ones. */
function normalizedBack(scores: Float64Array, scores_: Float64Array): void {
  const all = logSumExp(scores, 0, scores.length);
  let total = 0;
  for (let i = 0; i < scores.length; i++) total += scores_[i] ?? 0;
  for (let i = 0; i < scores.length; i++) scores_[i] = (scores_[i] ?? 0) - total * Math.exp((scores[i] ?? 0) - all);
}

function lossGradient(model: Hmm, series: Float64Array) {
  const table = tableOf(model);
  const { means, shares } = table;
  const { value, origins, last } = forward(table, series, true);
  const count = means.length;
  const square = count * count;
  const moves_ = new Float64Array(square);
  const means_ = new Float64Array(count);
  const spreads_ = new Float64Array(count);
  const series_ = new Float64Array(series.length);
  let known_ = last.map((p) => -Math.exp(p + value));
  let before_ = new Float64Array(count);
  for (let t = series.length - 1; t >= 0; t--) {
    const seen = series[t] ?? 0;
    let seen_ = 0;
    for (let s = 0; s < count; s++) {
      const k_ = known_[s] ?? 0;
      const off = (seen - (means[s] ?? 0)) * (shares[s] ?? 0);
      const pull = k_ * off * (shares[s] ?? 0);
      seen_ -= pull;
      means_[s] = (means_[s] ?? 0) + pull;
      spreads_[s] = (spreads_[s] ?? 0) + k_ * (off * off - 1);
    }
    series_[t] = seen_;
    if (t === 0) break;
    before_.fill(0);
    for (let s = 0; s < count; s++) {
      const k_ = known_[s] ?? 0;
      const at = t * square + s * count;
      for (let r = 0; r < count; r++) {
        const term_ = k_ * (origins[at + r] ?? 0);
        before_[r] = (before_[r] ?? 0) + term_;
        moves_[r * count + s] = (moves_[r * count + s] ?? 0) + term_;
      }
    }
    [known_, before_] = [before_, known_];
  }
  const rows_ = rowsOf(moves_, count, count);
  normalizedBack(model.start, known_);
  model.moves.forEach((row, r) => {
    normalizedBack(row, rows_[r] ?? row);
  });
  return {
    value,
    grad: {
      model: {
        start: known_,
        moves: rows_,
        states: model.states.map((_, s) => ({ mean: means_[s], spread: spreads_[s] })),
      },
      series: series_,
    },
  };
}

/** Five states. */
function ofSize(count: number): Sized {
  const numbers = vec(10, 242);
  const states = Array.from({ length: 5 }, (_, s): State => {
    const [mean = 0, spread = 0] = numbers.subarray(2 * s, 2 * s + 2);
    return { mean: 2 * mean, spread: 0.4 * spread };
  });
  return {
    entry: "loss",
    args: [{ start: vec(5, 240), moves: matrix(5, 5, 241), states }, vec(count, 243, 2)],
    elements: count * 25 * 4,
    primal: loss,
    gradient: lossGradient,
  };
}

/** Observations. */
export const workloads = natural("hmm", [30, 300, 3000], ofSize);
