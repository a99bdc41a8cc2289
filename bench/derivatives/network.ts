// By hand: z = W x + b, h = tanh z, p = o . h, for one sample after the other; both sweeps, and their tangents, in one loop.

import { matrix, rowsOf, vec } from "../inputs.js";
import type { DerivativeModel } from "./model.js";

type Rows = readonly Float64Array[];

function jvp(hidden: Rows, bias: Float64Array, output: Float64Array, xs: Rows, ys: Float64Array, dhidden: Rows, dbias: Float64Array, doutput: Float64Array) {
  let [value, tangent] = [0, 0];
  for (let k = 0; k < xs.length; k++) {
    const x = xs[k] ?? bias;
    let p = -(ys[k] ?? 0);
    let dp = 0;
    for (let i = 0; i < bias.length; i++) {
      const row = hidden[i] ?? x;
      const drow = dhidden[i] ?? x;
      let z = bias[i] ?? 0;
      let dz = dbias[i] ?? 0;
      for (let j = 0; j < x.length; j++) {
        z += (row[j] ?? 0) * (x[j] ?? 0);
        dz += (drow[j] ?? 0) * (x[j] ?? 0);
      }
      const h = Math.tanh(z);
      p += (output[i] ?? 0) * h;
      dp += (doutput[i] ?? 0) * h + (output[i] ?? 0) * (1 - h * h) * dz;
    }
    value += p * p;
    tangent += 2 * p * dp;
  }
  return { value: value / xs.length, tangent: tangent / xs.length };
} // prettier-ignore

function hvp(hidden: Rows, bias: Float64Array, output: Float64Array, xs: Rows, ys: Float64Array, dhidden: Rows, dbias: Float64Array, doutput: Float64Array) {
  const [m, n] = [bias.length, hidden[0]?.length ?? 0];
  const [g, dg] = [new Float64Array(m * n), new Float64Array(m * n)];
  const [gb, dgb, go, dgo] = [new Float64Array(m), new Float64Array(m), new Float64Array(m), new Float64Array(m)];
  const [hs, dhs] = [new Float64Array(m), new Float64Array(m)];
  const [rows, drows] = [rowsOf(g, m, n), rowsOf(dg, m, n)];
  let value = 0;
  for (let k = 0; k < xs.length; k++) {
    const x = xs[k] ?? bias;
    let p = -(ys[k] ?? 0);
    let dp = 0;
    for (let i = 0; i < m; i++) {
      const row = hidden[i] ?? x;
      const drow = dhidden[i] ?? x;
      let z = bias[i] ?? 0;
      let dz = dbias[i] ?? 0;
      for (let j = 0; j < n; j++) {
        z += (row[j] ?? 0) * (x[j] ?? 0);
        dz += (drow[j] ?? 0) * (x[j] ?? 0);
      }
      const h = Math.tanh(z);
      const dh = (1 - h * h) * dz;
      hs[i] = h;
      dhs[i] = dh;
      p += (output[i] ?? 0) * h;
      dp += (doutput[i] ?? 0) * h + (output[i] ?? 0) * dh;
    }
    value += p * p;
    const e = (2 * p) / xs.length;
    const de = (2 * dp) / xs.length;
    for (let i = 0; i < m; i++) {
      const h = hs[i] ?? 0;
      const dh = dhs[i] ?? 0;
      const o = output[i] ?? 0;
      const slope = 1 - h * h;
      const z = e * o * slope;
      const dz = (de * o + e * (doutput[i] ?? 0)) * slope - 2 * e * o * h * dh;
      go[i] = (go[i] ?? 0) + e * h;
      dgo[i] = (dgo[i] ?? 0) + de * h + e * dh;
      gb[i] = (gb[i] ?? 0) + z;
      dgb[i] = (dgb[i] ?? 0) + dz;
      const row = rows[i] ?? x;
      const drow = drows[i] ?? x;
      for (let j = 0; j < n; j++) {
        row[j] = (row[j] ?? 0) + z * (x[j] ?? 0);
        drow[j] = (drow[j] ?? 0) + dz * (x[j] ?? 0);
      }
    }
  }
  return { value: value / xs.length, grad: { hidden: rows, bias: gb, output: go }, hvp: { hidden: drows, bias: dgb, output: dgo } };
} // prettier-ignore

export const network: DerivativeModel = {
  name: "network",
  entry: "network",
  wrt: ["hidden", "bias", "output"],
  args: [matrix(16, 8, 1), vec(16, 2), vec(16, 3), matrix(64, 8, 4), vec(64, 5)],
  direction: [matrix(16, 8, 6), vec(16, 7), vec(16, 8)],
  jvp,
  hvp,
  jacobian: null,
};
