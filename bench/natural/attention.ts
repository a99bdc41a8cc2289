// One head of attention by hand: queries, keys, values and weights in flat arrays, and the matrices' adjoints.

import { matrix, rowsOf } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

type Rows = readonly Float64Array[];

interface Head {
  readonly query: Rows;
  readonly key: Rows;
  readonly value: Rows;
}

interface Attention {
  readonly tokens: Float64Array;
  readonly query: Float64Array;
  readonly key: Float64Array;
  readonly value: Float64Array;
  readonly weights: Float64Array;
  /** Results minus targets. */
  readonly errors: Float64Array;
  readonly loss: number;
}

function flat(rows: Rows, columns: number): Float64Array {
  const all = new Float64Array(rows.length * columns);
  let at = 0;
  for (const row of rows) for (let j = 0; j < columns; j++) all[at++] = row[j] ?? 0;
  return all;
}

/** `a` times `b`: `rows` times `inner`, `inner` times `columns`. */
function product(
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  columns: number,
  out: Float64Array,
): void {
  for (let i = 0; i < rows; i++) {
    const from = i * inner;
    for (let j = 0; j < columns; j++) {
      let total = 0;
      for (let k = 0, at = j; k < inner; k++, at += columns) total += (a[from + k] ?? 0) * (b[at] ?? 0);
      out[i * columns + j] = total;
    }
  }
}

/** Adds the transposed `a`, `inner` times `rows`, times `b` to `out`. */
function addTransposedProduct(
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  columns: number,
  out: Float64Array,
) {
  for (let k = 0; k < inner; k++) {
    const from = k * columns;
    for (let i = 0; i < rows; i++) {
      const x = a[k * rows + i] ?? 0;
      const at = i * columns;
      for (let j = 0; j < columns; j++) out[at + j] = (out[at + j] ?? 0) + x * (b[from + j] ?? 0);
    }
  }
}

/** `a` times the transposed `b`, times `scale`: all products of rows. */
function rowProducts(
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  columns: number,
  scale: number,
  out: Float64Array,
) {
  for (let i = 0; i < rows; i++) {
    const from = i * inner;
    for (let j = 0; j < columns; j++) {
      const at = j * inner;
      let total = 0;
      for (let k = 0; k < inner; k++) total += (a[from + k] ?? 0) * (b[at + k] ?? 0);
      out[i * columns + j] = scale * total;
    }
  }
}

/** Each row's softmax in its place. */
function softmaxRows(xs: Float64Array, rows: number, columns: number): void {
  for (let i = 0; i < rows; i++) {
    const at = i * columns;
    let top = -Infinity;
    for (let j = 0; j < columns; j++) top = Math.max(top, xs[at + j] ?? 0);
    let total = 0;
    for (let j = 0; j < columns; j++) {
      const e = Math.exp((xs[at + j] ?? 0) - top);
      xs[at + j] = e;
      total += e;
    }
    const share = 1 / total;
    for (let j = 0; j < columns; j++) xs[at + j] = (xs[at + j] ?? 0) * share;
  }
}

/** Cotangents of the weights become those of the scores. */
function softmaxRowsBack(weights: Float64Array, weights_: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const at = i * count;
    let mean = 0;
    for (let j = 0; j < count; j++) mean += (weights[at + j] ?? 0) * (weights_[at + j] ?? 0);
    for (let j = 0; j < count; j++) weights_[at + j] = (weights[at + j] ?? 0) * ((weights_[at + j] ?? 0) - mean);
  }
}

function attend(head: Head, rows: Rows, targets: Rows): Attention {
  const count = rows.length;
  const width = rows[0]?.length ?? 0;
  const inner = head.key[0]?.length ?? 0;
  const tokens = flat(rows, width);
  const query = new Float64Array(count * inner);
  const key = new Float64Array(count * inner);
  const value = new Float64Array(count * inner);
  product(tokens, flat(head.query, inner), count, width, inner, query);
  product(tokens, flat(head.key, inner), count, width, inner, key);
  product(tokens, flat(head.value, inner), count, width, inner, value);
  const weights = new Float64Array(count * count);
  rowProducts(query, key, count, inner, count, 1 / Math.sqrt(inner), weights);
  softmaxRows(weights, count, count);
  const errors = new Float64Array(count * inner);
  product(weights, value, count, count, inner, errors);
  let total = 0;
  for (let i = 0; i < count; i++) {
    const target = targets[i];
    for (let j = 0; j < inner; j++) {
      const error = (errors[i * inner + j] ?? 0) - (target?.[j] ?? 0);
      errors[i * inner + j] = error;
      total += error * error;
    }
  }
  return { tokens, query, key, value, weights, errors, loss: total / count };
}

function loss(head: Head, tokens: Rows, targets: Rows): number {
  return attend(head, tokens, targets).loss;
}

function lossGradient(head: Head, rows: Rows, targets: Rows) {
  const { tokens, query, key, value, weights, errors, loss } = attend(head, rows, targets);
  const count = rows.length;
  const width = rows[0]?.length ?? 0;
  const inner = head.key[0]?.length ?? 0;
  const scale = 1 / Math.sqrt(inner);
  const target_ = errors.map((error) => (-2 / count) * error);
  const out_ = target_.map((t_) => -t_);
  const value_ = new Float64Array(count * inner);
  addTransposedProduct(weights, out_, count, count, inner, value_);
  const scores_ = new Float64Array(count * count);
  rowProducts(out_, value, count, inner, count, scale, scores_);
  softmaxRowsBack(weights, scores_, count);
  const query_ = new Float64Array(count * inner);
  const key_ = new Float64Array(count * inner);
  product(scores_, key, count, count, inner, query_);
  addTransposedProduct(scores_, query, count, count, inner, key_);
  const tokens_ = new Float64Array(count * width);
  const matrixBack = (matrix: Rows, result_: Float64Array): Float64Array[] => {
    const matrix_ = new Float64Array(width * inner);
    addTransposedProduct(tokens, result_, width, count, inner, matrix_);
    matrix.forEach((row, i) => {
      addMatrixRowBack(row, result_, i, count, width, tokens_);
    });
    return rowsOf(matrix_, width, inner);
  };
  const head_ = {
    query: matrixBack(head.query, query_),
    key: matrixBack(head.key, key_),
    value: matrixBack(head.value, value_),
  };
  return {
    value: loss,
    grad: { head: head_, tokens: rowsOf(tokens_, count, width), targets: rowsOf(target_, count, inner) },
  };
}

/** Adds to the cotangents of the tokens' component `i` what a matrix's row `i` gives them. */
function addMatrixRowBack(
  row: Float64Array,
  result_: Float64Array,
  i: number,
  count: number,
  width: number,
  tokens_: Float64Array,
): void {
  for (let t = 0; t < count; t++) {
    const at = t * row.length;
    let total = 0;
    for (let k = 0; k < row.length; k++) total += (row[k] ?? 0) * (result_[at + k] ?? 0);
    tokens_[t * width + i] = (tokens_[t * width + i] ?? 0) + total;
  }
}

/** Some tokens of 16 numbers. */
function ofSize(count: number): Sized {
  return {
    entry: "loss",
    args: [
      { query: matrix(16, 16, 101), key: matrix(16, 16, 102), value: matrix(16, 16, 103) },
      matrix(count, 16, 104),
      matrix(count, 16, 105),
    ],
    elements: count * count * 32 + count * 768,
    primal: loss,
    gradient: lossGradient,
  };
}

export const workloads = natural("attention", [8, 32, 128], ofSize);
