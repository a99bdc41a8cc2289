// Poses of an arm by hand: turns and sines along the chain are kept, and quaternions' cotangents carried back from the hand to the shoulder.

import { matrix, rowsOf, vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

interface Vec3 {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

interface Joint {
  readonly axis: Vec3;
  readonly bone: Vec3;
}

/** An arm in flat arrays, and what is known at each joint of one pose. */
class Chain {
  readonly count: number;
  readonly axes: Float64Array;
  readonly bones: Float64Array;
  readonly sines: Float64Array;
  readonly cosines: Float64Array;
  /** The turn before each joint, and that behind the last: four numbers each. */
  readonly turns: Float64Array;
  /** Where the hand is. */
  readonly hand = new Float64Array(3);

  constructor(arm: readonly Joint[]) {
    this.count = arm.length;
    this.axes = new Float64Array(3 * arm.length);
    this.bones = new Float64Array(3 * arm.length);
    arm.forEach(({ axis, bone }, n) => {
      this.axes[3 * n] = axis.x;
      this.axes[3 * n + 1] = axis.y;
      this.axes[3 * n + 2] = axis.z;
      this.bones[3 * n] = bone.x;
      this.bones[3 * n + 1] = bone.y;
      this.bones[3 * n + 2] = bone.z;
    });
    this.sines = new Float64Array(arm.length);
    this.cosines = new Float64Array(arm.length);
    this.turns = new Float64Array(4 * arm.length + 4);
    this.turns[0] = 1;
  }

  /** Moves the arm to a pose. */
  move(angles: Float64Array): void {
    const { count, axes, bones, sines, cosines, turns, hand } = this;
    let [px, py, pz] = [0, 0, 0];
    let [w, i, j, k] = [1, 0, 0, 0];
    for (let n = 0; n < count; n++) {
      const half = 0.5 * (angles[n] ?? 0);
      const s = Math.sin(half);
      const c = Math.cos(half);
      sines[n] = s;
      cosines[n] = c;
      const a = s * (axes[3 * n] ?? 0);
      const b = s * (axes[3 * n + 1] ?? 0);
      const d = s * (axes[3 * n + 2] ?? 0);
      const w1 = w * c - i * a - j * b - k * d;
      const i1 = w * a + i * c + j * d - k * b;
      const j1 = w * b - i * d + j * c + k * a;
      const k1 = w * d + i * b - j * a + k * c;
      w = w1;
      i = i1;
      j = j1;
      k = k1;
      turns[4 * n + 4] = w;
      turns[4 * n + 5] = i;
      turns[4 * n + 6] = j;
      turns[4 * n + 7] = k;
      const x = bones[3 * n] ?? 0;
      const y = bones[3 * n + 1] ?? 0;
      const z = bones[3 * n + 2] ?? 0;
      const stay = w * w - i * i - j * j - k * k;
      const along = 2 * (i * x + j * y + k * z);
      px += stay * x + along * i + 2 * w * (j * z - k * y);
      py += stay * y + along * j + 2 * w * (k * x - i * z);
      pz += stay * z + along * k + 2 * w * (i * y - j * x);
    }
    hand[0] = px;
    hand[1] = py;
    hand[2] = pz;
  }
}

function squares(xs: Float64Array): number {
  let total = 0;
  for (let n = 0; n < xs.length; n++) total += (xs[n] ?? 0) * (xs[n] ?? 0);
  return total;
}

function loss(
  arm: readonly Joint[],
  stiffness: number,
  poses: readonly Float64Array[],
  targets: readonly Vec3[],
): number {
  const chain = new Chain(arm);
  let total = 0;
  let bent = 0;
  poses.forEach((angles, p) => {
    chain.move(angles);
    const target = targets[p];
    const dx = (chain.hand[0] ?? 0) - (target?.x ?? 0);
    const dy = (chain.hand[1] ?? 0) - (target?.y ?? 0);
    const dz = (chain.hand[2] ?? 0) - (target?.z ?? 0);
    total += dx * dx + dy * dy + dz * dz;
    bent += squares(angles);
  });
  return (total + stiffness * bent) / poses.length;
}

/** Back along a chain: the hand's cotangent gives those of axes and bones, which are added up, and of the angles. */
function moveBack(
  { count, axes, bones, sines, cosines, turns }: Chain,
  gx: number,
  gy: number,
  gz: number,
  axes_: Float64Array,
  bones_: Float64Array,
  angles_: Float64Array,
): void {
  let [w_, i_, j_, k_] = [0, 0, 0, 0];
  for (let n = count - 1; n >= 0; n--) {
    const w = turns[4 * n + 4] ?? 0;
    const i = turns[4 * n + 5] ?? 0;
    const j = turns[4 * n + 6] ?? 0;
    const k = turns[4 * n + 7] ?? 0;
    const x = bones[3 * n] ?? 0;
    const y = bones[3 * n + 1] ?? 0;
    const z = bones[3 * n + 2] ?? 0;
    // The bone's turn: (w w - u u) v + 2 (u v) u + 2 w (u x v)
    const stay = w * w - i * i - j * j - k * k;
    const uv = 2 * (i * x + j * y + k * z);
    const ug = 2 * (i * gx + j * gy + k * gz);
    const vg = 2 * (x * gx + y * gy + z * gz);
    // v x g, then g x u
    const cx = y * gz - z * gy;
    const cy = z * gx - x * gz;
    const cz = x * gy - y * gx;
    const ex = gy * k - gz * j;
    const ey = gz * i - gx * k;
    const ez = gx * j - gy * i;
    bones_[3 * n] = (bones_[3 * n] ?? 0) + stay * gx + ug * i + 2 * w * ex;
    bones_[3 * n + 1] = (bones_[3 * n + 1] ?? 0) + stay * gy + ug * j + 2 * w * ey;
    bones_[3 * n + 2] = (bones_[3 * n + 2] ?? 0) + stay * gz + ug * k + 2 * w * ez;
    w_ += vg * w + 2 * (i * cx + j * cy + k * cz);
    i_ += -vg * i + ug * x + uv * gx + 2 * w * cx;
    j_ += -vg * j + ug * y + uv * gy + 2 * w * cy;
    k_ += -vg * k + ug * z + uv * gz + 2 * w * cz;
    // The product of the turn before and the joint's own
    const s = sines[n] ?? 0;
    const c = cosines[n] ?? 0;
    const ax = axes[3 * n] ?? 0;
    const ay = axes[3 * n + 1] ?? 0;
    const az = axes[3 * n + 2] ?? 0;
    const w0 = turns[4 * n] ?? 0;
    const i0 = turns[4 * n + 1] ?? 0;
    const j0 = turns[4 * n + 2] ?? 0;
    const k0 = turns[4 * n + 3] ?? 0;
    const c_ = w0 * w_ + i0 * i_ + j0 * j_ + k0 * k_;
    const a_ = -i0 * w_ + w0 * i_ + k0 * j_ - j0 * k_;
    const b_ = -j0 * w_ - k0 * i_ + w0 * j_ + i0 * k_;
    const d_ = -k0 * w_ + j0 * i_ - i0 * j_ + w0 * k_;
    axes_[3 * n] = (axes_[3 * n] ?? 0) + s * a_;
    axes_[3 * n + 1] = (axes_[3 * n + 1] ?? 0) + s * b_;
    axes_[3 * n + 2] = (axes_[3 * n + 2] ?? 0) + s * d_;
    angles_[n] = (angles_[n] ?? 0) + 0.5 * (c * (ax * a_ + ay * b_ + az * d_) - s * c_);
    const a = s * ax;
    const b = s * ay;
    const d = s * az;
    const w1 = c * w_ + a * i_ + b * j_ + d * k_;
    const i1 = -a * w_ + c * i_ - d * j_ + b * k_;
    const j1 = -b * w_ + d * i_ + c * j_ - a * k_;
    const k1 = -d * w_ - b * i_ + a * j_ + c * k_;
    w_ = w1;
    i_ = i1;
    j_ = j1;
    k_ = k1;
  }
}

function lossGradient(
  arm: readonly Joint[],
  stiffness: number,
  poses: readonly Float64Array[],
  targets: readonly Vec3[],
) {
  const chain = new Chain(arm);
  const count = poses.length;
  const joints = arm.length;
  const scale = 2 / count;
  const axes_ = new Float64Array(3 * joints);
  const bones_ = new Float64Array(3 * joints);
  const poses_ = rowsOf(new Float64Array(count * joints), count, joints);
  let total = 0;
  let bent = 0;
  const targets_ = poses.map((angles, p): Vec3 => {
    chain.move(angles);
    const target = targets[p];
    const dx = (chain.hand[0] ?? 0) - (target?.x ?? 0);
    const dy = (chain.hand[1] ?? 0) - (target?.y ?? 0);
    const dz = (chain.hand[2] ?? 0) - (target?.z ?? 0);
    total += dx * dx + dy * dy + dz * dz;
    bent += squares(angles);
    const angles_ = poses_[p] ?? angles;
    for (let n = 0; n < joints; n++) angles_[n] = scale * stiffness * (angles[n] ?? 0);
    moveBack(chain, scale * dx, scale * dy, scale * dz, axes_, bones_, angles_);
    return { x: -scale * dx, y: -scale * dy, z: -scale * dz };
  });
  const vector = (xs: Float64Array, n: number): Vec3 => ({
    x: xs[3 * n] ?? 0,
    y: xs[3 * n + 1] ?? 0,
    z: xs[3 * n + 2] ?? 0,
  });
  return {
    value: (total + stiffness * bent) / count,
    grad: {
      arm: arm.map((_, n) => ({ axis: vector(axes_, n), bone: vector(bones_, n) })),
      stiffness: bent / count,
      poses: poses_,
      targets: targets_,
    },
  };
}

/** An arm of seven joints, whose axes are those of space in turn, and poses of it. */
function ofSize(count: number): Sized {
  const places = vec(3 * count, 721, 1.5);
  return {
    entry: "loss",
    args: [
      Array.from({ length: 7 }, (_, n) => ({
        axis: { x: n % 3 === 0 ? 1 : 0, y: n % 3 === 1 ? 1 : 0, z: n % 3 === 2 ? 1 : 0 },
        bone: { x: 0.1 * n, y: 0.05, z: 0.6 - 0.05 * n },
      })),
      0.05,
      matrix(count, 7, 720, 1.2),
      Array.from({ length: count }, (_, p) => ({
        x: places[3 * p] ?? 0,
        y: places[3 * p + 1] ?? 0,
        z: places[3 * p + 2] ?? 0,
      })),
    ],
    elements: count * 7 * 100,
    primal: loss,
    gradient: lossGradient,
  };
}

export const workloads = natural("inverse-kinematics", [30, 300, 3000], ofSize);
