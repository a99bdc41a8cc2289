// By hand: f = w0 e + w2 sin(a) + w5 with e = exp(-w1 x), a = w3 x + w4, for one residual after the other; six sums in variables.

import { vec } from "../inputs.js";
import type { DerivativeModel } from "./model.js";

type Numbers = Float64Array;

function jvp(w: Numbers, xs: Numbers, ys: Numbers, dw: Numbers) {
  const [w0 = 0, w1 = 0, w2 = 0, w3 = 0, w4 = 0, w5 = 0] = w;
  const [d0 = 0, d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0] = dw;
  let [value, tangent] = [0, 0];
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i] ?? 0;
    const e = Math.exp(-w1 * x);
    const a = w3 * x + w4;
    const sine = Math.sin(a);
    const r = w0 * e + w2 * sine + w5 - (ys[i] ?? 0);
    const dr = (d0 - w0 * x * d1) * e + d2 * sine + w2 * Math.cos(a) * (d3 * x + d4) + d5;
    const root = Math.sqrt(1 + r * r);
    value += root - 1;
    tangent += (r / root) * dr;
  }
  return { value, tangent };
}

function hvp(w: Numbers, xs: Numbers, ys: Numbers, dw: Numbers) {
  const [w0 = 0, w1 = 0, w2 = 0, w3 = 0, w4 = 0, w5 = 0] = w;
  const [d0 = 0, d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0] = dw;
  let [value, g0, g1, g2, g3, g4, g5, h0, h1, h2, h3, h4, h5] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < xs.length; i++) {
    const x = xs[i] ?? 0;
    const e = Math.exp(-w1 * x);
    const a = w3 * x + w4;
    const de = -x * d1 * e;
    const da = d3 * x + d4;
    const sine = Math.sin(a);
    const cosine = Math.cos(a);
    const r = w0 * e + w2 * sine + w5 - (ys[i] ?? 0);
    const dr = d0 * e + w0 * de + d2 * sine + w2 * cosine * da + d5;
    const root = Math.sqrt(1 + r * r);
    const s = r / root;
    const ds = dr / (root * root * root);
    value += root - 1;
    // The cotangent of a
    const c = s * w2 * cosine;
    const dc = (ds * w2 + s * d2) * cosine - s * w2 * sine * da;
    g0 += s * e;
    g1 -= s * w0 * e * x;
    g2 += s * sine;
    g3 += c * x;
    g4 += c;
    g5 += s;
    h0 += ds * e + s * de;
    h1 -= (ds * w0 * e + s * d0 * e + s * w0 * de) * x;
    h2 += ds * sine + s * cosine * da;
    h3 += dc * x;
    h4 += dc;
    h5 += ds;
  }
  return { value, grad: { w: Float64Array.of(g0, g1, g2, g3, g4, g5) }, hvp: { w: Float64Array.of(h0, h1, h2, h3, h4, h5) } }; // prettier-ignore
}

function jacobian(w: Numbers, xs: Numbers, ys: Numbers) {
  const [w0 = 0, w1 = 0, w2 = 0, w3 = 0, w4 = 0, w5 = 0] = w;
  const n = xs.length;
  const [value, rows] = [new Float64Array(n), new Float64Array(6 * n)];
  for (let i = 0; i < n; i++) {
    const x = xs[i] ?? 0;
    const e = Math.exp(-w1 * x);
    const a = w3 * x + w4;
    const sine = Math.sin(a);
    const slope = w2 * Math.cos(a);
    value[i] = w0 * e + w2 * sine + w5 - (ys[i] ?? 0);
    rows[6 * i] = e;
    rows[6 * i + 1] = -w0 * x * e;
    rows[6 * i + 2] = sine;
    rows[6 * i + 3] = slope * x;
    rows[6 * i + 4] = slope;
    rows[6 * i + 5] = 1;
  }
  return { value, rows: n, columns: 6, jacobian: rows };
}

const args = [Float64Array.of(2, 0.3, 1, 1.5, 0.2, -0.1), vec(10_000, 1, 4), vec(10_000, 2, 3)];

export const regression: DerivativeModel = {
  name: "robust regression",
  entry: "regression",
  wrt: ["w"],
  args,
  direction: [Float64Array.of(0.5, -0.2, 0.3, 0.1, -0.4, 0.6)],
  jvp,
  hvp,
  jacobian: { entry: "residuals", args, byHand: jacobian, sum: "residualSum" },
};
