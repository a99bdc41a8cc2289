// Mean-field sweeps by hand: all magnetisations in one flat array, one grid after the other.

import { matrix, rowsOf } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

interface Model {
  readonly coupling: number;
  readonly beta: number;
}

type Rows = readonly Float64Array[];

/** The rows of a square matrix, one after the other, at the beginning of `out`. */
function copyRows(rows: Rows, out: Float64Array): void {
  let at = 0;
  for (const row of rows) for (let j = 0; j < row.length; j++) out[at++] = row[j] ?? 0;
}

/** The sums of the four neighbours on a torus of `n` times `n` places, of the grid that begins at `from`. */
function neighbours(m: Float64Array, from: number, n: number, out: Float64Array): void {
  for (let i = 0; i < n; i++) {
    const row = from + i * n;
    const above = from + (i === 0 ? n - 1 : i - 1) * n;
    const below = from + (i === n - 1 ? 0 : i + 1) * n;
    for (let j = 0; j < n; j++) {
      const left = row + (j === 0 ? n - 1 : j - 1);
      const right = row + (j === n - 1 ? 0 : j + 1);
      out[i * n + j] = (m[above + j] ?? 0) + (m[below + j] ?? 0) + (m[left] ?? 0) + (m[right] ?? 0);
    }
  }
}

/** One sweep from the grid at `from` to that at `to`; `around` becomes the sums of the neighbours. */
function sweep(
  { coupling, beta }: Model,
  field: Float64Array,
  m: Float64Array,
  from: number,
  to: number,
  n: number,
  around: Float64Array,
): void {
  neighbours(m, from, n, around);
  for (let p = 0; p < n * n; p++) m[to + p] = Math.tanh(beta * (coupling * (around[p] ?? 0) + (field[p] ?? 0)));
}

/** The sums of energies without, and of entropies. */
function energies(
  coupling: number,
  field: Float64Array,
  m: Float64Array,
  from: number,
  around: Float64Array,
): { readonly energy: number; readonly entropy: number } {
  let energy = 0;
  let entropy = 0;
  for (let p = 0; p < field.length; p++) {
    const x = m[from + p] ?? 0;
    const up = (1 + x) / 2;
    const down = (1 - x) / 2;
    energy -= x * (0.5 * coupling * (around[p] ?? 0) + (field[p] ?? 0));
    entropy -= up * Math.log(up) + down * Math.log(down);
  }
  return { energy, entropy };
}

function loss(model: Model, rows: Rows, start: Rows, sweeps: number): number {
  const n = rows.length;
  const size = n * n;
  const field = new Float64Array(size);
  copyRows(rows, field);
  const m = new Float64Array(2 * size);
  copyRows(start, m);
  const around = new Float64Array(size);
  for (let t = 0; t < sweeps; t++) sweep(model, field, m, (t % 2) * size, ((t + 1) % 2) * size, n, around);
  const last = (sweeps % 2) * size;
  neighbours(m, last, n, around);
  const { energy, entropy } = energies(model.coupling, field, m, last, around);
  return energy - entropy / model.beta;
}

function lossGradient(model: Model, rows: Rows, start: Rows, sweeps: number) {
  const { coupling, beta } = model;
  const n = rows.length;
  const size = n * n;
  const field = new Float64Array(size);
  copyRows(rows, field);
  const m = new Float64Array((sweeps + 1) * size);
  copyRows(start, m);
  const around = new Float64Array(size);
  for (let t = 0; t < sweeps; t++) sweep(model, field, m, t * size, (t + 1) * size, n, around);
  const last = sweeps * size;
  neighbours(m, last, n, around);
  const { energy, entropy } = energies(coupling, field, m, last, around);
  let coupling_ = 0;
  let beta_ = entropy / (beta * beta);
  const m_ = new Float64Array(size);
  const field_ = new Float64Array(size);
  for (let p = 0; p < size; p++) {
    const x = m[last + p] ?? 0;
    coupling_ -= 0.5 * x * (around[p] ?? 0);
    m_[p] = -coupling * (around[p] ?? 0) - (field[p] ?? 0) + (0.5 / beta) * Math.log((1 + x) / (1 - x));
    field_[p] = -x;
  }
  const inner_ = new Float64Array(size);
  for (let t = sweeps - 1; t >= 0; t--) {
    neighbours(m, t * size, n, around);
    for (let p = 0; p < size; p++) {
      const x = m[(t + 1) * size + p] ?? 0;
      const z_ = (m_[p] ?? 0) * (1 - x * x);
      const h_ = beta * z_;
      beta_ += z_ * (coupling * (around[p] ?? 0) + (field[p] ?? 0));
      coupling_ += h_ * (around[p] ?? 0);
      field_[p] = (field_[p] ?? 0) + h_;
      inner_[p] = coupling * h_;
    }
    neighbours(inner_, 0, n, m_);
  }
  return {
    value: energy - entropy / beta,
    grad: {
      model: { coupling: coupling_, beta: beta_ },
      field: rowsOf(field_, n, n),
      start: rowsOf(m_, n, n),
      sweeps: 0,
    },
  };
}

/** Ten sweeps on a square torus. */
function ofSize(n: number): Sized {
  return {
    entry: "loss",
    args: [{ coupling: 0.6, beta: 0.45 }, matrix(n, n, 730, 0.5), matrix(n, n, 731, 0.5), 10],
    elements: n * n * 10 * 15,
    primal: loss,
    gradient: lossGradient,
  };
}

export const workloads = natural("ising-mean-field", [8, 24, 72], ofSize);
