// A GRU by hand: gates as flat matrices of input, state and bias, the values of all gates and states saved.

import { matrix, rowsOf, vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

type Rows = readonly Float64Array[];

interface Gate {
  readonly input: Rows;
  readonly state: Rows;
  readonly bias: Float64Array;
}

interface Gru {
  readonly update: Gate;
  readonly reset: Gate;
  readonly candidate: Gate;
  readonly readout: Float64Array;
}

/** A gate's matrices in flat arrays. */
interface Flat {
  readonly input: Float64Array;
  readonly state: Float64Array;
  readonly bias: Float64Array;
}

/** States before each step and at the end, gates' values, reset states, errors; of one step where nothing is kept. */
interface Trace {
  readonly states: Float64Array;
  readonly updates: Float64Array;
  readonly resets: Float64Array;
  readonly candidates: Float64Array;
  readonly left: Float64Array;
  readonly errors: Float64Array;
  readonly loss: number;
}

const none = new Float64Array(0);

function flat(rows: Rows): Float64Array {
  const columns = rows[0]?.length ?? 0;
  const all = new Float64Array(rows.length * columns);
  let at = 0;
  for (const row of rows) for (let j = 0; j < columns; j++) all[at++] = row[j] ?? 0;
  return all;
}

function flatGate({ input, state, bias }: Gate): Flat {
  return { input: flat(input), state: flat(state), bias };
}

/** Row `i` of a gate, where the state begins at `at`. */
function affine({ input, state, bias }: Flat, i: number, x: Float64Array, hs: Float64Array, at: number): number {
  const size = bias.length;
  let total = bias[i] ?? 0;
  for (let k = 0, from = i * x.length; k < x.length; k++) total += (input[from + k] ?? 0) * (x[k] ?? 0);
  for (let k = 0, from = i * size; k < size; k++) total += (state[from + k] ?? 0) * (hs[at + k] ?? 0);
  return total;
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

function run(net: Gru, start: Float64Array, xs: Rows, ys: Float64Array, keep: boolean): Trace {
  const size = start.length;
  const count = xs.length;
  const { readout } = net;
  const update = flatGate(net.update);
  const reset = flatGate(net.reset);
  const candidate = flatGate(net.candidate);
  const kept = (keep ? count : 1) * size;
  const states = new Float64Array(keep ? kept + size : size);
  const updates = new Float64Array(kept);
  const resets = new Float64Array(kept);
  const candidates = new Float64Array(kept);
  const left = new Float64Array(kept);
  const errors = new Float64Array(keep ? count : 0);
  let loss = 0;
  states.set(start);
  for (let t = 0; t < count; t++) {
    const x = xs[t] ?? none;
    const at = keep ? t * size : 0;
    const next = keep ? at + size : 0;
    for (let i = 0; i < size; i++) {
      updates[at + i] = sigmoid(affine(update, i, x, states, at));
      const r = sigmoid(affine(reset, i, x, states, at));
      resets[at + i] = r;
      left[at + i] = r * (states[at + i] ?? 0);
    }
    let error = -(ys[t] ?? 0);
    for (let i = 0; i < size; i++) {
      const c = Math.tanh(affine(candidate, i, x, left, at));
      const z = updates[at + i] ?? 0;
      const h = (1 - z) * (states[at + i] ?? 0) + z * c;
      candidates[at + i] = c;
      states[next + i] = h;
      error += (readout[i] ?? 0) * h;
    }
    loss += error * error;
    if (keep) errors[t] = error;
  }
  return { states, updates, resets, candidates, left, errors, loss: loss / count };
}

function loss(net: Gru, start: Float64Array, xs: Rows, ys: Float64Array): number {
  return run(net, start, xs, ys, false).loss;
}

/** Adds what the cotangent of a gate's row `i` gives to the gate, to `x` and to the state, which begins at `at`. */
function affineBack(
  gate: Flat,
  i: number,
  x: Float64Array,
  hs: Float64Array,
  at: number,
  by: number,
  gate_: Flat,
  x_: Float64Array,
  h_: Float64Array,
): void {
  const size = h_.length;
  gate_.bias[i] = (gate_.bias[i] ?? 0) + by;
  for (let k = 0, from = i * x.length; k < x.length; k++) {
    gate_.input[from + k] = (gate_.input[from + k] ?? 0) + by * (x[k] ?? 0);
    x_[k] = (x_[k] ?? 0) + by * (gate.input[from + k] ?? 0);
  }
  for (let k = 0, from = i * size; k < size; k++) {
    gate_.state[from + k] = (gate_.state[from + k] ?? 0) + by * (hs[at + k] ?? 0);
    h_[k] = (h_[k] ?? 0) + by * (gate.state[from + k] ?? 0);
  }
}

/** Room for the cotangents of a gate. */
function zeros({ input, state, bias }: Flat): Flat {
  return {
    input: new Float64Array(input.length),
    state: new Float64Array(state.length),
    bias: new Float64Array(bias.length),
  };
}

/** A gate again, of flat matrices. */
function gateOf({ input, state, bias }: Flat): Gate {
  const size = bias.length;
  return { input: rowsOf(input, size, input.length / size), state: rowsOf(state, size, size), bias };
}

function lossGradient(net: Gru, start: Float64Array, xs: Rows, ys: Float64Array) {
  const { states, updates, resets, candidates, left, errors, loss } = run(net, start, xs, ys, true);
  const size = start.length;
  const count = xs.length;
  const { readout } = net;
  const update = flatGate(net.update);
  const reset = flatGate(net.reset);
  const candidate = flatGate(net.candidate);
  const update_ = zeros(update);
  const reset_ = zeros(reset);
  const candidate_ = zeros(candidate);
  const readout_ = new Float64Array(size);
  const left_ = new Float64Array(size);
  const width = xs[0]?.length ?? 0;
  const xs_ = rowsOf(new Float64Array(count * width), count, width);
  let h_ = new Float64Array(size);
  let before_ = new Float64Array(size);
  for (let t = count - 1; t >= 0; t--) {
    const x = xs[t] ?? none;
    const x_ = xs_[t] ?? none;
    const at = t * size;
    const error_ = (2 / count) * (errors[t] ?? 0);
    left_.fill(0);
    before_.fill(0);
    for (let i = 0; i < size; i++) {
      readout_[i] = (readout_[i] ?? 0) + error_ * (states[at + size + i] ?? 0);
      const n_ = (h_[i] ?? 0) + error_ * (readout[i] ?? 0);
      const z = updates[at + i] ?? 0;
      const c = candidates[at + i] ?? 0;
      const z_ = n_ * (c - (states[at + i] ?? 0)) * z * (1 - z);
      before_[i] = (before_[i] ?? 0) + n_ * (1 - z);
      affineBack(update, i, x, states, at, z_, update_, x_, before_);
      affineBack(candidate, i, x, left, at, n_ * z * (1 - c * c), candidate_, x_, left_);
    }
    for (let i = 0; i < size; i++) {
      const r = resets[at + i] ?? 0;
      const l_ = left_[i] ?? 0;
      before_[i] = (before_[i] ?? 0) + l_ * r;
      affineBack(reset, i, x, states, at, l_ * (states[at + i] ?? 0) * r * (1 - r), reset_, x_, before_);
    }
    [h_, before_] = [before_, h_];
  }
  return {
    value: loss,
    grad: {
      net: {
        update: gateOf(update_),
        reset: gateOf(reset_),
        candidate: gateOf(candidate_),
        readout: readout_,
      },
      start: h_,
      xs: xs_,
      ys: errors.map((error) => (-2 / count) * error),
    },
  };
}

function gateOfSeed(seed: number): Gate {
  return { input: matrix(8, 4, seed, 0.6), state: matrix(8, 8, seed + 1, 0.6), bias: vec(8, seed + 2, 0.6) };
}

/** Eight numbers of state, four of input. */
function ofSize(count: number): Sized {
  const net: Gru = {
    update: gateOfSeed(210),
    reset: gateOfSeed(213),
    candidate: gateOfSeed(216),
    readout: vec(8, 219),
  };
  return {
    entry: "loss",
    args: [net, vec(8, 220, 0.5), matrix(count, 4, 221), vec(count, 222)],
    elements: count * 320,
    primal: loss,
    gradient: lossGradient,
  };
}

/** The sequence's length. */
export const workloads = natural("gru", [10, 100, 1000], ofSize);
