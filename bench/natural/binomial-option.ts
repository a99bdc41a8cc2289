// An American put in a binomial tree by hand: sold early below a border, which is saved with the values of all nodes.

import { natural, type Sized } from "./natural.js";

interface Tree {
  readonly up: number;
  readonly discount: number;
  /** The probability of a step upwards. */
  readonly p: number;
  /** The nodes' values, where they are kept row by row, the root first. */
  readonly values: Float64Array;
  /** At each step the number of nodes, from the lowest, where the option is sold. */
  readonly sold: Int32Array;
}

/** Where the nodes of a step begin. */
function rowOf(step: number, keep: boolean): number {
  return keep ? (step * (step + 1)) / 2 : 0;
}

function tree(
  spot: number,
  strike: number,
  rate: number,
  volatility: number,
  years: number,
  steps: number,
  keep: boolean,
): Tree {
  const dt = years / steps;
  const up = Math.exp(volatility * Math.sqrt(dt));
  const down = 1 / up;
  const discount = Math.exp(-rate * dt);
  const p = (Math.exp(rate * dt) - down) / (up - down);
  const values = new Float64Array(keep ? rowOf(steps + 2, keep) : steps + 1);
  const sold = new Int32Array(steps + 1);
  const square = up * up;
  const last = rowOf(steps, keep);
  for (let ups = 0, now = spot * Math.pow(up, -steps); ups <= steps && now < strike; ups++, now *= square) {
    values[last + ups] = strike - now;
    sold[steps] = ups + 1;
  }
  const pUp = discount * p;
  const pDown = discount * (1 - p);
  for (let step = steps - 1; step >= 0; step--) {
    const at = rowOf(step, keep);
    const next = rowOf(step + 1, keep);
    let now = spot * Math.pow(up, -step);
    let ups = 0;
    let low = values[next] ?? 0;
    for (; ups <= step; ups++, now *= square) {
      const high = values[next + ups + 1] ?? 0;
      const kept = pUp * high + pDown * low;
      if (kept > strike - now) break;
      values[at + ups] = strike - now;
      low = high;
    }
    sold[step] = ups;
    for (; ups <= step; ups++) {
      const high = values[next + ups + 1] ?? 0;
      values[at + ups] = pUp * high + pDown * low;
      low = high;
    }
  }
  return { up, discount, p, values, sold };
}

function price(spot: number, strike: number, rate: number, volatility: number, years: number, steps: number): number {
  return tree(spot, strike, rate, volatility, years, steps, false).values[0] ?? 0;
}

function priceGradient(spot: number, strike: number, rate: number, volatility: number, years: number, steps: number) {
  const { up, discount, p, values, sold } = tree(spot, strike, rate, volatility, years, steps, true);
  /** Of the nodes of one step. */
  const nodes_ = new Float64Array(steps + 2);
  nodes_[0] = 1;
  let strike_ = 0;
  /** Of the logarithms of `spot` and `up`. */
  let logSpot_ = 0;
  let logUp_ = 0;
  let logDiscount_ = 0;
  let p_ = 0;
  const square = up * up;
  const pUp = discount * p;
  const pDown = discount * (1 - p);
  /** The lowest node that is reached. */
  let lowest = 0;
  for (let step = 0; ; step++) {
    const border = sold[step] ?? 0;
    let now = spot * Math.pow(up, 2 * lowest - step);
    for (let ups = lowest; ups < border; ups++, now *= square) {
      const a = nodes_[ups] ?? 0;
      strike_ += a;
      logSpot_ -= a * now;
      logUp_ -= a * now * (2 * ups - step);
    }
    if (step === steps) break;
    const at = rowOf(step, true);
    const next = at + step + 1;
    lowest = Math.max(lowest, border);
    let rest = 0;
    let low = values[next + lowest] ?? 0;
    for (let ups = lowest; ups <= step; ups++) {
      const a = nodes_[ups] ?? 0;
      const high = values[next + ups + 1] ?? 0;
      logDiscount_ += a * (values[at + ups] ?? 0);
      p_ += a * (high - low);
      low = high;
      nodes_[ups] = rest + pDown * a;
      rest = pUp * a;
    }
    nodes_[step + 1] = rest;
  }
  const dt = years / steps;
  const growth = Math.exp(rate * dt);
  const down = 1 / up;
  const share_ = (discount * p_) / (up - down);
  const up_ = share_ * (down * down - p * (1 + down * down)) + logUp_ / up;
  const rateDt_ = share_ * growth - logDiscount_;
  const spread_ = up_ * up;
  return {
    value: values[0] ?? 0,
    grad: {
      spot: logSpot_ / spot,
      strike: strike_,
      rate: rateDt_ * dt,
      volatility: spread_ * Math.sqrt(dt),
      years: (rateDt_ * rate + (0.5 * spread_ * volatility) / Math.sqrt(dt)) / steps,
      steps: 0,
    },
  };
}

/** A put of a year and a half. */
function ofSize(steps: number): Sized {
  return {
    entry: "price",
    args: [97.3, 101.7, 0.043, 0.27, 1.5, steps],
    elements: (steps * steps) / 2,
    primal: price,
    gradient: priceGradient,
  };
}

export const workloads = natural("binomial-option", [32, 160, 1000], ofSize);
