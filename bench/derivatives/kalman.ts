// By hand: a = predicted variance, s = spread, e = surprise; the new mean is m + a e / s, the new variance a n / s with the noise n.

import { vec } from "../inputs.js";
import type { DerivativeModel } from "./model.js";

function jvp(logDrift: number, logNoise: number, seen: Float64Array, dlogDrift: number, dlogNoise: number) {
  const [q, n] = [Math.exp(logDrift), Math.exp(logNoise)];
  const [dq, dn] = [q * dlogDrift, n * dlogNoise];
  let [m, dm, p, dp, cost, dcost] = [0, 0, 1, 0, 0, 0];
  for (let i = 0; i < seen.length; i++) {
    const a = p + q;
    const da = dp + dq;
    const s = a + n;
    const ds = da + dn;
    const e = (seen[i] ?? 0) - m;
    const r = 1 / s;
    const er = e * r;
    cost += 0.5 * (Math.log(s) + e * er);
    dcost += 0.5 * (1 - e * er) * r * ds - er * dm;
    const k = a * r;
    const dk = (da - k * ds) * r;
    m += k * e;
    dm += dk * e - k * dm;
    p = k * n;
    dp = dk * n + k * dn;
  }
  return { value: cost, tangent: dcost };
}

function hvp(logDrift: number, logNoise: number, seen: Float64Array, dlogDrift: number, dlogNoise: number) {
  const [q, n] = [Math.exp(logDrift), Math.exp(logNoise)];
  const [dq, dn] = [q * dlogDrift, n * dlogNoise];
  const saved = new Float64Array(4 * seen.length);
  let [m, dm, p, dp, value] = [0, 0, 1, 0, 0];
  for (let i = 0; i < seen.length; i++) {
    const a = p + q;
    const da = dp + dq;
    const s = a + n;
    const e = (seen[i] ?? 0) - m;
    saved[4 * i] = e;
    saved[4 * i + 1] = dm;
    saved[4 * i + 2] = a;
    saved[4 * i + 3] = da;
    value += 0.5 * (Math.log(s) + (e * e) / s);
    const k = a / s;
    const dk = (da - k * (da + dn)) / s;
    m += k * e;
    dm += dk * e - k * dm;
    p = k * n;
    dp = dk * n + k * dn;
  }
  let [m_, dm_, p_, dp_, q_, dq_, n_, dn_] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = seen.length - 1; i >= 0; i--) {
    const e = saved[4 * i] ?? 0;
    const de = -(saved[4 * i + 1] ?? 0);
    const a = saved[4 * i + 2] ?? 0;
    const da = saved[4 * i + 3] ?? 0;
    const r = 1 / (a + n);
    const dr = -r * r * (da + dn);
    const k = a * r;
    const dk = da * r + a * dr;
    // mean = m + k e, variance = k n, cost = (log s + e² r) / 2
    const k_ = m_ * e + p_ * n;
    const dk_ = dm_ * e + m_ * de + dp_ * n + p_ * dn;
    const e_ = m_ * k + e * r;
    const de_ = dm_ * k + m_ * dk + de * r + e * dr;
    n_ += p_ * k;
    dn_ += dp_ * k + p_ * dk;
    const r_ = k_ * a + 0.5 * e * e;
    const dr_ = dk_ * a + k_ * da + e * de;
    const s_ = 0.5 * r - r_ * r * r;
    const ds_ = 0.5 * dr - dr_ * r * r - 2 * r_ * r * dr;
    const a_ = k_ * r + s_;
    const da_ = dk_ * r + k_ * dr + ds_;
    n_ += s_;
    dn_ += ds_;
    q_ += a_;
    dq_ += da_;
    p_ = a_;
    dp_ = da_;
    m_ -= e_;
    dm_ -= de_;
  }
  return {
    value,
    grad: { logDrift: q_ * q, logNoise: n_ * n },
    hvp: { logDrift: dq_ * q + q_ * dq, logNoise: dn_ * n + n_ * dn },
  };
}

export const kalman: DerivativeModel = {
  name: "kalman",
  entry: "kalman",
  wrt: ["logDrift", "logNoise"],
  args: [-1, 0.5, vec(1000, 1, 3)],
  direction: [0.7, -0.3],
  jvp,
  hvp,
  jacobian: null,
};
