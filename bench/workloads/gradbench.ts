// Models of the GradBench suite.

import { vec } from "../inputs.js";
import type { LazyWorkload, Workload } from "../workload.js";

function hello(): Workload {
  return {
    name: "hello",
    file: "fixtures/gradbench/hello.lam",
    entry: "square",
    elements: 1,
    args: [8],
    primal: (x: number) => x * x,
    gradient: (x: number) => ({ value: x * x, grad: { x: 2 * x } }),
    cotangents: null,
    elsewhere: null,
  };
}

/** The distance of the sign function from the polynomial at the i-th of n points. */
function residual(i: number, n: number, x: Float64Array): number {
  const t = -1 + (2 * i) / (n - 1);
  let [y, power] = [0, 1];
  for (let j = 0; j < x.length; j++) {
    y += (x[j] ?? 0) * power;
    power *= t;
  }
  return Math.sign(t) - y;
}

function llsqValue(n: number, x: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const r = residual(i, n, x);
    sum += r * r;
  }
  return 0.5 * sum;
}

function llsqGradient(n: number, x: Float64Array) {
  const dx = new Float64Array(x.length);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const r = residual(i, n, x);
    sum += r * r;
    const t = -1 + (2 * i) / (n - 1);
    let d = -r;
    for (let j = 0; j < dx.length; j++) {
      dx[j] = (dx[j] ?? 0) + d;
      d *= t;
    }
  }
  return { value: 0.5 * sum, grad: { n: 0, x: dx } };
}

function llsq(n: number): Workload {
  return {
    name: `llsq ${n}`,
    file: "fixtures/gradbench/llsq.lam",
    entry: "llsq",
    elements: 128 * n,
    args: [n, vec(128, 12)],
    primal: llsqValue,
    gradient: llsqGradient,
    cotangents: null,
    elsewhere: { 1024: 203e3, 16392: 3.28e6 }[n] ?? null,
  };
}

function largest(xs: Float64Array): number {
  let top = xs[0] ?? 0;
  for (let i = 1; i < xs.length; i++) {
    const x = xs[i] ?? 0;
    if (x > top) top = x;
  }
  return top;
}

export function lseValue(xs: Float64Array): number {
  const top = largest(xs);
  let sum = 0;
  for (let i = 0; i < xs.length; i++) sum += Math.exp((xs[i] ?? 0) - top);
  return top + Math.log(sum);
}

export function lseGradient(xs: Float64Array) {
  const top = largest(xs);
  const dxs = new Float64Array(xs.length);
  let sum = 0;
  for (let i = 0; i < xs.length; i++) {
    const power = Math.exp((xs[i] ?? 0) - top);
    dxs[i] = power;
    sum += power;
  }
  const share = 1 / sum;
  for (let i = 0; i < dxs.length; i++) dxs[i] = (dxs[i] ?? 0) * share;
  return { value: top + Math.log(sum), grad: { xs: dxs } };
}

function lse(n: number): Workload {
  return {
    name: `lse ${n}`,
    file: "fixtures/gradbench/lse.lam",
    entry: "lse",
    elements: n,
    args: [vec(n, 11, 3)],
    primal: lseValue,
    gradient: lseGradient,
    cotangents: null,
    elsewhere: n === 80_000 ? 458e3 : null,
  };
}

export const gradbench: readonly LazyWorkload[] = [
  { name: "hello", make: hello },
  ...[16, 1024, 16_392].map((n) => ({ name: `llsq ${n}`, make: () => llsq(n) })),
  ...[2500, 80_000, 1_280_000].map((n) => ({ name: `lse ${n}`, make: () => lse(n) })),
];
