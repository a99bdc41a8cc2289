// The network of two layers by hand.

import { rowsOf } from "../inputs.js";

export interface Layer {
  readonly weights: readonly Float64Array[];
  readonly bias: Float64Array;
}

function affine({ weights, bias }: Layer, x: Float64Array): Float64Array {
  const y = new Float64Array(bias.length);
  for (let i = 0; i < y.length; i++) {
    const row = weights[i] ?? x;
    let sum = bias[i] ?? 0;
    for (let j = 0; j < x.length; j++) sum += (row[j] ?? 0) * (x[j] ?? 0);
    y[i] = sum;
  }
  return y;
}

/** Replaces scores by probabilities; gives the sum of the probabilities times 1, 2, .. */
function softmaxClass(z: Float64Array): number {
  let top = -Infinity;
  for (let i = 0; i < z.length; i++) top = Math.max(top, z[i] ?? 0);
  let [total, weighted] = [0, 0];
  for (let i = 0; i < z.length; i++) {
    const power = Math.exp((z[i] ?? 0) - top);
    z[i] = power;
    total += power;
    weighted += power * (i + 1);
  }
  for (let i = 0; i < z.length; i++) z[i] = (z[i] ?? 0) / total;
  return weighted / total;
}

function relu(x: Float64Array): void {
  for (let i = 0; i < x.length; i++) x[i] = Math.max(x[i] ?? 0, 0);
}

export function expectedClass(x: Float64Array, hidden: Layer, output: Layer): number {
  const h = affine(hidden, x);
  relu(h);
  return softmaxClass(affine(output, h));
}

/** The gradient of a layer and of its input, from the cotangent of its output; of the layer's biases it is that cotangent. */
function affineReverse({ weights }: Layer, x: Float64Array, dy: Float64Array): [Float64Array, Layer] {
  const [m, n] = [dy.length, x.length];
  const dx = new Float64Array(n);
  const dw = new Float64Array(m * n);
  for (let i = 0; i < m; i++) {
    const d = dy[i] ?? 0;
    // Of a unit that is off
    if (d === 0) continue;
    const row = weights[i] ?? x;
    const at = i * n;
    for (let j = 0; j < n; j++) {
      dw[at + j] = d * (x[j] ?? 0);
      dx[j] = (dx[j] ?? 0) + d * (row[j] ?? 0);
    }
  }
  return [dx, { weights: rowsOf(dw, m, n), bias: dy }];
}

export function expectedClassGradient(x: Float64Array, hidden: Layer, output: Layer) {
  const h = affine(hidden, x);
  relu(h);
  const p = affine(output, h);
  const value = softmaxClass(p);
  for (let i = 0; i < p.length; i++) p[i] = (p[i] ?? 0) * (i + 1 - value);
  const [dh, dOutput] = affineReverse(output, h, p);
  for (let i = 0; i < h.length; i++) if (!((h[i] ?? 0) > 0)) dh[i] = 0;
  const [dx, dHidden] = affineReverse(hidden, x, dh);
  return { value, grad: { x: dx, hidden: dHidden, output: dOutput } };
}
