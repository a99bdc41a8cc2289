// A hidden Markov model by hand: the forward algorithm in log space.

import { matrix, rowsOf, vec } from "../../inputs.js";
import type { Workload } from "../../workload.js";

interface Hmm {
  readonly start: Float64Array;
  readonly step: readonly Float64Array[];
  readonly emit: readonly Float64Array[];
}

const none = new Float64Array(0);

function largest(xs: Float64Array, from: number, count: number): number {
  let top = xs[from] ?? 0;
  for (let i = 1; i < count; i++) top = Math.max(top, xs[from + i] ?? 0);
  return top;
}

function logSumExp(xs: Float64Array, from: number, count: number): number {
  const top = largest(xs, from, count);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += Math.exp((xs[from + i] ?? 0) - top);
  return top + Math.log(sum);
}

/** The logarithms of what is known of the states after each observation, at `alphas`, row by row, or in turns where they are not kept. */
function forward(model: Hmm, observed: readonly number[], keep: boolean): { alphas: Float64Array; last: number } {
  const { start, step, emit } = model;
  const states = start.length;
  const alphas = new Float64Array((keep ? observed.length : 2) * states);
  const terms = new Float64Array(states);
  for (let s = 0; s < states; s++) alphas[s] = (start[s] ?? 0) + ((emit[s] ?? none)[observed[0] ?? 0] ?? 0);
  let at = 0;
  for (let t = 1; t < observed.length; t++) {
    const next = keep ? at + states : states - at;
    for (let s = 0; s < states; s++) {
      for (let r = 0; r < states; r++) terms[r] = (alphas[at + r] ?? 0) + ((step[r] ?? none)[s] ?? 0);
      alphas[next + s] = logSumExp(terms, 0, states) + ((emit[s] ?? none)[observed[t] ?? 0] ?? 0);
    }
    at = next;
  }
  return { alphas, last: at };
}

function logProbability(model: Hmm, observed: readonly number[]): number {
  const { alphas, last } = forward(model, observed, false);
  return logSumExp(alphas, last, model.start.length);
}

function logProbabilityGradient(model: Hmm, observed: readonly number[]) {
  const { step, emit } = model;
  const states = model.start.length;
  const symbols = (emit[0] ?? none).length;
  const { alphas, last } = forward(model, observed, true);
  const value = logSumExp(alphas, last, states);
  const step_ = new Float64Array(states * states);
  const emit_ = new Float64Array(states * symbols);
  let alpha_ = new Float64Array(states);
  let before_ = new Float64Array(states);
  for (let s = 0; s < states; s++) alpha_[s] = Math.exp((alphas[last + s] ?? 0) - value);
  for (let t = observed.length - 1; t > 0; t--) {
    const o = observed[t] ?? 0;
    const at = (t - 1) * states;
    before_.fill(0);
    for (let s = 0; s < states; s++) {
      const a_ = alpha_[s] ?? 0;
      const total = (alphas[at + states + s] ?? 0) - ((emit[s] ?? none)[o] ?? 0);
      emit_[s * symbols + o] = (emit_[s * symbols + o] ?? 0) + a_;
      for (let r = 0; r < states; r++) {
        const term_ = a_ * Math.exp((alphas[at + r] ?? 0) + ((step[r] ?? none)[s] ?? 0) - total);
        before_[r] = (before_[r] ?? 0) + term_;
        step_[r * states + s] = (step_[r * states + s] ?? 0) + term_;
      }
    }
    [alpha_, before_] = [before_, alpha_];
  }
  const first = observed[0] ?? 0;
  for (let s = 0; s < states; s++) emit_[s * symbols + first] = (emit_[s * symbols + first] ?? 0) + (alpha_[s] ?? 0);
  return {
    value,
    grad: {
      model: { start: alpha_, step: rowsOf(step_, states, states), emit: rowsOf(emit_, states, symbols) },
      observed: new Array<number>(observed.length).fill(0),
    },
  };
}

/** 8 states, 5 symbols, some observations. */
export function markov(count: number): Workload {
  return {
    name: `markov ${count}`,
    file: "fixtures/models/hidden-markov.lam",
    entry: "logProbability",
    elements: 64 * count,
    args: [
      { start: vec(8, 43), step: matrix(8, 8, 44), emit: matrix(8, 5, 45) },
      Array.from(vec(count, 46), (x) => Math.floor(2.5 * (x + 1))),
    ],
    primal: logProbability,
    gradient: logProbabilityGradient,
    cotangents: null,
    elsewhere: null,
  };
}
