// By hand: u and w are the quaternion's parts, t = 2 u x v, r = v + w t + u x t - seen; the pullback of a x b at c is (b x c, c x a).

import type { DerivativeModel } from "./model.js";

interface Vec3 {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

interface Quaternion {
  readonly vector: Vec3;
  readonly scalar: number;
}

/** Forward sweep: t, r and their tangents. */
function jvp(q: Quaternion, v: Vec3, seen: Vec3, dq: Quaternion, dv: Vec3) {
  const { vector: u, scalar: w } = q;
  const { vector: du, scalar: dw } = dq;
  const tx = 2 * (u.y * v.z - u.z * v.y);
  const ty = 2 * (u.z * v.x - u.x * v.z);
  const tz = 2 * (u.x * v.y - u.y * v.x);
  const dtx = 2 * (du.y * v.z + u.y * dv.z - du.z * v.y - u.z * dv.y);
  const dty = 2 * (du.z * v.x + u.z * dv.x - du.x * v.z - u.x * dv.z);
  const dtz = 2 * (du.x * v.y + u.x * dv.y - du.y * v.x - u.y * dv.x);
  const rx = v.x + w * tx + u.y * tz - u.z * ty - seen.x;
  const ry = v.y + w * ty + u.z * tx - u.x * tz - seen.y;
  const rz = v.z + w * tz + u.x * ty - u.y * tx - seen.z;
  const drx = dv.x + dw * tx + w * dtx + du.y * tz + u.y * dtz - du.z * ty - u.z * dty;
  const dry = dv.y + dw * ty + w * dty + du.z * tx + u.z * dtx - du.x * tz - u.x * dtz;
  const drz = dv.z + dw * tz + w * dtz + du.x * ty + u.x * dty - du.y * tx - u.y * dtx;
  return { value: rx * rx + ry * ry + rz * rz, tangent: 2 * (rx * drx + ry * dry + rz * drz) };
}

function hvp(q: Quaternion, v: Vec3, seen: Vec3, dq: Quaternion, dv: Vec3) {
  const { vector: u, scalar: w } = q;
  const { vector: du, scalar: dw } = dq;
  const tx = 2 * (u.y * v.z - u.z * v.y);
  const ty = 2 * (u.z * v.x - u.x * v.z);
  const tz = 2 * (u.x * v.y - u.y * v.x);
  const dtx = 2 * (du.y * v.z + u.y * dv.z - du.z * v.y - u.z * dv.y);
  const dty = 2 * (du.z * v.x + u.z * dv.x - du.x * v.z - u.x * dv.z);
  const dtz = 2 * (du.x * v.y + u.x * dv.y - du.y * v.x - u.y * dv.x);
  const gx = 2 * (v.x + w * tx + u.y * tz - u.z * ty - seen.x);
  const gy = 2 * (v.y + w * ty + u.z * tx - u.x * tz - seen.y);
  const gz = 2 * (v.z + w * tz + u.x * ty - u.y * tx - seen.z);
  const dgx = 2 * (dv.x + dw * tx + w * dtx + du.y * tz + u.y * dtz - du.z * ty - u.z * dty);
  const dgy = 2 * (dv.y + dw * ty + w * dty + du.z * tx + u.z * dtx - du.x * tz - u.x * dtz);
  const dgz = 2 * (dv.z + dw * tz + w * dtz + du.x * ty + u.x * dty - du.y * tx - u.y * dtx);
  // The cotangent of t, doubled
  const px = 2 * (w * gx + gy * u.z - gz * u.y);
  const py = 2 * (w * gy + gz * u.x - gx * u.z);
  const pz = 2 * (w * gz + gx * u.y - gy * u.x);
  const dpx = 2 * (dw * gx + w * dgx + dgy * u.z + gy * du.z - dgz * u.y - gz * du.y);
  const dpy = 2 * (dw * gy + w * dgy + dgz * u.x + gz * du.x - dgx * u.z - gx * du.z);
  const dpz = 2 * (dw * gz + w * dgz + dgx * u.y + gx * du.y - dgy * u.x - gy * du.x);
  const vector = {
    x: ty * gz - tz * gy + v.y * pz - v.z * py,
    y: tz * gx - tx * gz + v.z * px - v.x * pz,
    z: tx * gy - ty * gx + v.x * py - v.y * px,
  };
  const dvector = {
    x: dty * gz + ty * dgz - dtz * gy - tz * dgy + dv.y * pz + v.y * dpz - dv.z * py - v.z * dpy,
    y: dtz * gx + tz * dgx - dtx * gz - tx * dgz + dv.z * px + v.z * dpx - dv.x * pz - v.x * dpz,
    z: dtx * gy + tx * dgy - dty * gx - ty * dgx + dv.x * py + v.x * dpy - dv.y * px - v.y * dpx,
  };
  return {
    value: (gx * gx + gy * gy + gz * gz) / 4,
    grad: {
      q: { vector, scalar: gx * tx + gy * ty + gz * tz },
      v: { x: gx + py * u.z - pz * u.y, y: gy + pz * u.x - px * u.z, z: gz + px * u.y - py * u.x },
    },
    hvp: {
      q: { vector: dvector, scalar: dgx * tx + gx * dtx + dgy * ty + gy * dty + dgz * tz + gz * dtz },
      v: {
        x: dgx + dpy * u.z + py * du.z - dpz * u.y - pz * du.y,
        y: dgy + dpz * u.x + pz * du.x - dpx * u.z - px * du.z,
        z: dgz + dpx * u.y + px * du.y - dpy * u.x - py * du.x,
      },
    },
  };
}

function jacobian({ vector: u, scalar: w }: Quaternion, v: Vec3) {
  const [tx, ty, tz] = [2 * (u.y * v.z - u.z * v.y), 2 * (u.z * v.x - u.x * v.z), 2 * (u.x * v.y - u.y * v.x)];
  const value = {
    x: v.x + w * tx + u.y * tz - u.z * ty,
    y: v.y + w * ty + u.z * tx - u.x * tz,
    z: v.z + w * tz + u.x * ty - u.y * tx,
  };
  const along = 2 * (u.x * v.x + u.y * v.y + u.z * v.z);
  const [ax, ay, az] = [2 * w * v.x + tx, 2 * w * v.y + ty, 2 * w * v.z + tz];
  const [xx, yy, zz] = [2 * u.x * u.x, 2 * u.y * u.y, 2 * u.z * u.z];
  const [xy, xz, yz] = [2 * u.x * u.y, 2 * u.x * u.z, 2 * u.y * u.z];
  const [wx, wy, wz] = [2 * w * u.x, 2 * w * u.y, 2 * w * u.z];
  // prettier-ignore
  const rows = Float64Array.of(
    along - 2 * v.x * u.x, az - 2 * v.x * u.y, -ay - 2 * v.x * u.z, tx, 1 - yy - zz, xy - wz, xz + wy,
    -az - 2 * v.y * u.x, along - 2 * v.y * u.y, ax - 2 * v.y * u.z, ty, xy + wz, 1 - xx - zz, yz - wx,
    ay - 2 * v.z * u.x, -ax - 2 * v.z * u.y, along - 2 * v.z * u.z, tz, xz - wy, yz + wx, 1 - xx - yy,
  );
  return { value, rows: 3, columns: 7, jacobian: rows };
}

const q = { vector: { x: 0.1, y: -0.4, z: 0.3 }, scalar: 0.8 };
const v = { x: 1.5, y: -0.7, z: 0.2 };

export const rotation: DerivativeModel = {
  name: "rotation",
  entry: "rotation",
  wrt: ["q", "v"],
  args: [q, v, { x: 1, y: 0.5, z: -0.25 }],
  direction: [
    { vector: { x: 0.3, y: 0.2, z: -0.6 }, scalar: 0.4 },
    { x: -0.2, y: 0.9, z: 0.1 },
  ],
  jvp,
  hvp,
  jacobian: { entry: "rotated", args: [q, v], byHand: jacobian, sum: null },
};
