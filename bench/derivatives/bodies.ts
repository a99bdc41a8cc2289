// By hand: pair by pair, with f = m m' / r³ and its tangent.

import { vec } from "../inputs.js";
import type { DerivativeModel } from "./model.js";

type Numbers = Float64Array;

function jvp(xs: Numbers, ys: Numbers, zs: Numbers, masses: Numbers, dxs: Numbers, dys: Numbers, dzs: Numbers) {
  let [value, tangent] = [0, 0];
  for (let i = 0; i < xs.length; i++) {
    for (let j = 0; j < i; j++) {
      const x = (xs[i] ?? 0) - (xs[j] ?? 0);
      const y = (ys[i] ?? 0) - (ys[j] ?? 0);
      const z = (zs[i] ?? 0) - (zs[j] ?? 0);
      const dx = (dxs[i] ?? 0) - (dxs[j] ?? 0);
      const dy = (dys[i] ?? 0) - (dys[j] ?? 0);
      const dz = (dzs[i] ?? 0) - (dzs[j] ?? 0);
      const square = x * x + y * y + z * z + 0.01;
      const energy = ((masses[i] ?? 0) * (masses[j] ?? 0)) / Math.sqrt(square);
      value -= energy;
      tangent += (energy / square) * (x * dx + y * dy + z * dz);
    }
  }
  return { value, tangent };
}

function hvp(xs: Numbers, ys: Numbers, zs: Numbers, masses: Numbers, dxs: Numbers, dys: Numbers, dzs: Numbers) {
  const n = xs.length;
  const [gx, gy, gz] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  const [hx, hy, hz] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  const add = (to: Numbers, i: number, j: number, force: number): void => {
    to[i] = (to[i] ?? 0) + force;
    to[j] = (to[j] ?? 0) - force;
  };
  let value = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const x = (xs[i] ?? 0) - (xs[j] ?? 0);
      const y = (ys[i] ?? 0) - (ys[j] ?? 0);
      const z = (zs[i] ?? 0) - (zs[j] ?? 0);
      const dx = (dxs[i] ?? 0) - (dxs[j] ?? 0);
      const dy = (dys[i] ?? 0) - (dys[j] ?? 0);
      const dz = (dzs[i] ?? 0) - (dzs[j] ?? 0);
      const square = x * x + y * y + z * z + 0.01;
      const energy = ((masses[i] ?? 0) * (masses[j] ?? 0)) / Math.sqrt(square);
      const f = energy / square;
      const df = (-3 * f * (x * dx + y * dy + z * dz)) / square;
      value -= energy;
      add(gx, i, j, f * x);
      add(gy, i, j, f * y);
      add(gz, i, j, f * z);
      add(hx, i, j, f * dx + df * x);
      add(hy, i, j, f * dy + df * y);
      add(hz, i, j, f * dz + df * z);
    }
  }
  return { value, grad: { xs: gx, ys: gy, zs: gz }, hvp: { xs: hx, ys: hy, zs: hz } };
}

export const bodies: DerivativeModel = {
  name: "n-body",
  entry: "bodies",
  wrt: ["xs", "ys", "zs"],
  args: [vec(64, 1), vec(64, 2), vec(64, 3), vec(64, 4).map((x) => 2 + x)],
  direction: [vec(64, 5), vec(64, 6), vec(64, 7)],
  jvp,
  hvp,
  jacobian: null,
};
