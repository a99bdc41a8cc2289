// A surface of call prices by hand: the Greeks of Black and Scholes, and the chain rule through the smile.

import { erfc } from "../../src/runtime/numbers.js";
import { vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

interface Market {
  readonly spot: number;
  readonly rate: number;
}

interface Smile {
  readonly level: number;
  readonly skew: number;
  readonly curvature: number;
}

interface Quote {
  readonly strike: number;
  readonly price: number;
}

interface Expiry {
  readonly years: number;
  readonly smile: Smile;
  readonly quotes: readonly Quote[];
}

function normalCdf(x: number): number {
  return 0.5 * erfc(-x * Math.SQRT1_2);
}

function loss({ spot, rate }: Market, expiries: readonly Expiry[]): number {
  let loss = 0;
  for (const { years, smile, quotes } of expiries) {
    const root = Math.sqrt(years);
    const discount = Math.exp(-rate * years);
    const drift = rate * years;
    let total = 0;
    for (const { strike, price } of quotes) {
      const k = Math.log(strike / spot) - drift;
      const spread = (smile.level + (smile.skew + smile.curvature * k) * k) * root;
      const d1 = -k / spread + 0.5 * spread;
      const error = spot * normalCdf(d1) - strike * discount * normalCdf(d1 - spread) - price;
      total += error * error;
    }
    loss += total / quotes.length;
  }
  return loss;
}

function lossGradient({ spot, rate }: Market, expiries: readonly Expiry[]) {
  let loss = 0;
  let spot_ = 0;
  let rate_ = 0;
  const expiries_ = expiries.map(({ years, smile, quotes }): Expiry => {
    const root = Math.sqrt(years);
    const discount = Math.exp(-rate * years);
    const drift = rate * years;
    const scale = 2 / quotes.length;
    const phi = 1 / Math.sqrt(2 * Math.PI);
    let [total, level_, skew_, curvature_, drift_, root_] = [0, 0, 0, 0, 0, 0];
    const quotes_ = quotes.map(({ strike, price }): Quote => {
      const k = Math.log(strike / spot) - drift;
      const vol = smile.level + (smile.skew + smile.curvature * k) * k;
      const spread = vol * root;
      const d1 = -k / spread + 0.5 * spread;
      const delta = normalCdf(d1);
      const exercised = discount * normalCdf(d1 - spread);
      const error = spot * delta - strike * exercised - price;
      total += error * error;
      const error_ = scale * error;
      // The price's derivative in the spread; that in d1 is zero.
      const spread_ = error_ * spot * phi * Math.exp(-0.5 * d1 * d1);
      const vol_ = spread_ * root;
      const k_ = vol_ * (smile.skew + 2 * smile.curvature * k);
      root_ += spread_ * vol;
      level_ += vol_;
      skew_ += vol_ * k;
      curvature_ += vol_ * k * k;
      spot_ += error_ * delta - k_ / spot;
      drift_ += error_ * strike * exercised - k_;
      return { strike: k_ / strike - error_ * exercised, price: -error_ };
    });
    loss += total / quotes.length;
    rate_ += drift_ * years;
    return {
      years: drift_ * rate + (0.5 * root_) / root,
      smile: { level: level_, skew: skew_, curvature: curvature_ },
      quotes: quotes_,
    };
  });
  return { value: loss, grad: { market: { spot: spot_, rate: rate_ }, expiries: expiries_ } };
}

/** Six expiries with `count` quotes each. */
function ofSize(count: number): Sized {
  const expiries = Array.from({ length: 6 }, (_, i): Expiry => {
    const places = vec(count, 700 + i, 0.3);
    const noise = vec(count, 710 + i, 2);
    return {
      years: 0.25 + 0.4 * i,
      smile: { level: 0.2 + 0.01 * i, skew: -0.1 + 0.01 * i, curvature: 0.2 },
      quotes: Array.from({ length: count }, (_, j) => ({
        strike: 100 * Math.exp(places[j] ?? 0),
        price: Math.max(0, -100 * (places[j] ?? 0)) + 4 + (noise[j] ?? 0),
      })),
    };
  });
  return {
    entry: "loss",
    args: [{ spot: 100, rate: 0.03 }, expiries],
    elements: count * 6 * 80,
    primal: loss,
    gradient: lossGradient,
  };
}

export const workloads = natural("implied-volatility", [30, 300, 3000], ofSize);
