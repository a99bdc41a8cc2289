// Mass action by hand: the concentrations before each step and its four slopes kept, the states between taken from them again on the way back.

import { matrix, rowsOf } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

type Rows = readonly Float64Array[];

interface Reaction {
  readonly rate: number;
  readonly meet: readonly number[];
  readonly change: Float64Array;
}

const none = new Float64Array(0);

/** Reactions in flat arrays; concentrations, slopes and cotangents of a step. */
class Kinetics {
  readonly species: number;
  readonly count: number;
  readonly rates: Float64Array;
  /** Which species meet in reaction `r`: from `starts[r]` up to `starts[r + 1]`. */
  readonly starts: Int32Array;
  readonly meet: Int32Array;
  /** By reactions. */
  readonly changes: Float64Array;
  readonly rates_: Float64Array;
  readonly changes_: Float64Array;
  private readonly speeds: Float64Array;
  private readonly between: Float64Array;
  private readonly next_: Float64Array;
  private readonly slope_: Float64Array;
  private readonly between_: Float64Array;

  constructor(reactions: readonly Reaction[], species: number) {
    const count = reactions.length;
    this.species = species;
    this.count = count;
    this.rates = Float64Array.from(reactions, ({ rate }) => rate);
    this.starts = new Int32Array(count + 1);
    this.meet = Int32Array.from(reactions.flatMap(({ meet }) => meet));
    this.changes = new Float64Array(count * species);
    reactions.forEach(({ meet, change }, r) => {
      this.starts[r + 1] = (this.starts[r] ?? 0) + meet.length;
      this.changes.set(change, r * species);
    });
    this.rates_ = new Float64Array(count);
    this.changes_ = new Float64Array(count * species);
    this.speeds = new Float64Array(count);
    this.between = new Float64Array(species);
    this.next_ = new Float64Array(species);
    this.slope_ = new Float64Array(species);
    this.between_ = new Float64Array(species);
  }

  /** The slopes at concentrations in `cs` from `at`, in `ks` from `to`. */
  private slope(cs: Float64Array, at: number, ks: Float64Array, to: number): void {
    const { species, count, rates, starts, meet, changes, speeds } = this;
    for (let r = 0; r < count; r++) {
      let speed = rates[r] ?? 0;
      const end = starts[r + 1] ?? 0;
      for (let p = starts[r] ?? 0; p < end; p++) speed *= cs[at + (meet[p] ?? 0)] ?? 0;
      speeds[r] = speed;
    }
    for (let i = 0; i < species; i++) {
      let total = 0;
      for (let r = 0, place = i; r < count; r++, place += species) total += (speeds[r] ?? 0) * (changes[place] ?? 0);
      ks[to + i] = total;
    }
  }

  /** The concentrations that are `by` along slopes from `k`. */
  private along(cs: Float64Array, at: number, by: number, ks: Float64Array, k: number): Float64Array {
    const { species, between } = this;
    for (let i = 0; i < species; i++) between[i] = (cs[at + i] ?? 0) + by * (ks[k + i] ?? 0);
    return between;
  }

  /** A step from concentrations in `cs` at `at` to those at `next`; its slopes in `ks` from `k`. */
  step(cs: Float64Array, at: number, next: number, h: number, ks: Float64Array, k: number): void {
    const s = this.species;
    this.slope(cs, at, ks, k);
    this.slope(this.along(cs, at, h / 2, ks, k), 0, ks, k + s);
    this.slope(this.along(cs, at, h / 2, ks, k + s), 0, ks, k + 2 * s);
    this.slope(this.along(cs, at, h, ks, k + 2 * s), 0, ks, k + 3 * s);
    for (let i = k; i < k + s; i++) {
      const sum = (ks[i] ?? 0) + 2 * ((ks[i + s] ?? 0) + (ks[i + 2 * s] ?? 0)) + (ks[i + 3 * s] ?? 0);
      cs[next + i - k] = (cs[at + i - k] ?? 0) + (h / 6) * sum;
    }
  }

  /** Back from `slope_`, the cotangents of the slopes, to those of the concentrations in `between_`. */
  private slopeBack(cs: Float64Array, at: number): void {
    const { species, count, rates, starts, meet, changes, rates_, changes_, slope_, between_ } = this;
    between_.fill(0);
    for (let r = 0, row = 0; r < count; r++, row += species) {
      const start = starts[r] ?? 0;
      const end = starts[r + 1] ?? 0;
      let met = 1;
      for (let p = start; p < end; p++) met *= cs[at + (meet[p] ?? 0)] ?? 0;
      const rate = rates[r] ?? 0;
      const speed = rate * met;
      let speed_ = 0;
      for (let i = 0; i < species; i++) {
        const k_ = slope_[i] ?? 0;
        speed_ += k_ * (changes[row + i] ?? 0);
        changes_[row + i] = (changes_[row + i] ?? 0) + k_ * speed;
      }
      rates_[r] = (rates_[r] ?? 0) + speed_ * met;
      for (let p = start; p < end; p++) {
        let others_ = speed_ * rate;
        for (let q = start; q < end; q++) if (q !== p) others_ *= cs[at + (meet[q] ?? 0)] ?? 0;
        const i = meet[p] ?? 0;
        between_[i] = (between_[i] ?? 0) + others_;
      }
    }
  }

  /** Back through a step: `c_` is first the cotangent of the concentrations behind it, then that of those before it. Gives that of `h`. */
  stepBack(cs: Float64Array, at: number, h: number, ks: Float64Array, k: number, c_: Float64Array): number {
    const { species: s, next_, slope_, between_ } = this;
    next_.set(c_);
    let h_ = 0;
    for (let stage = 3; stage >= 0; stage--) {
      const from = k + stage * s;
      const weight = stage === 0 || stage === 3 ? 1 / 6 : 1 / 3;
      // How far along this slope the next one is taken, in units of h
      const reach = stage === 3 ? 0 : stage === 2 ? 1 : 0.5;
      for (let i = 0; i < s; i++) {
        const k_ = weight * (next_[i] ?? 0) + reach * (between_[i] ?? 0);
        h_ += k_ * (ks[from + i] ?? 0);
        slope_[i] = h * k_;
      }
      if (stage === 0) this.slopeBack(cs, at);
      else this.slopeBack(this.along(cs, at, stage === 3 ? h : h / 2, ks, from - s), 0);
      for (let i = 0; i < s; i++) c_[i] = (c_[i] ?? 0) + (between_[i] ?? 0);
    }
    return h_;
  }
}

/** The squared distance of the concentrations in `cs` from `at` from those that are seen. */
function squaredDistance(cs: Float64Array, at: number, seen: Float64Array): number {
  let total = 0;
  for (let i = 0; i < seen.length; i++) {
    const error = (cs[at + i] ?? 0) - (seen[i] ?? 0);
    total += error * error;
  }
  return total;
}

function loss(reactions: readonly Reaction[], start: Float64Array, h: number, steps: number, series: Rows): number {
  const kinetics = new Kinetics(reactions, start.length);
  const cs = start.slice();
  const ks = new Float64Array(4 * start.length);
  let total = 0;
  for (const seen of series) {
    for (let t = 0; t < steps; t++) kinetics.step(cs, 0, 0, h, ks, 0);
    total += squaredDistance(cs, 0, seen);
  }
  return total;
}

function lossGradient(reactions: readonly Reaction[], start: Float64Array, h: number, steps: number, series: Rows) {
  const species = start.length;
  const kinetics = new Kinetics(reactions, species);
  const all = steps * series.length;
  const cs = new Float64Array((all + 1) * species);
  const ks = new Float64Array(4 * all * species);
  cs.set(start);
  let value = 0;
  let at = 0;
  for (const seen of series) {
    for (let t = 0; t < steps; t++, at += species) kinetics.step(cs, at, at + species, h, ks, 4 * at);
    value += squaredDistance(cs, at, seen);
  }
  const c_ = new Float64Array(species);
  const series_ = rowsOf(new Float64Array(series.length * species), series.length, species);
  let h_ = 0;
  for (let n = series.length - 1; n >= 0; n--) {
    const seen = series[n] ?? none;
    const seen_ = series_[n] ?? none;
    for (let i = 0; i < species; i++) {
      const error_ = 2 * ((cs[at + i] ?? 0) - (seen[i] ?? 0));
      c_[i] = (c_[i] ?? 0) + error_;
      seen_[i] = -error_;
    }
    for (let t = 0; t < steps; t++) {
      at -= species;
      h_ += kinetics.stepBack(cs, at, h, ks, 4 * at, c_);
    }
  }
  const { rates_, changes_ } = kinetics;
  const rows_ = rowsOf(changes_, reactions.length, species);
  return {
    value,
    grad: {
      reactions: reactions.map(({ meet }, r) => ({
        rate: rates_[r] ?? 0,
        meet: meet.map(() => 0),
        change: rows_[r] ?? none,
      })),
      start: c_,
      h: h_,
      steps: 0,
      series: series_,
    },
  };
}

/** An enzyme, what it works on, both bound, a product that is bound too, and its pairs: what comes in goes out as pairs. */
function enzyme(): Reaction[] {
  const reaction = (rate: number, meet: readonly number[], ...change: readonly number[]): Reaction => ({
    rate,
    meet,
    change: Float64Array.from(change),
  });
  return [
    reaction(0.2, [], 0, 1, 0, 0, 0, 0),
    reaction(1.3, [0, 1], -1, -1, 1, 0, 0, 0),
    reaction(0.4, [2], 1, 1, -1, 0, 0, 0),
    reaction(0.9, [2], 1, 0, -1, 1, 0, 0),
    reaction(0.7, [0, 3], -1, 0, 0, -1, 1, 0),
    reaction(0.5, [4], 1, 0, 0, 1, -1, 0),
    reaction(0.6, [3, 3], 0, 0, 0, -2, 0, 1),
    reaction(0.3, [5], 0, 0, 0, 0, 0, -1),
  ];
}

/** Ten steps from one observation of six species to the next. */
function ofSize(count: number): Sized {
  return {
    entry: "loss",
    args: [
      enzyme(),
      Float64Array.of(0.8, 1.2, 0, 0.1, 0, 0),
      0.05,
      10,
      matrix(count, 6, 880, 0.5).map((row) => row.map((x) => x + 0.5)),
    ],
    elements: count * 10 * 4 * 120,
    primal: loss,
    gradient: lossGradient,
  };
}

/** Observations. */
export const workloads = natural("rk4-reaction", [10, 100, 1000], ofSize);
