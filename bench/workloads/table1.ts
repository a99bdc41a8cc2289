// SV25 §13, Table 1, with lists and closures as there.

import { itemsOf, listOf } from "../lists.js";
import type { List } from "../lists.js";
import type { LazyWorkload, Workload } from "../workload.js";

const scalar = { cotangents: null };

function mult(): Workload {
  return {
    name: "mult",
    file: "fixtures/table1/mult.lam",
    entry: "mult",
    elements: 1,
    args: [3, 4],
    primal: (x: number, y: number) => x * y,
    gradient: (x: number, y: number) => ({ value: x * y, grad: { x: y, y: x } }),
    elsewhere: 285,
    ...scalar,
  };
}

function dotValue(l1: List<number>, l2: List<number>): number {
  let sum = 0;
  let [a, b] = [l1, l2];
  while (a.tag === "Cons" && b.tag === "Cons") {
    sum += a._0 * b._0;
    a = a._1;
    b = b._1;
  }
  return sum;
}

function dotGradient(l1: List<number>, l2: List<number>) {
  const [a, b] = [itemsOf(l1), itemsOf(l2)];
  let value = 0;
  let [d1, d2]: [List<number>, List<number>] = [{ tag: "Nil" }, { tag: "Nil" }];
  for (let i = a.length - 1; i >= 0; i--) d1 = { tag: "Cons", _0: b[i] ?? 0, _1: d1 };
  for (let i = b.length - 1; i >= 0; i--) {
    const x = a[i] ?? 0;
    value += x * (b[i] ?? 0);
    d2 = { tag: "Cons", _0: x, _1: d2 };
  }
  return { value, grad: { l1: d1, l2: d2 } };
}

function dot(n: number): Workload {
  const l1 = listOf(Array.from({ length: n }, (_, i) => i + 1));
  const l2 = listOf(Array.from({ length: n }, (_, i) => 2 * i + 3));
  const elsewhere = { 10_000: 3.55e6, 1_000_000: 1.46e9 }[n] ?? null;
  return {
    name: `dot ${n}`,
    file: "fixtures/table1/dot.lam",
    entry: "dot",
    elements: n,
    args: [l1, l2],
    primal: dotValue,
    gradient: dotGradient,
    elsewhere,
    ...scalar,
  };
}

function sumMatVec(n: number): Workload {
  const rows = Array.from({ length: n }, (_, i) => listOf(Array.from({ length: n }, (_, j) => i * n + j + 1)));
  const m = listOf(rows);
  const v = listOf(Array.from({ length: n }, (_, i) => 2 * i + 3));
  return {
    name: `sum-mat-vec ${n}²`,
    file: "fixtures/table1/sum-mat-vec.lam",
    entry: "sumMatVec",
    elements: n * n,
    args: [m, v],
    primal: (m: List<List<number>>, v: List<number>) => {
      let sum = 0;
      for (let rest = m; rest.tag === "Cons"; rest = rest._1) sum += dotValue(v, rest._0);
      return sum;
    },
    gradient: (m: List<List<number>>, v: List<number>) => {
      const vector = itemsOf(v);
      const dv = new Float64Array(vector.length);
      const dm: List<number>[] = [];
      let value = 0;
      for (let rest = m; rest.tag === "Cons"; rest = rest._1) {
        let j = 0;
        for (let row = rest._0; row.tag === "Cons"; row = row._1) {
          value += row._0 * (vector[j] ?? 0);
          dv[j] = (dv[j] ?? 0) + row._0;
          j += 1;
        }
        dm.push(listOf(vector));
      }
      return { value, grad: { m: listOf(dm), v: listOf(dv) } };
    },
    elsewhere: n === 100 ? 2.83e6 : null,
    ...scalar,
  };
}

type Vec3 = readonly [number, number, number];
type Quaternion = readonly [number, number, number, number];

function rotateValue([vx, vy, vz]: Vec3, [x, y, z, s]: Quaternion): Vec3 {
  const uv = x * vx + y * vy + z * vz;
  const k = s * s - (x * x + y * y + z * z);
  return [
    2 * uv * x + k * vx + 2 * s * (y * vz - z * vy),
    2 * uv * y + k * vy + 2 * s * (z * vx - x * vz),
    2 * uv * z + k * vz + 2 * s * (x * vy - y * vx),
  ];
}

function rotatePullback([vx, vy, vz]: Vec3, [x, y, z, s]: Quaternion, [dx, dy, dz]: Vec3) {
  const uv = x * vx + y * vy + z * vz;
  const k = s * s - (x * x + y * y + z * z);
  const duv = 2 * (x * dx + y * dy + z * dz);
  const dk = vx * dx + vy * dy + vz * dz;
  const [cx, cy, cz] = [2 * s * dx, 2 * s * dy, 2 * s * dz];
  return {
    v: [duv * x + k * dx + z * cy - y * cz, duv * y + k * dy + x * cz - z * cx, duv * z + k * dz + y * cx - x * cy],
    q: [
      2 * uv * dx + duv * vx - 2 * dk * x - vz * cy + vy * cz,
      2 * uv * dy + duv * vy - 2 * dk * y + vz * cx - vx * cz,
      2 * uv * dz + duv * vz - 2 * dk * z - vy * cx + vx * cy,
      2 * dk * s + 2 * (dx * (y * vz - z * vy) + dy * (z * vx - x * vz) + dz * (x * vy - y * vx)),
    ],
  };
}

const basis: readonly Vec3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

function rotate(): Workload {
  return {
    name: "rotate",
    file: "fixtures/table1/rotate.lam",
    entry: "rotate",
    elements: 1,
    args: [
      [1, 2, 3],
      [4, 5, 6, 7],
    ],
    primal: rotateValue,
    gradient: (v: Vec3, q: Quaternion) => ({
      value: rotateValue(v, q),
      pullback: (cotangent: Vec3) => rotatePullback(v, q, cotangent),
    }),
    cotangents: basis,
    elsewhere: 4630,
  };
}

type Layer = readonly [List<List<number>>, List<number>];

interface Pass {
  readonly inputs: number[][];
  readonly outputs: number[];
  readonly value: number;
}

/** Forward through dense layers with relu after each, softmax at the end. */
function neuralForward(layers: List<Layer>, x: List<number>): Pass {
  const inputs = [itemsOf(x)];
  for (let rest = layers; rest.tag === "Cons"; rest = rest._1) {
    const [weights, bias] = rest._0;
    const input = inputs[inputs.length - 1] ?? [];
    const output: number[] = [];
    let offset = bias;
    for (let rows = weights; rows.tag === "Cons" && offset.tag === "Cons"; rows = rows._1, offset = offset._1) {
      let sum = 0;
      let j = 0;
      for (let row = rows._0; row.tag === "Cons"; row = row._1) sum += row._0 * (input[j++] ?? 0);
      output.push(Math.max(sum + offset._0, 0));
    }
    inputs.push(output);
  }
  const last = inputs[inputs.length - 1] ?? [];
  const shift = last.reduce((a, b) => (b > a ? b : a), 0);
  const exps = last.map((z) => Math.exp(z - shift));
  const total = exps.reduce((a, b) => a + b, 0);
  const outputs = exps.map((e) => e / total);
  return { inputs, outputs, value: outputs.reduce((a, b) => a + b, 0) };
}

function neuralGradient(layers: List<Layer>, x: List<number>) {
  const { inputs, outputs, value } = neuralForward(layers, x);
  const mean = outputs.reduce((sum, p) => sum + p, 0);
  let cotangent = outputs.map((p) => p * (1 - mean));
  const gradients: Layer[] = [];
  const all = itemsOf(layers);
  for (let l = all.length - 1; l >= 0; l--) {
    const [weights] = all[l] ?? [listOf<List<number>>([])];
    const [input, output] = [inputs[l] ?? [], inputs[l + 1] ?? []];
    const d = cotangent.map((z, i) => ((output[i] ?? 0) > 0 ? z : 0));
    const below = new Array<number>(input.length).fill(0);
    const dw: List<number>[] = [];
    let i = 0;
    for (let rows = weights; rows.tag === "Cons"; rows = rows._1) {
      const z = d[i++] ?? 0;
      let j = 0;
      for (let row = rows._0; row.tag === "Cons"; row = row._1) {
        below[j] = (below[j] ?? 0) + z * row._0;
        j += 1;
      }
      dw.push(listOf(input.map((a) => z * a)));
    }
    gradients.push([listOf(dw), listOf(d)]);
    cotangent = below;
  }
  return { value, grad: { layers: listOf(gradients.reverse()), x: listOf(cotangent) } };
}

function neural(n: number): Workload {
  const layer = (rows: number, columns: number): Layer => [
    listOf(Array.from({ length: rows }, (_, i) => listOf(Array.from({ length: columns }, (_, j) => Math.sin(i + j))))),
    listOf(Array.from({ length: rows }, (_, i) => Math.sin(0.41 * i))),
  ];
  return {
    name: `neural ${n}`,
    file: "fixtures/table1/neural.lam",
    entry: "neural",
    elements: 4 * n * n,
    args: [listOf([layer(2 * n, n), layer(n, 2 * n)]), listOf(Array.from({ length: n }, (_, i) => Math.sin(0.41 * i)))],
    primal: (layers: List<Layer>, x: List<number>) => neuralForward(layers, x).value,
    gradient: neuralGradient,
    elsewhere: n === 50 ? 2.43e6 : null,
    ...scalar,
  };
}

type Particle = readonly [readonly [number, number], readonly [number, number]];

/** One coordinate of a particle after `steps` explicit Euler steps, which are linear: position and velocity. */
function euler(steps: number, position: number, velocity: number): readonly [number, number] {
  let [p, v] = [position, velocity];
  for (let i = 0; i < steps; i++) [p, v] = [p + 0.05 * v, v + 0.05 * (-0.5 * p - 0.2 * v)];
  return [p, v];
}

/** Cotangents of the first position and velocity, from that of the last position. */
function eulerReverse(steps: number, cotangent: number): readonly [number, number] {
  let [dp, dv] = [cotangent, 0];
  for (let i = 0; i < steps; i++) [dp, dv] = [dp - 0.025 * dv, dv + 0.05 * dp - 0.01 * dv];
  return [dp, dv];
}

function particles(steps: number): Workload {
  const ps = listOf(
    [1, 2, 3, 4].map((i): Particle => [
      [0.5 * i, 0.1],
      [1, 1],
    ]),
  );
  return {
    name: `particles ${steps}`,
    file: "fixtures/table1/particles.lam",
    entry: "particles",
    elements: 4 * steps,
    args: [steps, ps],
    primal: (n: number, list: List<Particle>) => {
      let sum = 0;
      for (const [[x, y], [vx, vy]] of itemsOf(list)) sum += euler(n, x, vx)[0] * euler(n, y, vy)[0];
      return sum;
    },
    gradient: (n: number, list: List<Particle>) => {
      let value = 0;
      const gradients = itemsOf(list).map(([[x, y], [vx, vy]]): Particle => {
        const [[px], [py]] = [euler(n, x, vx), euler(n, y, vy)];
        value += px * py;
        const [[dx, dvx], [dy, dvy]] = [eulerReverse(n, py), eulerReverse(n, px)];
        return [
          [dx, dy],
          [dvx, dvy],
        ];
      });
      return { value, grad: { steps: 0, ps: listOf(gradients) } };
    },
    elsewhere: steps === 1000 ? 7.98e6 : null,
    ...scalar,
  };
}

/** Made one at a time: a list of a million cells that is alive slows the collection of everybody else's garbage. */
export const table1: readonly LazyWorkload[] = [
  { name: "mult", make: mult },
  ...[1000, 10_000, 100_000, 1_000_000].map((n) => ({ name: `dot ${n}`, make: () => dot(n) })),
  ...[30, 100, 300].map((n) => ({ name: `sum-mat-vec ${n}²`, make: () => sumMatVec(n) })),
  { name: "rotate", make: rotate },
  ...[25, 50, 100].map((n) => ({ name: `neural ${n}`, make: () => neural(n) })),
  ...[100, 1000, 10_000].map((steps) => ({ name: `particles ${steps}`, make: () => particles(steps) })),
];
