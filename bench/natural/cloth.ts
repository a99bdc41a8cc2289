// A cloth of springs by hand: each spring once for both its ends, the positions and velocities of all steps saved.

import { vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

interface Vec3 {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

interface Knot {
  readonly position: Vec3;
  readonly velocity: Vec3;
}

interface Fabric {
  readonly stiffness: number;
  readonly rest: number;
  readonly damping: number;
  readonly gravity: number;
}

type Cloth = readonly (readonly Knot[])[];

/** The cloth before each step and at the end, three numbers a knot; one state where nothing is kept. */
interface Motion {
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  /** The numbers of one state, and of its first row. */
  readonly size: number;
  readonly row: number;
  /** Where the last state begins. */
  readonly last: number;
}

/** Adds to the forces what the spring between the knots at `a` and `b` does. */
function addPull(fabric: Fabric, positions: Float64Array, at: number, a: number, b: number, forces: Float64Array) {
  const dx = (positions[at + b] ?? 0) - (positions[at + a] ?? 0);
  const dy = (positions[at + b + 1] ?? 0) - (positions[at + a + 1] ?? 0);
  const dz = (positions[at + b + 2] ?? 0) - (positions[at + a + 2] ?? 0);
  const long = Math.sqrt(dx * dx + dy * dy + dz * dz);
  const k = (fabric.stiffness * (long - fabric.rest)) / long;
  forces[a] = (forces[a] ?? 0) + k * dx;
  forces[a + 1] = (forces[a + 1] ?? 0) + k * dy;
  forces[a + 2] = (forces[a + 2] ?? 0) + k * dz;
  forces[b] = (forces[b] ?? 0) - k * dx;
  forces[b + 1] = (forces[b + 1] ?? 0) - k * dy;
  forces[b + 2] = (forces[b + 2] ?? 0) - k * dz;
}

/** The forces of all springs on the knots of the state at `at`. */
function addPulls(fabric: Fabric, { positions, size, row }: Motion, at: number, forces: Float64Array): void {
  for (let from = 0; from < size; from += row) {
    for (let a = from; a < from + row; a += 3) {
      if (a + 3 < from + row) addPull(fabric, positions, at, a, a + 3, forces);
      if (a + row < size) addPull(fabric, positions, at, a, a + row, forces);
    }
  }
}

/** The first state, with room for the others. */
function beginning(cloth: Cloth, states: number): Motion {
  const row = 3 * (cloth[0]?.length ?? 0);
  const size = cloth.length * row;
  const positions = new Float64Array(states * size);
  const velocities = new Float64Array(states * size);
  let at = 0;
  for (const knots of cloth) {
    for (const { position, velocity } of knots) {
      positions[at] = position.x;
      positions[at + 1] = position.y;
      positions[at + 2] = position.z;
      velocities[at] = velocity.x;
      velocities[at + 1] = velocity.y;
      velocities[at + 2] = velocity.z;
      at += 3;
    }
  }
  return { positions, velocities, size, row, last: (states - 1) * size };
}

function move(fabric: Fabric, steps: number, dt: number, cloth: Cloth, keep: boolean): Motion {
  const motion = beginning(cloth, keep ? steps + 1 : 1);
  const { positions, velocities, size, row } = motion;
  const forces = new Float64Array(size);
  const { gravity, damping } = fabric;
  for (let step = 0; step < steps; step++) {
    const at = keep ? step * size : 0;
    const next = keep ? at + size : 0;
    forces.fill(0);
    addPulls(fabric, motion, at, forces);
    if (keep) {
      for (let i = 0; i < row; i++) {
        positions[next + i] = positions[at + i] ?? 0;
        velocities[next + i] = velocities[at + i] ?? 0;
      }
    }
    for (let i = row; i < size; i++) {
      const before = velocities[at + i] ?? 0;
      const free = i % 3 === 1 ? -gravity : 0;
      const velocity = before + dt * (free + (forces[i] ?? 0) - damping * before);
      velocities[next + i] = velocity;
      positions[next + i] = (positions[at + i] ?? 0) + dt * velocity;
    }
  }
  return motion;
}

/** The corner minus its target. */
function offOf({ positions, size, last }: Motion, target: Vec3): Vec3 {
  const at = last + size - 3;
  return {
    x: (positions[at] ?? 0) - target.x,
    y: (positions[at + 1] ?? 0) - target.y,
    z: (positions[at + 2] ?? 0) - target.z,
  };
}

function square({ x, y, z }: Vec3): number {
  return x * x + y * y + z * z;
}

function loss(fabric: Fabric, steps: number, dt: number, cloth: Cloth, target: Vec3): number {
  return square(offOf(move(fabric, steps, dt, cloth, false), target));
}

/** Adds to the cotangents of the positions, and of stiffness and rest in `sums`, those that a spring's give. */
function pullBack(
  fabric: Fabric,
  positions: Float64Array,
  at: number,
  a: number,
  b: number,
  forces_: Float64Array,
  positions_: Float64Array,
  sums: Float64Array,
): void {
  const dx = (positions[at + b] ?? 0) - (positions[at + a] ?? 0);
  const dy = (positions[at + b + 1] ?? 0) - (positions[at + a + 1] ?? 0);
  const dz = (positions[at + b + 2] ?? 0) - (positions[at + a + 2] ?? 0);
  const fx_ = (forces_[a] ?? 0) - (forces_[b] ?? 0);
  const fy_ = (forces_[a + 1] ?? 0) - (forces_[b + 1] ?? 0);
  const fz_ = (forces_[a + 2] ?? 0) - (forces_[b + 2] ?? 0);
  const square = dx * dx + dy * dy + dz * dz;
  const share = 1 / Math.sqrt(square);
  const k = fabric.stiffness * (1 - fabric.rest * share);
  const k_ = fx_ * dx + fy_ * dy + fz_ * dz;
  sums[0] = (sums[0] ?? 0) + k_ * (1 - fabric.rest * share);
  sums[1] = (sums[1] ?? 0) - k_ * fabric.stiffness * share;
  const along = (k_ * fabric.stiffness * fabric.rest * share) / square;
  const dx_ = k * fx_ + along * dx;
  const dy_ = k * fy_ + along * dy;
  const dz_ = k * fz_ + along * dz;
  positions_[a] = (positions_[a] ?? 0) - dx_;
  positions_[a + 1] = (positions_[a + 1] ?? 0) - dy_;
  positions_[a + 2] = (positions_[a + 2] ?? 0) - dz_;
  positions_[b] = (positions_[b] ?? 0) + dx_;
  positions_[b + 1] = (positions_[b + 1] ?? 0) + dy_;
  positions_[b + 2] = (positions_[b + 2] ?? 0) + dz_;
}

/** The same of all springs. */
function pullsBack(
  fabric: Fabric,
  { positions, size, row }: Motion,
  at: number,
  forces_: Float64Array,
  positions_: Float64Array,
  sums: Float64Array,
): void {
  for (let from = 0; from < size; from += row) {
    for (let a = from; a < from + row; a += 3) {
      if (a + 3 < from + row) pullBack(fabric, positions, at, a, a + 3, forces_, positions_, sums);
      if (a + row < size) pullBack(fabric, positions, at, a, a + row, forces_, positions_, sums);
    }
  }
}

function vectorAt(xs: Float64Array, at: number): Vec3 {
  return { x: xs[at] ?? 0, y: xs[at + 1] ?? 0, z: xs[at + 2] ?? 0 };
}

function lossGradient(fabric: Fabric, steps: number, dt: number, cloth: Cloth, target: Vec3) {
  const motion = move(fabric, steps, dt, cloth, true);
  const { velocities, size, row } = motion;
  const off = offOf(motion, target);
  const positions_ = new Float64Array(size);
  const velocities_ = new Float64Array(size);
  const forces_ = new Float64Array(size);
  const sums = new Float64Array(2);
  positions_[size - 3] = 2 * off.x;
  positions_[size - 2] = 2 * off.y;
  positions_[size - 1] = 2 * off.z;
  let damping_ = 0;
  let gravity_ = 0;
  let dt_ = 0;
  for (let step = steps - 1; step >= 0; step--) {
    const at = step * size;
    for (let i = row; i < size; i++) {
      const before = velocities[at + i] ?? 0;
      const velocity = velocities[at + size + i] ?? 0;
      const p_ = positions_[i] ?? 0;
      const v_ = (velocities_[i] ?? 0) + dt * p_;
      const force_ = dt * v_;
      dt_ += p_ * velocity + (v_ * (velocity - before)) / dt;
      damping_ -= force_ * before;
      if (i % 3 === 1) gravity_ -= force_;
      forces_[i] = force_;
      velocities_[i] = v_ - fabric.damping * force_;
    }
    pullsBack(fabric, motion, at, forces_, positions_, sums);
  }
  return {
    value: square(off),
    grad: {
      f: { stiffness: sums[0] ?? 0, rest: sums[1] ?? 0, damping: damping_, gravity: gravity_ },
      steps: 0,
      dt: dt_,
      cloth: cloth.map((knots, i) =>
        knots.map((_, j) => ({
          position: vectorAt(positions_, i * row + 3 * j),
          velocity: vectorAt(velocities_, i * row + 3 * j),
        })),
      ),
      target: { x: -2 * off.x, y: -2 * off.y, z: -2 * off.z },
    },
  };
}

/** A cloth that lies almost flat, `count` knots wide and long. */
function clothOf(count: number): Knot[][] {
  const noise = vec(6 * count * count, 120, 0.1);
  const vector = (at: number): Vec3 => vectorAt(noise, at);
  return Array.from({ length: count }, (_row, i) =>
    Array.from({ length: count }, (_knot, j) => {
      const at = 6 * (i * count + j);
      const { x, y, z } = vector(at);
      return { position: { x: j + x, y, z: i + z }, velocity: vector(at + 3) };
    }),
  );
}

function ofSize(count: number): Sized {
  return {
    entry: "loss",
    args: [
      { stiffness: 40, rest: 0.9, damping: 0.3, gravity: 2 },
      30,
      0.02,
      clothOf(count),
      { x: count - 1, y: -1, z: count - 2 },
    ],
    elements: 30 * count * count * 25,
    primal: loss,
    gradient: lossGradient,
  };
}

/** Knots on a side, 30 steps. */
export const workloads = natural("cloth", [4, 12, 36], ofSize);
