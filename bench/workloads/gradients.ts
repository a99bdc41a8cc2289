// Seven gradients of arrays and records.

import { matrix, rowsOf, vec } from "../inputs.js";
import type { LazyWorkload, Workload } from "../workload.js";
import { lseGradient, lseValue } from "./gradbench.js";
import { expectedClass, expectedClassGradient } from "./network.js";

const scalar = { cotangents: null, elsewhere: null };

function product(): Workload {
  return {
    name: "product",
    file: "fixtures/gradients/product.lam",
    entry: "multiply",
    elements: 1,
    args: [1.7, -2.3],
    primal: (x: number, y: number) => x * y,
    gradient: (x: number, y: number) => ({ value: x * y, grad: { x: y, y: x } }),
    ...scalar,
  };
}

function dotValue(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += (x[i] ?? 0) * (y[i] ?? 0);
  return sum;
}

function dot(n: number): Workload {
  return {
    name: `dot ${n}`,
    file: "fixtures/gradients/dot.lam",
    entry: "dotProduct",
    elements: n,
    args: [vec(n, 1), vec(n, 2)],
    primal: dotValue,
    gradient: (x: Float64Array, y: Float64Array) => ({ value: dotValue(x, y), grad: { x: y.slice(), y: x.slice() } }),
    ...scalar,
  };
}

function matVecGradient(m: readonly Float64Array[], v: Float64Array) {
  const n = v.length;
  const dm = new Float64Array(m.length * n);
  const dv = new Float64Array(n);
  let value = 0;
  for (let i = 0; i < m.length; i++) {
    const row = m[i] ?? v;
    dm.set(v, i * n);
    for (let j = 0; j < n; j++) {
      const a = row[j] ?? 0;
      value += a * (v[j] ?? 0);
      dv[j] = (dv[j] ?? 0) + a;
    }
  }
  return { value, grad: { m: rowsOf(dm, m.length, n), v: dv } };
}

function sumMatVec(n: number): Workload {
  return {
    name: `mat-vec ${n}²`,
    file: "fixtures/gradients/mat-vec.lam",
    entry: "sumMatVec",
    elements: n * n,
    args: [matrix(n, n, 3), vec(n, 4)],
    primal: (m: readonly Float64Array[], v: Float64Array) => {
      let sum = 0;
      for (let i = 0; i < m.length; i++) sum += dotValue(m[i] ?? v, v);
      return sum;
    },
    gradient: matVecGradient,
    ...scalar,
  };
}

interface Vec3 {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

interface Quaternion {
  readonly vector: Vec3;
  readonly scalar: number;
}

function rotateValue({ vector: u, scalar: s }: Quaternion, v: Vec3): Vec3 {
  const along = 2 * (u.x * v.x + u.y * v.y + u.z * v.z);
  const kept = s * s - (u.x * u.x + u.y * u.y + u.z * u.z);
  return {
    x: along * u.x + kept * v.x + 2 * s * (u.y * v.z - u.z * v.y),
    y: along * u.y + kept * v.y + 2 * s * (u.z * v.x - u.x * v.z),
    z: along * u.z + kept * v.z + 2 * s * (u.x * v.y - u.y * v.x),
  };
}

function rotateVjp({ vector: { x: ux, y: uy, z: uz }, scalar: s }: Quaternion, { x: vx, y: vy, z: vz }: Vec3) {
  const along = 2 * (ux * vx + uy * vy + uz * vz);
  const kept = s * s - (ux * ux + uy * uy + uz * uz);
  const cx = uy * vz - uz * vy;
  const cy = uz * vx - ux * vz;
  const cz = ux * vy - uy * vx;
  const k = 2 * s;
  const value = {
    x: along * ux + kept * vx + k * cx,
    y: along * uy + kept * vy + k * cy,
    z: along * uz + kept * vz + k * cz,
  };
  const pullback = ({ x: dx, y: dy, z: dz }: Vec3) => {
    const dAlong = 2 * (dx * ux + dy * uy + dz * uz);
    const dKept = dx * vx + dy * vy + dz * vz;
    const ex = k * dx;
    const ey = k * dy;
    const ez = k * dz;
    return {
      q: {
        vector: {
          x: along * dx + dAlong * vx - 2 * dKept * ux + vy * ez - vz * ey,
          y: along * dy + dAlong * vy - 2 * dKept * uy + vz * ex - vx * ez,
          z: along * dz + dAlong * vz - 2 * dKept * uz + vx * ey - vy * ex,
        },
        scalar: 2 * (dKept * s + dx * cx + dy * cy + dz * cz),
      },
      v: {
        x: kept * dx + dAlong * ux + ey * uz - ez * uy,
        y: kept * dy + dAlong * uy + ez * ux - ex * uz,
        z: kept * dz + dAlong * uz + ex * uy - ey * ux,
      },
    };
  };
  return { value, pullback };
}

function rotate(): Workload {
  return {
    name: "rotate",
    file: "fixtures/gradients/rotate.lam",
    entry: "rotate",
    elements: 3,
    args: [
      { vector: { x: 1.1, y: 2.2, z: 3.3 }, scalar: 4.4 },
      { x: 5.5, y: 6.6, z: 7.7 },
    ],
    primal: rotateValue,
    gradient: rotateVjp,
    cotangents: [
      { x: 1, y: 0, z: 0 },
      { x: 0, y: 1, z: 0 },
      { x: 0, y: 0, z: 1 },
    ],
    elsewhere: null,
  };
}

function network(inputs: number, hidden: number, outputs: number): Workload {
  return {
    name: `network ${inputs}-${hidden}-${outputs}`,
    file: "fixtures/gradients/network.lam",
    entry: "expectedClass",
    elements: hidden * (inputs + outputs),
    args: [
      vec(inputs, 5),
      { weights: matrix(hidden, inputs, 6, 0.3), bias: vec(hidden, 7, 0.1) },
      { weights: matrix(outputs, hidden, 8, 0.3), bias: vec(outputs, 9, 0.1) },
    ],
    primal: expectedClass,
    gradient: expectedClassGradient,
    ...scalar,
  };
}

interface Particle {
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
}

/** A particle after some explicit Euler steps. */
function simulated(steps: number, start: Particle): Particle {
  let { x, y, vx, vy } = start;
  for (let i = 0; i < steps; i++) {
    const ax = -x - 0.1 * vx;
    const ay = -y - 0.1 * vy;
    x += 0.01 * vx;
    y += 0.01 * vy;
    vx += 0.01 * ax;
    vy += 0.01 * ay;
  }
  return { x, y, vx, vy };
}

/** The cotangent of the start, from that of the last position: steps are linear, so that nothing needs to be saved. */
function pulledBack(steps: number, dx: number, dy: number): Particle {
  let dvx = 0;
  let dvy = 0;
  for (let i = 0; i < steps; i++) {
    const ax = 0.01 * dvx;
    const ay = 0.01 * dvy;
    dvx += 0.01 * dx - 0.1 * ax;
    dvy += 0.01 * dy - 0.1 * ay;
    dx -= ax;
    dy -= ay;
  }
  return { x: dx, y: dy, vx: dvx, vy: dvy };
}

function particlesValue(steps: number, start: readonly Particle[]): number {
  let sum = 0;
  for (const particle of start) {
    const { x, y } = simulated(steps, particle);
    sum += x * y;
  }
  return sum;
}

function particlesGradient(steps: number, start: readonly Particle[]) {
  let value = 0;
  const gradients: Particle[] = [];
  for (const particle of start) {
    const { x, y } = simulated(steps, particle);
    value += x * y;
    gradients.push(pulledBack(steps, y, x));
  }
  return { value, grad: { steps: 0, start: gradients } };
}

function particles(steps: number): Workload {
  const scalars = vec(16, 10, 2);
  const start = [0, 4, 8, 12].map((i): Particle => {
    const [x = 0, y = 0, vx = 0, vy = 0] = scalars.subarray(i, i + 4);
    return { x, y, vx, vy };
  });
  return {
    name: `particles ${steps}`,
    file: "fixtures/gradients/particles.lam",
    entry: "particles",
    elements: 4 * steps,
    args: [steps, start],
    primal: particlesValue,
    gradient: particlesGradient,
    ...scalar,
  };
}

function logSumExp(n: number): Workload {
  return {
    name: `log-sum-exp ${n}`,
    file: "fixtures/gradients/log-sum-exp.lam",
    entry: "lse",
    elements: n,
    args: [vec(n, 11, 3)],
    primal: lseValue,
    gradient: lseGradient,
    ...scalar,
  };
}

export const gradients: readonly LazyWorkload[] = [
  { name: "product", make: product },
  ...[1000, 10_000, 100_000].map((n) => ({ name: `dot ${n}`, make: () => dot(n) })),
  ...[30, 100, 300].map((n) => ({ name: `mat-vec ${n}²`, make: () => sumMatVec(n) })),
  { name: "rotate", make: rotate },
  ...[25, 50, 100].map((n) => ({ name: `network ${n}-${2 * n}-${n}`, make: () => network(n, 2 * n, n) })),
  ...[100, 1000, 10_000].map((n) => ({ name: `particles ${n}`, make: () => particles(n) })),
  ...[1000, 10_000, 100_000].map((n) => ({ name: `log-sum-exp ${n}`, make: () => logSumExp(n) })),
];
