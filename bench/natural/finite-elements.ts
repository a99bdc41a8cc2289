// A truss by conjugate gradients by hand: bars pull on their ends, and the way back keeps each step's vectors.

import { vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

interface Vec2 {
  readonly x: number;
  readonly y: number;
}

interface Joint {
  readonly place: Vec2;
  readonly load: Vec2;
  readonly fixed: boolean;
  readonly bars: readonly number[];
}

interface Bar {
  readonly from: number;
  readonly to: number;
  readonly area: number;
}

/** Where bars begin and end in vectors of two numbers a joint, and how stiff they are; in `free` 0 at fixed joints. */
interface Truss {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly dx: Float64Array;
  readonly dy: Float64Array;
  readonly stiff: Float64Array;
  readonly free: Float64Array;
  readonly loads: Float64Array;
}

/** Of each step, where they are kept: the direction, its forces, what is left of the loads, and the scalars. */
interface Steps {
  readonly directions: Float64Array;
  readonly forces: Float64Array;
  readonly rests: Float64Array;
  readonly alphas: Float64Array;
  readonly betas: Float64Array;
  readonly squares: Float64Array;
  readonly moved: Float64Array;
}

function trussOf(young: number, joints: readonly Joint[], bars: readonly Bar[]): Truss {
  const count = bars.length;
  const [from, to] = [new Int32Array(count), new Int32Array(count)];
  const [dx, dy, stiff] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const free = new Float64Array(2 * joints.length);
  const loads = new Float64Array(2 * joints.length);
  joints.forEach(({ load, fixed }, i) => {
    if (fixed) return;
    free[2 * i] = 1;
    free[2 * i + 1] = 1;
    loads[2 * i] = load.x;
    loads[2 * i + 1] = load.y;
  });
  bars.forEach((bar, i) => {
    const [a, b] = [joints[bar.from]?.place, joints[bar.to]?.place];
    if (a === undefined || b === undefined) return;
    const [x, y] = [b.x - a.x, b.y - a.y];
    const square = x * x + y * y;
    from[i] = 2 * bar.from;
    to[i] = 2 * bar.to;
    dx[i] = x;
    dy[i] = y;
    stiff[i] = (young * bar.area) / (square * Math.sqrt(square));
  });
  return { from, to, dx, dy, stiff, free, loads };
}

/** The forces at the displacements that begin at `at`, in `out` from `at`. */
function force({ from, to, dx, dy, stiff, free }: Truss, us: Float64Array, at: number, out: Float64Array): void {
  for (let i = 0; i < free.length; i++) out[at + i] = 0;
  for (let i = 0; i < stiff.length; i++) {
    const a = at + (from[i] ?? 0);
    const b = at + (to[i] ?? 0);
    const x = dx[i] ?? 0;
    const y = dy[i] ?? 0;
    const along = x * ((us[b] ?? 0) - (us[a] ?? 0)) + y * ((us[b + 1] ?? 0) - (us[a + 1] ?? 0));
    const pull = (stiff[i] ?? 0) * along;
    out[a] = (out[a] ?? 0) - pull * x;
    out[a + 1] = (out[a + 1] ?? 0) - pull * y;
    out[b] = (out[b] ?? 0) + pull * x;
    out[b + 1] = (out[b + 1] ?? 0) + pull * y;
  }
  for (let i = 0; i < free.length; i++) out[at + i] = (out[at + i] ?? 0) * (free[i] ?? 0);
}

function inner(a: Float64Array, from: number, b: Float64Array, at: number, count: number): number {
  let total = 0;
  for (let i = 0; i < count; i++) total += (a[from + i] ?? 0) * (b[at + i] ?? 0);
  return total;
}

function solve(truss: Truss, count: number, keep: boolean): Steps {
  const { loads } = truss;
  const size = loads.length;
  const directions = new Float64Array(keep ? (count + 1) * size : size);
  const forces = new Float64Array(keep ? count * size : size);
  const rests = new Float64Array(keep ? (count + 1) * size : size);
  const moved = new Float64Array(size);
  const [alphas, betas] = [new Float64Array(count), new Float64Array(count)];
  const squares = new Float64Array(count + 1);
  directions.set(loads);
  rests.set(loads);
  squares[0] = inner(loads, 0, loads, 0, size);
  for (let step = 0; step < count; step++) {
    const at = keep ? step * size : 0;
    const next = keep ? at + size : 0;
    force(truss, directions, at, forces);
    const alpha = (squares[step] ?? 0) / inner(directions, at, forces, at, size);
    let square = 0;
    for (let i = 0; i < size; i++) {
      moved[i] = (moved[i] ?? 0) + alpha * (directions[at + i] ?? 0);
      const rest = (rests[at + i] ?? 0) - alpha * (forces[at + i] ?? 0);
      rests[next + i] = rest;
      square += rest * rest;
    }
    const beta = square / (squares[step] ?? 0);
    for (let i = 0; i < size; i++) directions[next + i] = (rests[next + i] ?? 0) + beta * (directions[at + i] ?? 0);
    alphas[step] = alpha;
    betas[step] = beta;
    squares[step + 1] = square;
  }
  return { directions, forces, rests, alphas, betas, squares, moved };
}

function loss(young: number, joints: readonly Joint[], bars: readonly Bar[], steps: number): number {
  const truss = trussOf(young, joints, bars);
  return inner(truss.loads, 0, solve(truss, steps, false).moved, 0, truss.loads.length);
}

/** Cotangents of the bars' directions and of how stiff they are. */
interface Bars_ {
  readonly dx: Float64Array;
  readonly dy: Float64Array;
  readonly stiff: Float64Array;
}

/** Adds to the cotangents of bars and displacements what those of the forces give them. */
function forceBack(
  { from, to, dx, dy, stiff }: Truss,
  us: Float64Array,
  at: number,
  out_: Float64Array,
  us_: Float64Array,
  bars_: Bars_,
): void {
  for (let i = 0; i < stiff.length; i++) {
    const a = from[i] ?? 0;
    const b = to[i] ?? 0;
    const x = dx[i] ?? 0;
    const y = dy[i] ?? 0;
    const k = stiff[i] ?? 0;
    const ux = (us[at + b] ?? 0) - (us[at + a] ?? 0);
    const uy = (us[at + b + 1] ?? 0) - (us[at + a + 1] ?? 0);
    const fx_ = (out_[b] ?? 0) - (out_[a] ?? 0);
    const fy_ = (out_[b + 1] ?? 0) - (out_[a + 1] ?? 0);
    const along = x * ux + y * uy;
    const along_ = x * fx_ + y * fy_;
    bars_.stiff[i] = (bars_.stiff[i] ?? 0) + along * along_;
    bars_.dx[i] = (bars_.dx[i] ?? 0) + k * (along_ * ux + along * fx_);
    bars_.dy[i] = (bars_.dy[i] ?? 0) + k * (along_ * uy + along * fy_);
    const pull = k * along_;
    us_[a] = (us_[a] ?? 0) - pull * x;
    us_[a + 1] = (us_[a + 1] ?? 0) - pull * y;
    us_[b] = (us_[b] ?? 0) + pull * x;
    us_[b + 1] = (us_[b + 1] ?? 0) + pull * y;
  }
}

/** The cotangent of the loads; those of the bars in `bars_`. */
function solveBack(truss: Truss, count: number, steps: Steps, bars_: Bars_): Float64Array {
  const { loads, free } = truss;
  const { directions, forces, rests, alphas, betas, squares, moved } = steps;
  const size = loads.length;
  const direction_ = new Float64Array(size);
  const rest_ = new Float64Array(size);
  const force_ = new Float64Array(size);
  let square_ = 0;
  for (let step = count - 1; step >= 0; step--) {
    const at = step * size;
    const next = at + size;
    const alpha = alphas[step] ?? 0;
    const beta = betas[step] ?? 0;
    const square = squares[step] ?? 0;
    const beta_ = inner(direction_, 0, directions, at, size);
    square_ += beta_ / square;
    let alpha_ = inner(loads, 0, directions, at, size);
    for (let i = 0; i < size; i++) {
      const d_ = direction_[i] ?? 0;
      const r_ = (rest_[i] ?? 0) + d_ + 2 * square_ * (rests[next + i] ?? 0);
      alpha_ -= r_ * (forces[at + i] ?? 0);
      rest_[i] = r_;
      direction_[i] = beta * d_ + alpha * (loads[i] ?? 0);
    }
    // Of the direction's product with its forces
    const product_ = (-alpha_ * alpha * alpha) / square;
    square_ = (-beta_ * beta) / square + (alpha_ * alpha) / square;
    for (let i = 0; i < size; i++) {
      force_[i] = (product_ * (directions[at + i] ?? 0) - alpha * (rest_[i] ?? 0)) * (free[i] ?? 0);
      direction_[i] = (direction_[i] ?? 0) + product_ * (forces[at + i] ?? 0);
    }
    forceBack(truss, directions, at, force_, direction_, bars_);
  }
  return loads.map(
    (load, i) => ((moved[i] ?? 0) + (rest_[i] ?? 0) + (direction_[i] ?? 0) + 2 * square_ * load) * (free[i] ?? 0),
  );
}

function lossGradient(young: number, joints: readonly Joint[], bars: readonly Bar[], count: number) {
  const truss = trussOf(young, joints, bars);
  const { from, to, dx, dy, stiff, loads } = truss;
  const steps = solve(truss, count, true);
  const bars_ = {
    dx: new Float64Array(stiff.length),
    dy: new Float64Array(stiff.length),
    stiff: new Float64Array(stiff.length),
  };
  const loads_ = solveBack(truss, count, steps, bars_);
  const places_ = new Float64Array(loads.length);
  let young_ = 0;
  const areas_ = bars.map((bar, i) => {
    const x = dx[i] ?? 0;
    const y = dy[i] ?? 0;
    const power = (bars_.stiff[i] ?? 0) * (stiff[i] ?? 0);
    young_ += power / young;
    const pull = (-3 * power) / (x * x + y * y);
    const x_ = (bars_.dx[i] ?? 0) + pull * x;
    const y_ = (bars_.dy[i] ?? 0) + pull * y;
    const a = from[i] ?? 0;
    const b = to[i] ?? 0;
    places_[a] = (places_[a] ?? 0) - x_;
    places_[a + 1] = (places_[a + 1] ?? 0) - y_;
    places_[b] = (places_[b] ?? 0) + x_;
    places_[b + 1] = (places_[b + 1] ?? 0) + y_;
    return { from: 0, to: 0, area: power / bar.area };
  });
  return {
    value: inner(loads, 0, steps.moved, 0, loads.length),
    grad: {
      young: young_,
      joints: joints.map((joint, i) => ({
        place: { x: places_[2 * i], y: places_[2 * i + 1] },
        load: { x: loads_[2 * i], y: loads_[2 * i + 1] },
        fixed: joint.fixed,
        bars: new Array<number>(joint.bars.length).fill(0),
      })),
      bars: areas_,
      steps: 0,
    },
  };
}

/** Some panels in a row, each with two diagonals; all joints but the first two are free. */
function trussOfPanels(panels: number): { joints: Joint[]; bars: Bar[] } {
  const ends: [number, number][] = [[0, 1]];
  for (let i = 0; i < panels; i++) {
    const [low, high] = [2 * i, 2 * i + 1];
    ends.push([low, low + 2], [high, high + 2], [low, high + 2], [high, low + 2], [low + 2, high + 2]);
  }
  const areas = vec(ends.length, 180, 0.3);
  const bars = ends.map(([from, to], i): Bar => ({ from, to, area: 1 + (areas[i] ?? 0) }));
  const touching = Array.from({ length: 2 * panels + 2 }, (): number[] => []);
  bars.forEach(({ from, to }, i) => {
    touching[from]?.push(i);
    touching[to]?.push(i);
  });
  const numbers = vec(4 * touching.length, 181);
  const joints = touching.map((bars, i): Joint => {
    const [x = 0, y = 0, loadX = 0, loadY = 0] = numbers.subarray(4 * i, 4 * i + 4);
    return {
      place: { x: Math.floor(i / 2) + 0.1 * x, y: (i % 2) + 0.1 * y },
      load: { x: loadX, y: loadY },
      fixed: i < 2,
      bars,
    };
  });
  return { joints, bars };
}

/** 15 steps. */
function ofSize(panels: number): Sized {
  const { joints, bars } = trussOfPanels(panels);
  return {
    entry: "loss",
    args: [7, joints, bars, 15],
    elements: 15 * panels * 100,
    primal: loss,
    gradient: lossGradient,
  };
}

/** Panels. */
export const workloads = natural("finite-elements", [10, 100, 1000], ofSize);
