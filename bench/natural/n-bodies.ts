// Bodies by hand: each pair once, the second kick of a step and the first of the next as one; places, velocities and accelerations of all steps kept.

import { vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

interface Vec3 {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

interface Body {
  readonly mass: number;
  readonly place: Vec3;
  readonly velocity: Vec3;
}

interface Gravity {
  readonly constant: number;
  readonly softening: number;
}

/** Vectors, three numbers each, at the beginning of `out`. */
function copyVectors(vectors: readonly Vec3[], out: Float64Array): void {
  let at = 0;
  for (const { x, y, z } of vectors) {
    out[at++] = x;
    out[at++] = y;
    out[at++] = z;
  }
}

/** The accelerations `as`, from `at` on, of all bodies where their places stand at `at` in `xs`. */
function accelerate(g: Gravity, masses: Float64Array, xs: Float64Array, as: Float64Array, at: number): void {
  const end = at + 3 * masses.length;
  const soft = g.softening * g.softening;
  for (let i = at; i < end; i++) as[i] = 0;
  for (let i = at, p = 0; i < end; i += 3, p++) {
    const x = xs[i] ?? 0;
    const y = xs[i + 1] ?? 0;
    const z = xs[i + 2] ?? 0;
    const mass = masses[p] ?? 0;
    let [ax, ay, az] = [0, 0, 0];
    for (let j = i + 3, q = p + 1; j < end; j += 3, q++) {
      const dx = (xs[j] ?? 0) - x;
      const dy = (xs[j + 1] ?? 0) - y;
      const dz = (xs[j + 2] ?? 0) - z;
      const r2 = dx * dx + dy * dy + dz * dz + soft;
      const k = g.constant / (r2 * Math.sqrt(r2));
      const there = k * (masses[q] ?? 0);
      const here = k * mass;
      ax += there * dx;
      ay += there * dy;
      az += there * dz;
      as[j] = (as[j] ?? 0) - here * dx;
      as[j + 1] = (as[j + 1] ?? 0) - here * dy;
      as[j + 2] = (as[j + 2] ?? 0) - here * dz;
    }
    as[i] = (as[i] ?? 0) + ax;
    as[i + 1] = (as[i + 1] ?? 0) + ay;
    as[i + 2] = (as[i + 2] ?? 0) + az;
  }
}

/** Adds to `xs_` and `masses_` what the cotangents `as_` of accelerations give; `g_` are those of constant and softening. */
function accelerateBack(
  g: Gravity,
  masses: Float64Array,
  xs: Float64Array,
  at: number,
  as_: Float64Array,
  xs_: Float64Array,
  masses_: Float64Array,
  g_: Float64Array,
): void {
  const count = masses.length;
  const soft = g.softening * g.softening;
  let [constant_, softening_] = [0, 0];
  for (let p = 0; p < count; p++) {
    const i = 3 * p;
    const x = xs[at + i] ?? 0;
    const y = xs[at + i + 1] ?? 0;
    const z = xs[at + i + 2] ?? 0;
    const mass = masses[p] ?? 0;
    const ix = as_[i] ?? 0;
    const iy = as_[i + 1] ?? 0;
    const iz = as_[i + 2] ?? 0;
    let [x_, y_, z_, mass_] = [0, 0, 0, 0];
    for (let q = p + 1; q < count; q++) {
      const j = 3 * q;
      const dx = (xs[at + j] ?? 0) - x;
      const dy = (xs[at + j + 1] ?? 0) - y;
      const dz = (xs[at + j + 2] ?? 0) - z;
      const r2 = dx * dx + dy * dy + dz * dz + soft;
      const cube = 1 / (r2 * Math.sqrt(r2));
      const k = g.constant * cube;
      const other = masses[q] ?? 0;
      const jx = as_[j] ?? 0;
      const jy = as_[j + 1] ?? 0;
      const jz = as_[j + 2] ?? 0;
      const here = ix * dx + iy * dy + iz * dz;
      const there = jx * dx + jy * dy + jz * dz;
      const both = other * here - mass * there;
      masses_[q] = (masses_[q] ?? 0) + k * here;
      mass_ -= k * there;
      constant_ += cube * both;
      const r2_ = (-3 * k * both) / r2;
      softening_ += r2_;
      const dx_ = k * (other * ix - mass * jx) + r2_ * dx;
      const dy_ = k * (other * iy - mass * jy) + r2_ * dy;
      const dz_ = k * (other * iz - mass * jz) + r2_ * dz;
      x_ -= dx_;
      y_ -= dy_;
      z_ -= dz_;
      xs_[j] = (xs_[j] ?? 0) + dx_;
      xs_[j + 1] = (xs_[j + 1] ?? 0) + dy_;
      xs_[j + 2] = (xs_[j + 2] ?? 0) + dz_;
    }
    xs_[i] = (xs_[i] ?? 0) + x_;
    xs_[i + 1] = (xs_[i + 1] ?? 0) + y_;
    xs_[i + 2] = (xs_[i + 2] ?? 0) + z_;
    masses_[p] = (masses_[p] ?? 0) + mass_;
  }
  g_[0] = (g_[0] ?? 0) + constant_;
  g_[1] = (g_[1] ?? 0) + softening_ * g.softening;
}

/** Errors of the last places in `errors`; gives the sum of their squares. */
function squaredErrors(xs: Float64Array, at: number, errors: Float64Array): number {
  let total = 0;
  for (let i = 0; i < errors.length; i++) {
    const error = (xs[at + i] ?? 0) - (errors[i] ?? 0);
    errors[i] = error;
    total += error * error;
  }
  return total;
}

function loss(g: Gravity, dt: number, steps: number, bodies: readonly Body[], seen: readonly Vec3[]): number {
  const size = 3 * bodies.length;
  const masses = Float64Array.from(bodies, ({ mass }) => mass);
  const xs = new Float64Array(size);
  const vs = new Float64Array(size);
  const as = new Float64Array(size);
  const errors = new Float64Array(size);
  copyVectors(
    bodies.map(({ place }) => place),
    xs,
  );
  copyVectors(
    bodies.map(({ velocity }) => velocity),
    vs,
  );
  copyVectors(seen, errors);
  for (let s = 0; s < steps; s++) {
    accelerate(g, masses, xs, as, 0);
    const k = s === 0 ? dt / 2 : dt;
    for (let i = 0; i < size; i++) {
      const v = (vs[i] ?? 0) + k * (as[i] ?? 0);
      vs[i] = v;
      xs[i] = (xs[i] ?? 0) + dt * v;
    }
  }
  return squaredErrors(xs, 0, errors) / bodies.length;
}

function lossGradient(g: Gravity, dt: number, steps: number, bodies: readonly Body[], seen: readonly Vec3[]) {
  const size = 3 * bodies.length;
  const masses = Float64Array.from(bodies, ({ mass }) => mass);
  const xs = new Float64Array((steps + 1) * size);
  const vs = new Float64Array((steps + 1) * size);
  const as = new Float64Array(steps * size);
  const errors = new Float64Array(size);
  copyVectors(
    bodies.map(({ place }) => place),
    xs,
  );
  copyVectors(
    bodies.map(({ velocity }) => velocity),
    vs,
  );
  copyVectors(seen, errors);
  for (let s = 0; s < steps; s++) {
    const at = s * size;
    accelerate(g, masses, xs, as, at);
    const k = s === 0 ? dt / 2 : dt;
    for (let i = at; i < at + size; i++) {
      const v = (vs[i] ?? 0) + k * (as[i] ?? 0);
      vs[i + size] = v;
      xs[i + size] = (xs[i] ?? 0) + dt * v;
    }
  }
  const total = squaredErrors(xs, steps * size, errors);
  const xs_ = errors.map((error) => (2 * error) / bodies.length);
  const seen_ = xs_.map((x_) => -x_);
  const vs_ = new Float64Array(size);
  const as_ = new Float64Array(size);
  const masses_ = new Float64Array(bodies.length);
  const g_ = new Float64Array(2);
  let dt_ = 0;
  for (let s = steps - 1; s >= 0; s--) {
    const at = s * size;
    const share = s === 0 ? 0.5 : 1;
    for (let i = 0; i < size; i++) {
      const x_ = xs_[i] ?? 0;
      const v_ = (vs_[i] ?? 0) + dt * x_;
      vs_[i] = v_;
      as_[i] = share * dt * v_;
      dt_ += x_ * (vs[at + size + i] ?? 0) + share * v_ * (as[at + i] ?? 0);
    }
    accelerateBack(g, masses, xs, at, as_, xs_, masses_, g_);
  }
  const vector = (from: Float64Array, p: number): Vec3 => ({
    x: from[3 * p] ?? 0,
    y: from[3 * p + 1] ?? 0,
    z: from[3 * p + 2] ?? 0,
  });
  return {
    value: total / bodies.length,
    grad: {
      g: { constant: g_[0] ?? 0, softening: g_[1] ?? 0 },
      dt: dt_,
      steps: 0,
      bodies: bodies.map((_, p): Body => ({ mass: masses_[p] ?? 0, place: vector(xs_, p), velocity: vector(vs_, p) })),
      seen: seen.map((_, p) => vector(seen_, p)),
    },
  };
}

/** Vectors of numbers up to `scale`. */
function vectors(count: number, seed: number, scale: number): readonly Vec3[] {
  const all = vec(3 * count, seed, scale);
  return Array.from({ length: count }, (_, p) => ({
    x: all[3 * p] ?? 0,
    y: all[3 * p + 1] ?? 0,
    z: all[3 * p + 2] ?? 0,
  }));
}

/** Ten steps of bodies in a cube. */
function ofSize(count: number): Sized {
  const velocities = vectors(count, 771, 0.3);
  const masses = vec(count, 772, 0.4);
  return {
    entry: "loss",
    args: [
      { constant: 0.5, softening: 0.2 },
      0.05,
      10,
      vectors(count, 770, 2).map((place, p) => ({
        mass: 1 + (masses[p] ?? 0),
        place,
        velocity: velocities[p] ?? place,
      })),
      vectors(count, 773, 2),
    ],
    elements: count * count * 10 * 40,
    primal: loss,
    gradient: lossGradient,
  };
}

export const workloads = natural("n-bodies", [10, 40, 160], ofSize);
