// Models whose saved scalars are known by hand, at sizes of 10^5 to 10^7 operations.

import { matrix, vec } from "../inputs.js";
import { listOf } from "../lists.js";
import type { Model } from "../workload.js";

/** A model, and what an expert's reverse sweep of it would need. */
export interface SavingModel extends Model {
  /** Scalar operations of the primal, up to a constant. */
  readonly operations: number;
  /** Scalars that the reverse sweep needs, cannot have more cheaply, and does not find in the input: numbers, and branches taken. */
  readonly saved: number;
  /** A copy of what it reads of the input, which the caller may change; null where that is nothing. */
  readonly data: (() => unknown) | null;
}

export interface SavingFamily {
  readonly name: string;
  readonly sizes: readonly number[];
  /** The model with about so many operations. */
  readonly make: (operations: number) => SavingModel;
}

const scalar = { cotangents: null };
const powers = [1e5, 1e6, 1e7];
const fixture = (name: string): string => `fixtures/memory/${name}.lam`;

export const savingFamilies: readonly SavingFamily[] = [
  {
    name: "step",
    sizes: powers,
    make: (operations) => {
      const n = Math.round(operations / 3);
      const args = [n, 3.2, 0.3];
      return {
        name: "step",
        file: fixture("step"),
        entry: "logistic",
        operations,
        args,
        saved: n,
        data: null,
        ...scalar,
      };
    },
  },
  {
    name: "chain",
    sizes: powers,
    make: (operations) => {
      const n = operations / 5;
      const xs = vec(n, 1);
      const data = () => xs.slice();
      return {
        name: "chain",
        file: fixture("chain"),
        entry: "chain",
        operations,
        args: [xs],
        saved: 0,
        data,
        ...scalar,
      };
    },
  },
  {
    name: "fold",
    sizes: powers,
    make: (operations) => {
      const n = operations / 2;
      const xs = vec(n, 2);
      const data = () => xs.slice();
      return {
        name: "fold",
        file: fixture("fold"),
        entry: "gather",
        operations,
        args: [xs],
        saved: n,
        data,
        ...scalar,
      };
    },
  },
  {
    name: "log-sum-exp",
    sizes: powers,
    make: (operations) => {
      const n = operations / 4;
      const file = "fixtures/gradients/log-sum-exp.lam";
      // The powers; which element is the largest is one number
      return {
        name: "log-sum-exp",
        file,
        entry: "lse",
        operations,
        args: [vec(n, 3, 3)],
        saved: n,
        data: null,
        ...scalar,
      };
    },
  },
  {
    name: "stencil",
    sizes: powers,
    make: (operations) => {
      const m = 1000;
      const n = Math.ceil(operations / (4 * m));
      const u = vec(m, 6);
      const data = () => u.slice();
      return {
        name: "stencil",
        file: fixture("stencil"),
        entry: "spread",
        operations,
        args: [n, u],
        saved: n * m,
        data,
        ...scalar,
      };
    },
  },
  {
    name: "network",
    sizes: powers,
    make: (operations) => {
      const n = Math.round(Math.sqrt(operations / 8));
      const layer = (outputs: number, inputs: number, seed: number) => ({
        weights: matrix(outputs, inputs, seed, 1 / inputs),
        bias: vec(outputs, seed + 1),
      });
      const [x, hidden, output] = [vec(n, 4), layer(2 * n, n, 5), layer(n, 2 * n, 7)];
      return {
        name: "network",
        file: "fixtures/gradients/network.lam",
        entry: "expectedClass",
        operations: 8 * n * n,
        args: [x, hidden, output],
        // What each unit gives, and the scores
        saved: 3 * n,
        data: () => [x.slice(), hidden.weights.map((row) => row.slice()), output.weights.map((row) => row.slice())],
        ...scalar,
      };
    },
  },
  {
    name: "right-fold",
    // Five million cells as an argument take longer than all other rows together
    sizes: [1e5, 1e6],
    make: (operations) => {
      const n = operations / 2;
      const args = [listOf(vec(n, 9))];
      const file = fixture("right-fold");
      return { name: "right-fold", file, entry: "climb", operations, args, saved: n, data: null, ...scalar };
    },
  },
  {
    name: "branching",
    sizes: powers,
    make: (operations) => {
      const depth = Math.round(Math.log2(operations / 5));
      const inner = 2 ** depth - 1;
      const file = fixture("branching");
      const args = [depth, 0.7];
      // Both calls' results, their sine and cosine; a branch for each call
      return { name: "branching", file, entry: "branching", operations: 5 * inner, args, saved: 6 * inner, data: null, ...scalar }; // prettier-ignore
    },
  },
];

/** The model with about so many operations: `FAMILY OPERATIONS`. */
export function findSavingModel(name: string): SavingModel {
  const [family, operations] = name.split(" ");
  const found = savingFamilies.find((each) => each.name === family);
  if (found === undefined) throw new Error(`there is no model ${name}`);
  return found.make(Number(operations));
}

export interface DeepFamily {
  readonly name: string;
  readonly sizes: readonly number[];
  readonly make: (levels: number) => Model;
}

type Tree = { readonly tag: "Leaf"; readonly _0: number } | { readonly tag: "Node"; readonly _0: Tree; readonly _1: number; readonly _2: Tree }; // prettier-ignore

const leaf: Tree = { tag: "Leaf", _0: 1 };

/** A tree that is as deep as a list. */
function spine(levels: number): Tree {
  let tree = leaf;
  for (let i = 0; i < levels; i++) tree = { tag: "Node", _0: tree, _1: 1, _2: leaf };
  return tree;
}

const deep = (name: string): string => `fixtures/deep/${name}.lam`;

export const deepFamilies: readonly DeepFamily[] = [
  {
    name: "right fold of a list",
    sizes: [1e5, 1e6],
    make: (levels) => ({
      name: "",
      file: fixture("right-fold"),
      entry: "climb",
      args: [listOf(vec(levels, 1))],
      ...scalar,
    }),
  },
  {
    name: "mutual recursion",
    sizes: [1e5, 1e6],
    make: (levels) => ({ name: "", file: deep("mutual"), entry: "even", args: [levels, 3], ...scalar }),
  },
  {
    name: "mutual recursion on data",
    sizes: [1e5, 1e6],
    make: (levels) => {
      let data: unknown = { tag: "NoOdds" };
      for (let i = levels; i > 0; i--) data = { tag: i % 2 === 1 ? "Odd" : "Even", _0: 1, _1: data };
      return { name: "", file: deep("mutual-data"), entry: "sumOdds", args: [data], ...scalar };
    },
  },
  {
    name: "tree as deep as a list",
    sizes: [1e5, 1e6],
    make: (levels) => ({ name: "", file: deep("tree"), entry: "weigh", args: [spine(levels)], ...scalar }),
  },
  {
    name: "chain of functions",
    sizes: [1e5, 1e6],
    make: (levels) => ({ name: "", file: deep("closures"), entry: "f", args: [levels, 0.5], ...scalar }),
  },
];
