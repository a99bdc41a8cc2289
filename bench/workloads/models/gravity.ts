// Bodies that attract each other, by hand: leapfrog steps, each of which moves, kicks and moves.

import { vec } from "../../inputs.js";
import type { Workload } from "../../workload.js";

interface Body {
  readonly px: number;
  readonly py: number;
  readonly vx: number;
  readonly vy: number;
  readonly mass: number;
}

type Point = readonly [number, number];

const softening = 0.01;

/** Positions in the middle of each step, velocities before each step and at the end: rows of x, y for each body. Where they are not kept, one row. */
interface Orbit {
  readonly middles: Float64Array;
  readonly velocities: Float64Array;
  readonly masses: Float64Array;
  readonly last: Float64Array;
}

/** What body `i` is accelerated by, where bodies are at `at` and following in `middles`. */
function accelerate(middles: Float64Array, at: number, masses: Float64Array, i: number, out: Float64Array): void {
  const x = middles[at + 2 * i] ?? 0;
  const y = middles[at + 2 * i + 1] ?? 0;
  let ax = 0;
  let ay = 0;
  for (let j = 0; j < masses.length; j++) {
    if (j === i) continue;
    const dx = (middles[at + 2 * j] ?? 0) - x;
    const dy = (middles[at + 2 * j + 1] ?? 0) - y;
    const r2 = dx * dx + dy * dy + softening;
    const k = (masses[j] ?? 0) / (r2 * Math.sqrt(r2));
    ax += k * dx;
    ay += k * dy;
  }
  out[0] = ax;
  out[1] = ay;
}

function orbit(steps: number, dt: number, bodies: readonly Body[], keep: boolean): Orbit {
  const width = 2 * bodies.length;
  const position = new Float64Array(width);
  const masses = new Float64Array(bodies.length);
  const middles = new Float64Array(keep ? steps * width : width);
  const velocities = new Float64Array(keep ? (steps + 1) * width : width);
  const acceleration = new Float64Array(2);
  bodies.forEach((body, i) => {
    position[2 * i] = body.px;
    position[2 * i + 1] = body.py;
    velocities[2 * i] = body.vx;
    velocities[2 * i + 1] = body.vy;
    masses[i] = body.mass;
  });
  for (let step = 0; step < steps; step++) {
    const at = keep ? step * width : 0;
    const next = keep ? at + width : 0;
    for (let i = 0; i < width; i++) middles[at + i] = (position[i] ?? 0) + 0.5 * dt * (velocities[at + i] ?? 0);
    for (let i = 0; i < masses.length; i++) {
      accelerate(middles, at, masses, i, acceleration);
      for (let axis = 0; axis < 2; axis++) {
        const place = 2 * i + axis;
        const v = (velocities[at + place] ?? 0) + dt * (acceleration[axis] ?? 0);
        velocities[next + place] = v;
        position[place] = (middles[at + place] ?? 0) + 0.5 * dt * v;
      }
    }
  }
  return { middles, velocities, masses, last: position };
}

function missOf(last: Float64Array, target: Point): number {
  const x = (last[0] ?? 0) - target[0];
  const y = (last[1] ?? 0) - target[1];
  return x * x + y * y;
}

function miss(steps: number, dt: number, target: Point, bodies: readonly Body[]): number {
  return missOf(orbit(steps, dt, bodies, false).last, target);
}

/**
 * Adds to the cotangents of the positions and masses what body `i` gives them through its acceleration, whose cotangent is `(ax_, ay_)`; what that is
 * multiplied with the acceleration, for the step's length.
 */
function accelerateBack(
  orbit: Orbit,
  at: number,
  i: number,
  ax_: number,
  ay_: number,
  middle_: Float64Array,
  mass_: Float64Array,
): number {
  const { middles, masses } = orbit;
  const x = middles[at + 2 * i] ?? 0;
  const y = middles[at + 2 * i + 1] ?? 0;
  let x_ = 0;
  let y_ = 0;
  let power = 0;
  for (let j = 0; j < masses.length; j++) {
    if (j === i) continue;
    const dx = (middles[at + 2 * j] ?? 0) - x;
    const dy = (middles[at + 2 * j + 1] ?? 0) - y;
    const r2 = dx * dx + dy * dy + softening;
    const share = 1 / (r2 * Math.sqrt(r2));
    const k = (masses[j] ?? 0) * share;
    const k_ = ax_ * dx + ay_ * dy;
    const pull_ = (-3 * k_ * k) / r2;
    const dx_ = ax_ * k + pull_ * dx;
    const dy_ = ay_ * k + pull_ * dy;
    power += k_ * k;
    mass_[j] = (mass_[j] ?? 0) + k_ * share;
    middle_[2 * j] = (middle_[2 * j] ?? 0) + dx_;
    middle_[2 * j + 1] = (middle_[2 * j + 1] ?? 0) + dy_;
    x_ += dx_;
    y_ += dy_;
  }
  middle_[2 * i] = (middle_[2 * i] ?? 0) - x_;
  middle_[2 * i + 1] = (middle_[2 * i + 1] ?? 0) - y_;
  return power;
}

function missGradient(steps: number, dt: number, target: Point, bodies: readonly Body[]) {
  const path = orbit(steps, dt, bodies, true);
  const { velocities, last } = path;
  const count = bodies.length;
  const width = 2 * count;
  const position_ = new Float64Array(width);
  const velocity_ = new Float64Array(width);
  const middle_ = new Float64Array(width);
  const mass_ = new Float64Array(count);
  let dt_ = 0;
  position_[0] = 2 * ((last[0] ?? 0) - target[0]);
  position_[1] = 2 * ((last[1] ?? 0) - target[1]);
  const target_: Point = [-position_[0], -position_[1]];
  for (let step = steps - 1; step >= 0; step--) {
    const at = step * width;
    for (let i = 0; i < width; i++) {
      const p_ = position_[i] ?? 0;
      dt_ += 0.5 * p_ * (velocities[at + width + i] ?? 0);
      velocity_[i] = (velocity_[i] ?? 0) + 0.5 * dt * p_;
      middle_[i] = p_;
    }
    for (let i = 0; i < count; i++) {
      const vx_ = velocity_[2 * i] ?? 0;
      const vy_ = velocity_[2 * i + 1] ?? 0;
      dt_ += accelerateBack(path, at, i, dt * vx_, dt * vy_, middle_, mass_) / dt;
    }
    for (let i = 0; i < width; i++) {
      const m_ = middle_[i] ?? 0;
      dt_ += 0.5 * m_ * (velocities[at + i] ?? 0);
      velocity_[i] = (velocity_[i] ?? 0) + 0.5 * dt * m_;
      position_[i] = m_;
    }
  }
  const bodies_ = bodies.map((_, i) => ({
    px: position_[2 * i],
    py: position_[2 * i + 1],
    vx: velocity_[2 * i],
    vy: velocity_[2 * i + 1],
    mass: mass_[i],
  }));
  return { value: missOf(last, target), grad: { steps: 0, dt: dt_, target: target_, bodies: bodies_ } };
}

/** 100 steps of some bodies. */
export function gravity(count: number): Workload {
  const numbers = vec(5 * count, 40);
  const bodies = Array.from({ length: count }, (_, i): Body => {
    const [px = 0, py = 0, vx = 0, vy = 0, mass = 0] = numbers.subarray(5 * i, 5 * i + 5);
    return { px, py, vx, vy, mass: (1 + 0.5 * mass) / count };
  });
  return {
    name: `n-body ${count}`,
    file: "fixtures/models/gravity.lam",
    entry: "miss",
    elements: 100 * count * count,
    args: [100, 0.01, [0.2, -0.3], bodies],
    primal: miss,
    gradient: missGradient,
    cotangents: null,
    elsewhere: null,
  };
}
