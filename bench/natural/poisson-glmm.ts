// Poisson regression with random intercepts by hand: the linear predictors of a group once, its rates at each node kept until the nodes' shares in the integral are known.

import { rowsOf, vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

interface Visit {
  readonly covariates: Float64Array;
  readonly count: number;
}

interface Model {
  readonly intercept: number;
  readonly slopes: Float64Array;
  readonly logSpread: number;
}

interface Node {
  readonly place: number;
  readonly weight: number;
}

type Groups = readonly (readonly Visit[])[];

const none = new Float64Array(0);

/** The rule in arrays; one group's predictors and rates, and the logarithms of the integral's terms, later their shares. */
class Group {
  /** How far the intercept is off at each node. */
  readonly offs: Float64Array;
  readonly terms: Float64Array;
  /** Counts less rates at each node, summed up. */
  readonly rests: Float64Array;
  /** By nodes. */
  readonly rates: Float64Array;
  readonly scale: number;
  private readonly logWeights: Float64Array;
  private readonly predictors: Float64Array;
  private readonly counts: Float64Array;
  private readonly model: Model;

  constructor(model: Model, rule: readonly Node[], most: number) {
    this.model = model;
    this.scale = Math.SQRT2 * Math.exp(model.logSpread);
    this.offs = Float64Array.from(rule, ({ place }) => this.scale * place);
    this.logWeights = Float64Array.from(rule, ({ weight }) => Math.log(weight));
    this.terms = new Float64Array(rule.length);
    this.rests = new Float64Array(rule.length);
    this.rates = new Float64Array(rule.length * most);
    this.predictors = new Float64Array(most);
    this.counts = new Float64Array(most);
  }

  /** The log-likelihood of the visits. */
  observe(visits: readonly Visit[]): number {
    const { model, offs, terms, rests, rates, logWeights, predictors, counts } = this;
    const { intercept, slopes } = model;
    const size = visits.length;
    let fixed = 0;
    for (let v = 0; v < size; v++) {
      const { covariates, count } = visits[v] ?? { covariates: none, count: 0 };
      let predictor = intercept;
      for (let k = 0; k < slopes.length; k++) predictor += (slopes[k] ?? 0) * (covariates[k] ?? 0);
      predictors[v] = predictor;
      counts[v] = count;
      fixed -= logFactorial(count);
    }
    let top = -Infinity;
    for (let n = 0, at = 0; n < offs.length; n++) {
      const off = offs[n] ?? 0;
      let term = logWeights[n] ?? 0;
      let rest = 0;
      for (let v = 0; v < size; v++, at++) {
        const predictor = off + (predictors[v] ?? 0);
        const rate = Math.exp(predictor);
        const count = counts[v] ?? 0;
        rates[at] = rate;
        term += count * predictor - rate;
        rest += count - rate;
      }
      terms[n] = term;
      rests[n] = rest;
      if (term > top) top = term;
    }
    let total = 0;
    for (let n = 0; n < terms.length; n++) {
      const share = Math.exp((terms[n] ?? 0) - top);
      terms[n] = share;
      total += share;
    }
    for (let n = 0; n < terms.length; n++) terms[n] = (terms[n] ?? 0) / total;
    return top + Math.log(total) + fixed - 0.5 * Math.log(Math.PI);
  }
}

function logFactorial(n: number): number {
  let product = 1;
  // 170! is the largest in doubles
  for (let k = 2; k <= n && k <= 170; k++) product *= k;
  let log = Math.log(product);
  for (let k = 171; k <= n; k++) log += Math.log(k);
  return log;
}

function mostOf(groups: Groups): number {
  let most = 0;
  for (const visits of groups) if (visits.length > most) most = visits.length;
  return most;
}

function loss(model: Model, rule: readonly Node[], groups: Groups): number {
  const group = new Group(model, rule, mostOf(groups));
  let total = 0;
  for (const visits of groups) total -= group.observe(visits);
  return total;
}

/** Adds what a group gives to the cotangents of the slopes; gives that of the intercept, and those of its visits in `covariates_`. */
function visitsBack(
  visits: readonly Visit[],
  { slopes }: Model,
  { terms, rates }: Group,
  slopes_: Float64Array,
  covariates_: readonly Float64Array[],
): number {
  const size = visits.length;
  let intercept_ = 0;
  for (let v = 0; v < size; v++) {
    const { covariates, count } = visits[v] ?? { covariates: none, count: 0 };
    let predictor_ = -count;
    for (let n = 0, at = v; n < terms.length; n++, at += size) predictor_ += (terms[n] ?? 0) * (rates[at] ?? 0);
    intercept_ += predictor_;
    const row_ = covariates_[v] ?? none;
    for (let k = 0; k < slopes.length; k++) {
      slopes_[k] = (slopes_[k] ?? 0) + predictor_ * (covariates[k] ?? 0);
      row_[k] = predictor_ * (slopes[k] ?? 0);
    }
  }
  return intercept_;
}

function lossGradient(model: Model, rule: readonly Node[], groups: Groups) {
  const group = new Group(model, rule, mostOf(groups));
  const { offs, terms, rests, scale } = group;
  const slopes_ = new Float64Array(model.slopes.length);
  const places_ = new Float64Array(rule.length);
  const weights_ = new Float64Array(rule.length);
  const width = model.slopes.length;
  const all = groups.reduce((total, visits) => total + visits.length, 0);
  const rows_ = rowsOf(new Float64Array(all * width), all, width);
  let at = 0;
  let value = 0;
  let intercept_ = 0;
  const groups_ = groups.map((visits) => {
    value -= group.observe(visits);
    for (let n = 0; n < terms.length; n++) {
      const share = terms[n] ?? 0;
      weights_[n] = (weights_[n] ?? 0) - share;
      places_[n] = (places_[n] ?? 0) - share * (rests[n] ?? 0);
    }
    const covariates_ = rows_.slice(at, (at += visits.length));
    intercept_ += visitsBack(visits, model, group, slopes_, covariates_);
    return covariates_.map((covariates) => ({ covariates, count: 0 }));
  });
  let logSpread_ = 0;
  for (let n = 0; n < offs.length; n++) logSpread_ += (offs[n] ?? 0) * (places_[n] ?? 0);
  return {
    value,
    grad: {
      m: { intercept: intercept_, slopes: slopes_, logSpread: logSpread_ },
      rule: rule.map(({ weight }, n) => ({ place: scale * (places_[n] ?? 0), weight: (weights_[n] ?? 0) / weight })),
      groups: groups_,
    },
  };
}

/** The rule of seven nodes is symmetric: places, weights. */
const half: readonly (readonly [number, number])[] = [
  [0.8162878828589646, 0.4256072526101278],
  [1.6735516287674714, 0.05451558281912705],
  [2.6519613568352334, 0.0009717812450995199],
];

const rule: readonly Node[] = [
  { place: 0, weight: 0.8102646175568072 },
  ...half.flatMap(([place, weight]): Node[] => [
    { place, weight },
    { place: -place, weight },
  ]),
];

/** Groups with three to nine visits, of four covariates each. */
function ofSize(count: number): Sized {
  const numbers = rowsOf(vec(2 * count, 870), count, 2);
  const groups = numbers.map(([many = 0, off = 0], g): Visit[] => {
    const visits = 3 + Math.floor(3.5 * (many + 1));
    return rowsOf(vec(5 * visits, 1000 + g), visits, 5).map((row) => {
      const [a = 0, b = 0, chance = 0] = row;
      return { covariates: row.slice(0, 4), count: Math.round(Math.exp(0.5 + off + a - b) * (1 + chance)) };
    });
  });
  return {
    entry: "loss",
    args: [{ intercept: 0.4, slopes: vec(4, 871), logSpread: -0.3 }, rule, groups],
    elements: count * 6 * (7 * 7 + 8),
    primal: loss,
    gradient: lossGradient,
  };
}

/** Groups. */
export const workloads = natural("poisson-glmm", [30, 300, 3000], ofSize);
