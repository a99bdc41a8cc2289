// Matrix factorisation by hand: one pass over the ratings, whose errors go to the rows of both factors.

import { rowsOf, matrix, vec } from "../inputs.js";
import { listOf, type List } from "../lists.js";
import { natural, type Sized } from "./natural.js";

type Rows = readonly Float64Array[];

interface Rating {
  readonly user: number;
  readonly item: number;
  readonly stars: number;
}

interface Factors {
  readonly tastes: Rows;
  readonly traits: Rows;
  readonly generosity: Float64Array;
  readonly quality: Float64Array;
}

const none = new Float64Array(0);

function dot(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let k = 0; k < a.length; k++) total += (a[k] ?? 0) * (b[k] ?? 0);
  return total;
}

function penaltyOf({ tastes, traits, generosity, quality }: Factors): number {
  let total = dot(generosity, generosity) + dot(quality, quality);
  for (const row of tastes) total += dot(row, row);
  for (const row of traits) total += dot(row, row);
  return total;
}

function errorOf(f: Factors, average: number, { user, item, stars }: Rating): number {
  const both = (f.generosity[user] ?? 0) + (f.quality[item] ?? 0);
  return average + both + dot(f.tastes[user] ?? none, f.traits[item] ?? none) - stars;
}

function loss(f: Factors, average: number, lambda: number, ratings: List<Rating>): number {
  let total = 0;
  let count = 0;
  for (let rest = ratings; rest.tag === "Cons"; rest = rest._1) {
    const error = errorOf(f, average, rest._0);
    total += error * error;
    count += 1;
  }
  return total / count + lambda * penaltyOf(f);
}

/** Rows times `scale`. */
function scaled(rows: Rows, scale: number): Rows {
  const columns = rows[0]?.length ?? 0;
  const scaled = rowsOf(new Float64Array(rows.length * columns), rows.length, columns);
  rows.forEach((row, i) => {
    const out = scaled[i] ?? row;
    for (let k = 0; k < columns; k++) out[k] = scale * (row[k] ?? 0);
  });
  return scaled;
}

function lossGradient(f: Factors, average: number, lambda: number, ratings: List<Rating>) {
  let count = 0;
  for (let rest = ratings; rest.tag === "Cons"; rest = rest._1) count += 1;
  const tastes_ = scaled(f.tastes, 2 * lambda);
  const traits_ = scaled(f.traits, 2 * lambda);
  const generosity_ = f.generosity.map((x) => 2 * lambda * x);
  const quality_ = f.quality.map((x) => 2 * lambda * x);
  const errors_ = new Float64Array(count);
  let total = 0;
  let average_ = 0;
  let at = 0;
  for (let rest = ratings; rest.tag === "Cons"; rest = rest._1) {
    const { user, item } = rest._0;
    const error = errorOf(f, average, rest._0);
    total += error * error;
    const error_ = (2 * error) / count;
    errors_[at++] = error_;
    average_ += error_;
    generosity_[user] = (generosity_[user] ?? 0) + error_;
    quality_[item] = (quality_[item] ?? 0) + error_;
    const taste = f.tastes[user] ?? none;
    const trait = f.traits[item] ?? none;
    const taste_ = tastes_[user] ?? none;
    const trait_ = traits_[item] ?? none;
    for (let k = 0; k < taste.length; k++) {
      taste_[k] = (taste_[k] ?? 0) + error_ * (trait[k] ?? 0);
      trait_[k] = (trait_[k] ?? 0) + error_ * (taste[k] ?? 0);
    }
  }
  let ratings_: List<Rating> = { tag: "Nil" };
  for (let i = count - 1; i >= 0; i--)
    ratings_ = { tag: "Cons", _0: { user: 0, item: 0, stars: -(errors_[i] ?? 0) }, _1: ratings_ };
  const penalty = penaltyOf(f);
  return {
    value: total / count + lambda * penalty,
    grad: {
      f: { tastes: tastes_, traits: traits_, generosity: generosity_, quality: quality_ },
      average: average_,
      lambda: penalty,
      ratings: ratings_,
    },
  };
}

/** Ratings by a twentieth as many users, of a fortieth as many items, by eight traits. */
function ofSize(count: number): Sized {
  const users = Math.ceil(count / 20);
  const items = Math.ceil(count / 40);
  const stars = vec(count, 760, 2);
  const draws = vec(2 * count, 761, 0.5);
  return {
    entry: "loss",
    args: [
      {
        tastes: matrix(users, 8, 762),
        traits: matrix(items, 8, 763),
        generosity: vec(users, 764, 0.5),
        quality: vec(items, 765, 0.5),
      },
      3.1,
      0.01,
      listOf(
        Array.from({ length: count }, (_, i) => ({
          user: Math.floor(users * ((draws[2 * i] ?? 0) + 0.5)),
          item: Math.floor(items * ((draws[2 * i + 1] ?? 0) + 0.5)),
          stars: 3 + (stars[i] ?? 0),
        })),
      ),
    ],
    elements: count * 35,
    primal: loss,
    gradient: lossGradient,
  };
}

export const workloads = natural("matrix-factorisation", [200, 2000, 20000], ofSize);
