// Reaction and diffusion on a ring by the method of Runge and Kutta, by hand.

import { vec } from "../../inputs.js";
import type { Workload } from "../../workload.js";

interface Rates {
  readonly spread: number;
  readonly growth: number;
  readonly decay: number;
}

/** The slope at `u`, which is the row of `states` at `at`. */
function slope(r: Rates, states: Float64Array, at: number, out: Float64Array): void {
  const m = out.length;
  for (let i = 0; i < m; i++) {
    const x = states[at + i] ?? 0;
    const left = states[at + (i === 0 ? m - 1 : i - 1)] ?? 0;
    const right = states[at + (i === m - 1 ? 0 : i + 1)] ?? 0;
    out[i] = r.spread * (left - 2 * x + right) + r.growth * x * (1 - x) - r.decay * x;
  }
}

/** What one step takes beside its states: four slopes. */
function slopes(m: number): Float64Array[] {
  return Array.from({ length: 4 }, () => new Float64Array(m));
}

const none = new Float64Array(0);

/** One step: the four states at which slopes are taken stand one after the other in `states` at `at`, the first one given; the next goes to `next`. */
function step(r: Rates, dt: number, states: Float64Array, at: number, ks: readonly Float64Array[], next: number): void {
  const [k1 = none, k2 = none, k3 = none, k4 = none] = ks;
  const m = k1.length;
  slope(r, states, at, k1);
  for (let i = 0; i < m; i++) states[at + m + i] = (states[at + i] ?? 0) + (dt / 2) * (k1[i] ?? 0);
  slope(r, states, at + m, k2);
  for (let i = 0; i < m; i++) states[at + 2 * m + i] = (states[at + i] ?? 0) + (dt / 2) * (k2[i] ?? 0);
  slope(r, states, at + 2 * m, k3);
  for (let i = 0; i < m; i++) states[at + 3 * m + i] = (states[at + i] ?? 0) + dt * (k3[i] ?? 0);
  slope(r, states, at + 3 * m, k4);
  for (let i = 0; i < m; i++) {
    const sum = (k1[i] ?? 0) + 2 * (k2[i] ?? 0) + 2 * (k3[i] ?? 0) + (k4[i] ?? 0);
    states[next + i] = (states[at + i] ?? 0) + (dt / 6) * sum;
  }
}

function distance(last: Float64Array, at: number, seen: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < seen.length; i++) {
    const e = (last[at + i] ?? 0) - (seen[i] ?? 0);
    sum += e * e;
  }
  return sum;
}

function loss(r: Rates, n: number, dt: number, start: Float64Array, seen: Float64Array): number {
  const m = start.length;
  const states = new Float64Array(4 * m);
  const ks = slopes(m);
  states.set(start);
  for (let iteration = 0; iteration < n; iteration++) step(r, dt, states, 0, ks, 0);
  return distance(states, 0, seen);
}

/** Adds to `u_` what the cotangent `k_` of the slope at a state gives, and to `r_` that of the rates; the product of `k_` and the slope. */
function slopeBack(
  r: Rates,
  states: Float64Array,
  at: number,
  k_: Float64Array,
  u_: Float64Array,
  r_: { spread: number; growth: number; decay: number },
): number {
  const m = u_.length;
  let spread = 0;
  let growth = 0;
  let decay = 0;
  for (let i = 0; i < m; i++) {
    const before = i === 0 ? m - 1 : i - 1;
    const after = i === m - 1 ? 0 : i + 1;
    const x = states[at + i] ?? 0;
    const k = k_[i] ?? 0;
    const flow = k * r.spread;
    spread += k * ((states[at + before] ?? 0) - 2 * x + (states[at + after] ?? 0));
    growth += k * x * (1 - x);
    decay -= k * x;
    u_[before] = (u_[before] ?? 0) + flow;
    u_[after] = (u_[after] ?? 0) + flow;
    u_[i] = (u_[i] ?? 0) + k * (r.growth * (1 - 2 * x) - r.decay) - 2 * flow;
  }
  r_.spread += spread;
  r_.growth += growth;
  r_.decay += decay;
  return spread * r.spread + growth * r.growth + decay * r.decay;
}

function lossGradient(r: Rates, n: number, dt: number, start: Float64Array, seen: Float64Array) {
  const m = start.length;
  const width = 4 * m;
  const states = new Float64Array(n * width + m);
  const ks = slopes(m);
  states.set(start);
  for (let iteration = 0; iteration < n; iteration++)
    step(r, dt, states, iteration * width, ks, (iteration + 1) * width);
  const value = distance(states, n * width, seen);

  const r_ = { spread: 0, growth: 0, decay: 0 };
  const seen_ = new Float64Array(m);
  const u_ = new Float64Array(m);
  const k_ = new Float64Array(m);
  const state_ = new Float64Array(m);
  let dt_ = 0;
  for (let i = 0; i < m; i++) {
    const e_ = 2 * ((states[n * width + i] ?? 0) - (seen[i] ?? 0));
    u_[i] = e_;
    seen_[i] = -e_;
  }
  const out_ = new Float64Array(m);
  for (let iteration = n - 1; iteration >= 0; iteration--) {
    const at = iteration * width;
    out_.set(u_);
    for (let stage = 3; stage >= 0; stage--) {
      // The slope's cotangent: what the sum of slopes gives it, and the state of the next stage, which is u + h k
      const weight = stage === 0 || stage === 3 ? 1 / 6 : 1 / 3;
      const h = stage === 3 ? 0 : stage === 2 ? 1 : 1 / 2;
      for (let i = 0; i < m; i++) k_[i] = weight * (out_[i] ?? 0) + h * (state_[i] ?? 0);
      state_.fill(0);
      const rates_ = { spread: 0, growth: 0, decay: 0 };
      dt_ += slopeBack(r, states, at + stage * m, k_, state_, rates_);
      for (let i = 0; i < m; i++) {
        const s_ = dt * (state_[i] ?? 0);
        state_[i] = s_;
        u_[i] = (u_[i] ?? 0) + s_;
      }
      r_.spread += dt * rates_.spread;
      r_.growth += dt * rates_.growth;
      r_.decay += dt * rates_.decay;
    }
  }
  return { value, grad: { r: r_, n: 0, dt: dt_, start: u_, seen: seen_ } };
}

/** 50 steps on a ring of some cells. */
export function reaction(cells: number): Workload {
  const start = vec(cells, 41).map((x) => 0.5 + 0.4 * x);
  return {
    name: `reaction ${cells}`,
    file: "fixtures/models/reaction-diffusion.lam",
    entry: "loss",
    elements: 200 * cells,
    args: [{ spread: 0.3, growth: 0.9, decay: 0.1 }, 50, 0.05, start, vec(cells, 42)],
    primal: loss,
    gradient: lossGradient,
    cotangents: null,
    elsewhere: null,
  };
}
