// Models on which it is measured what each pass is worth: those of the other groups, at sizes that fit into caches, the examples, and a few constructs.

import { matrix, vec } from "../inputs.js";
import { listOf } from "../lists.js";
import { workloads as heat2d } from "../natural/heat-2d.js";
import type { Model } from "../workload.js";
import { gradbench } from "./gradbench.js";
import { gradients } from "./gradients.js";
import { models } from "./models/index.js";
import { table1 } from "./table1.js";

const measuredElsewhere = [
  { workloads: gradients, names: ["mat-vec 30²", "network 25-50-25", "particles 100", "log-sum-exp 100000"] },
  { workloads: gradbench, names: ["llsq 16"] },
  { workloads: models, names: ["n-body 10"] },
  { workloads: table1, names: ["dot 1000", "neural 25"] },
  { workloads: heat2d, names: ["heat-2d 30"] },
];

const example = (name: string): string => `examples/${name}/model.lam`;

/** `count` values, each made of some pseudo-random numbers. */
function many<T>(count: number, width: number, seed: number, make: (numbers: readonly number[], i: number) => T): T[] {
  const numbers = vec(count * width, seed);
  return Array.from({ length: count }, (_, i) => make([...numbers.subarray(i * width, (i + 1) * width)], i));
}

const component = ([logWeight = 0, ...mean]: readonly number[], i: number) => ({
  logWeight,
  mean,
  logDiagonal: vec(mean.length, 20 + i, 0.3),
  below: mean.map((_, row) => vec(row, 30 + i + row, 0.2)),
});

/** A pose: three rows of four. */
const pose = matrix(3, 4, 5);

const own: readonly Model[] = [
  {
    name: "gaussian-mixture",
    file: example("gaussian-mixture"),
    entry: "loss",
    args: [many(4, 4, 3, component), matrix(50, 3, 4)],
    cotangents: null,
  },
  {
    name: "mixture in 10 dimensions",
    file: example("gaussian-mixture"),
    entry: "loss",
    args: [many(5, 11, 3, component), matrix(200, 10, 4)],
    cotangents: null,
  },
  {
    name: "rays",
    file: "fixtures/models/samples.lam",
    entry: "rays",
    args: [vec(10, 16, 5), vec(500, 17, 5), 6],
    cotangents: null,
  },
  {
    name: "inverse-kinematics",
    file: example("inverse-kinematics"),
    entry: "residuals",
    args: [many(6, 3, 5, ([l = 0, t = 0, o = 0]) => ({ length: l, twist: t, offset: o })), vec(6, 6), pose],
    cotangents: [vec(12, 7)],
  },
  {
    name: "kalman-filter",
    file: example("kalman-filter"),
    entry: "loss",
    args: [{ measurement: 0.1, wandering: -0.2, step: 0.3 }, vec(50, 8), 20],
    cotangents: null,
  },
  {
    name: "lotka-volterra",
    file: example("lotka-volterra"),
    entry: "residuals",
    args: [
      { start: { hares: 3, lynxes: 0.4 }, birth: 0.5, hunting: 0.03, feeding: 0.02, death: 0.8 },
      Array.from({ length: 10 }, (_, i) => ({ hares: 3 + 0.1 * i, lynxes: 0.5 })),
    ],
    cotangents: [vec(20, 11)],
  },
  {
    name: "functions made by recursion",
    file: "fixtures/constructs/computed-function.lam",
    entry: "f",
    args: [4, 0.3],
    cotangents: null,
  },
  {
    name: "mutual recursion",
    file: "fixtures/authors/mutual.lam",
    entry: "f",
    args: [5000],
    cotangents: null,
  },
  {
    name: "list of integers",
    file: "fixtures/memory/harmonics.lam",
    entry: "harmonics",
    args: [1000, 0.01],
    cotangents: null,
  },
  {
    name: "iterations of iterations",
    file: "fixtures/constructs/array-of-saved-rounds.lam",
    entry: "rounds",
    args: [0.1],
    cotangents: null,
  },
  {
    name: "interpolation",
    file: "fixtures/constructs/way-out-of-loops.lam",
    entry: "interpolate",
    args: [Array.from({ length: 200 }, (_, i) => i), vec(200, 12), 99.5],
    cotangents: null,
  },
  {
    name: "epidemic",
    file: "fixtures/constructs/same-in-each-round.lam",
    entry: "epidemic",
    args: [0.5, -0.25, 1000],
    cotangents: null,
  },
  {
    name: "logistic map",
    file: "fixtures/memory/step.lam",
    entry: "logistic",
    args: [1000, 3.7, 0.3],
    cotangents: null,
  },
  {
    name: "standard scores",
    file: "fixtures/models/statistics.lam",
    entry: "scores",
    args: [vec(100, 13)],
    cotangents: [vec(100, 14)],
  },
  {
    name: "rotations",
    file: "fixtures/constructs/small-matrices.lam",
    entry: "turned",
    args: [vec(100, 15)],
    cotangents: null,
  },
  {
    name: "pair potential",
    file: "fixtures/constructs/small-powers.lam",
    entry: "potential",
    args: [vec(1000, 15).map((x) => 2 + x), 0.25, 1.125],
    cotangents: null,
  },
  {
    name: "heat equation",
    file: "fixtures/models/heat-equation.lam",
    entry: "heat",
    args: [0.125, 0.75, 1000, vec(50, 16)],
    cotangents: null,
  },
  {
    name: "heat in a short rod",
    file: "fixtures/models/heat-equation.lam",
    entry: "heat",
    args: [0.125, 0.75, 1000, vec(8, 16)],
    cotangents: null,
  },
  {
    name: "points that gather",
    file: "fixtures/models/background.lam",
    entry: "gathered",
    args: [0.01, 20, vec(30, 19)],
    cotangents: null,
  },
  {
    name: "soft alignment",
    file: "fixtures/constructs/short-arrays.lam",
    entry: "align",
    args: [0.5, vec(30, 20), vec(33, 21)],
    cotangents: null,
  },
  {
    name: "reaction on a ring",
    file: "fixtures/models/reaction-diffusion.lam",
    entry: "loss",
    args: [
      { spread: 0.125, growth: 0.5, decay: 0.25 },
      300,
      0.0625,
      vec(50, 17, 0.5).map((x) => 0.5 + x),
      vec(50, 18, 0.5),
    ],
    cotangents: null,
  },
  {
    name: "nearest centers",
    file: "fixtures/constructs/last-replaced.lam",
    entry: "nearest",
    args: [many(1000, 2, 5, ([x = 0, y = 0]) => [x, y]), many(30, 2, 6, ([x = 0, y = 0]) => [x, y])],
    cotangents: null,
  },
  {
    name: "best of products",
    file: "fixtures/constructs/last-replaced.lam",
    entry: "best",
    args: [vec(10000, 5), vec(10000, 6)],
    cotangents: null,
  },
  {
    name: "filtered list",
    file: "fixtures/constructs/filtered-lists.lam",
    entry: "hinge",
    args: [0.25, listOf(vec(1000, 22))],
    cotangents: null,
  },
  {
    name: "labelled list",
    file: "fixtures/constructs/labelled-lists.lam",
    entry: "cost",
    args: [0.5, listOf(many(1000, 1, 23, ([x = 0], i) => ({ x, died: i % 3 === 0, n: i % 5 })))],
    cotangents: null,
  },
  {
    name: "sorted lists",
    file: "fixtures/constructs/sorted-lists.lam",
    entry: "distance",
    args: [listOf(vec(1000, 5)), listOf(vec(1000, 6))],
    cotangents: null,
  },
  {
    name: "list beside a stack",
    file: "fixtures/constructs/lists-both-ways.lam",
    entry: "spread",
    args: [listOf(vec(1000, 24))],
    cotangents: null,
  },
];

export const modelNames: readonly string[] = [
  ...measuredElsewhere.flatMap(({ names }) => names),
  ...own.map(({ name }) => name),
];

export function modelNamed(name: string): Model {
  const found = own.find((model) => model.name === name);
  if (found !== undefined) return found;
  const part = measuredElsewhere.find(({ names }) => names.includes(name));
  const lazy = part?.workloads.find((workload) => workload.name === name);
  if (lazy === undefined) throw new Error(`there is no model ${name}`);
  return lazy.make();
}
