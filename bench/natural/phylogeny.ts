// Felsenstein's pruning by hand: the tree as arrays in postorder, three chances for each branch, and each site up and down the tree once.

import { vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

type Tree =
  | { readonly tag: "Tip"; readonly _0: readonly number[] }
  | { readonly tag: "Fork"; readonly _0: Branch; readonly _1: Branch };

interface Branch {
  readonly long: number;
  readonly tree: Tree;
}

const none: readonly number[] = [];

/** A tree's nodes in postorder, each with the branch above it; the root is last. */
class Pruning {
  readonly lefts: Int32Array;
  readonly rights: Int32Array;
  readonly tips: (readonly number[])[] = [];
  readonly longs: Float64Array;
  /** The chances of a base to stay, to become the other of its kind, and one of the other kind. */
  readonly stay: Float64Array;
  readonly near: Float64Array;
  readonly far: Float64Array;
  /** Four numbers for each node: likelihoods at it, and at the upper end of its branch. */
  readonly partials: Float64Array;
  readonly above: Float64Array;
  readonly count: number;

  constructor(kappa: number, tree: Tree) {
    const lefts: number[] = [];
    const rights: number[] = [];
    const longs: number[] = [];
    const add = ({ long, tree }: Branch): number => {
      const left = tree.tag === "Tip" ? -1 : add(tree._0);
      const right = tree.tag === "Tip" ? -1 : add(tree._1);
      lefts.push(left);
      rights.push(right);
      this.tips.push(tree.tag === "Tip" ? tree._0 : none);
      return longs.push(long) - 1;
    };
    add({ long: 0, tree });
    this.lefts = Int32Array.from(lefts);
    this.rights = Int32Array.from(rights);
    this.longs = Float64Array.from(longs);
    this.count = longs.length;
    this.stay = new Float64Array(this.count);
    this.near = new Float64Array(this.count);
    this.far = new Float64Array(this.count);
    this.partials = new Float64Array(4 * this.count);
    this.above = new Float64Array(4 * this.count);
    longs.forEach((long, n) => {
      const e1 = Math.exp((-4 * long) / (kappa + 2));
      const e2 = Math.exp((-2 * long * (kappa + 1)) / (kappa + 2));
      this.stay[n] = 0.25 + 0.25 * e1 + 0.5 * e2;
      this.near[n] = 0.25 + 0.25 * e1 - 0.5 * e2;
      this.far[n] = 0.25 - 0.25 * e1;
    });
  }

  /** The likelihood of a site; all partial ones are kept until the next. */
  likelihood(site: number): number {
    const { count, lefts, rights, tips, stay, near, far, partials, above } = this;
    for (let n = 0; n < count; n++) {
      const left = 4 * (lefts[n] ?? 0);
      const right = 4 * (rights[n] ?? 0);
      const at = 4 * n;
      if (left < 0) {
        const base = tips[n]?.[site] ?? 0;
        for (let i = 0; i < 4; i++) partials[at + i] = i === base ? 1 : 0;
      } else {
        for (let i = 0; i < 4; i++) partials[at + i] = (above[left + i] ?? 0) * (above[right + i] ?? 0);
      }
      pass(partials, at, stay[n] ?? 0, near[n] ?? 0, far[n] ?? 0, above);
    }
    const root = 4 * (count - 1);
    let total = 0;
    for (let i = 0; i < 4; i++) total += partials[root + i] ?? 0;
    return 0.25 * total;
  }
}

/** A branch: four numbers at `at` times its symmetric matrix. */
function pass(from: Float64Array, at: number, stay: number, near: number, far: number, to: Float64Array): void {
  const a = from[at] ?? 0;
  const b = from[at + 1] ?? 0;
  const c = from[at + 2] ?? 0;
  const d = from[at + 3] ?? 0;
  const first = far * (a + b);
  const second = far * (c + d);
  to[at] = stay * a + near * b + second;
  to[at + 1] = near * a + stay * b + second;
  to[at + 2] = stay * c + near * d + first;
  to[at + 3] = near * c + stay * d + first;
}

function loss(kappa: number, tree: Tree, times: Float64Array): number {
  const pruning = new Pruning(kappa, tree);
  let total = 0;
  for (let site = 0; site < times.length; site++) total -= (times[site] ?? 0) * Math.log(pruning.likelihood(site));
  return total;
}

/** Down the tree for the site that `pruning` holds, from the likelihood's cotangent: adds to those of the chances. */
function descend(
  { count, lefts, rights, stay, near, far, partials, above }: Pruning,
  likelihood_: number,
  partials_: Float64Array,
  above_: Float64Array,
  stay_: Float64Array,
  near_: Float64Array,
  far_: Float64Array,
): void {
  for (let i = 4 * (count - 1); i < 4 * count; i++) partials_[i] = 0.25 * likelihood_;
  for (let n = count - 1; n >= 0; n--) {
    const at = 4 * n;
    if (n < count - 1) {
      const a = partials[at] ?? 0;
      const b = partials[at + 1] ?? 0;
      const c = partials[at + 2] ?? 0;
      const d = partials[at + 3] ?? 0;
      const a_ = above_[at] ?? 0;
      const b_ = above_[at + 1] ?? 0;
      const c_ = above_[at + 2] ?? 0;
      const d_ = above_[at + 3] ?? 0;
      stay_[n] = (stay_[n] ?? 0) + a * a_ + b * b_ + c * c_ + d * d_;
      near_[n] = (near_[n] ?? 0) + a * b_ + b * a_ + c * d_ + d * c_;
      far_[n] = (far_[n] ?? 0) + (a + b) * (c_ + d_) + (c + d) * (a_ + b_);
    }
    const left = 4 * (lefts[n] ?? 0);
    if (left < 0) continue;
    const right = 4 * (rights[n] ?? 0);
    if (n < count - 1) pass(above_, at, stay[n] ?? 0, near[n] ?? 0, far[n] ?? 0, partials_);
    for (let i = 0; i < 4; i++) {
      const p_ = partials_[at + i] ?? 0;
      above_[left + i] = p_ * (above[right + i] ?? 0);
      above_[right + i] = p_ * (above[left + i] ?? 0);
    }
  }
}

function lossGradient(kappa: number, tree: Tree, times: Float64Array) {
  const pruning = new Pruning(kappa, tree);
  const { count, longs } = pruning;
  const partials_ = new Float64Array(4 * count);
  const above_ = new Float64Array(4 * count);
  const stay_ = new Float64Array(count);
  const near_ = new Float64Array(count);
  const far_ = new Float64Array(count);
  const times_ = new Float64Array(times.length);
  let total = 0;
  for (let site = 0; site < times.length; site++) {
    const likelihood = pruning.likelihood(site);
    const log = Math.log(likelihood);
    const n = times[site] ?? 0;
    total -= n * log;
    times_[site] = -log;
    descend(pruning, -n / likelihood, partials_, above_, stay_, near_, far_);
  }
  const longs_ = new Float64Array(count);
  let kappa_ = 0;
  for (let n = 0; n < count; n++) {
    const long = longs[n] ?? 0;
    const e1 = Math.exp((-4 * long) / (kappa + 2));
    const e2 = Math.exp((-2 * long * (kappa + 1)) / (kappa + 2));
    const x1_ = 0.25 * ((stay_[n] ?? 0) + (near_[n] ?? 0) - (far_[n] ?? 0)) * e1;
    const x2_ = 0.5 * ((stay_[n] ?? 0) - (near_[n] ?? 0)) * e2;
    longs_[n] = (-4 * x1_ - 2 * (kappa + 1) * x2_) / (kappa + 2);
    kappa_ += (long * (4 * x1_ - 2 * x2_)) / (kappa + 2) ** 2;
  }
  let next = 0;
  const back = ({ tree }: Branch): Branch => {
    const tree_ = treeBack(tree);
    return { long: longs_[next++] ?? 0, tree: tree_ };
  };
  const treeBack = (tree: Tree): Tree =>
    tree.tag === "Tip"
      ? { tag: "Tip", _0: new Array<number>(tree._0.length).fill(0) }
      : { tag: "Fork", _0: back(tree._0), _1: back(tree._1) };
  return { value: total, grad: { kappa: kappa_, tree: treeBack(tree), times: times_ } };
}

/** A tree of 16 tips with sequences of `sites` bases, half of which are the same in all. */
function ofSize(sites: number): Sized {
  const common = vec(sites, 780, 2);
  let seed = 781;
  const grow = (height: number): Tree => {
    const here = seed++;
    const draws = vec(2 * sites + 2, here, 1);
    const branch = (i: number): Branch => ({ long: 0.15 + 0.1 * (draws[i] ?? 0), tree: grow(height - 1) });
    if (height > 0) return { tag: "Fork", _0: branch(0), _1: branch(1) };
    const base = (i: number): number => ((draws[2 * i] ?? 0) < 0 ? (common[i] ?? 0) : 2 * (draws[2 * i + 1] ?? 0));
    return { tag: "Tip", _0: Array.from({ length: sites }, (_, i) => Math.floor(base(i) + 2)) };
  };
  return {
    entry: "loss",
    args: [2.5, grow(4), vec(sites, 800, 0.9).map((x) => 1 + x)],
    elements: sites * 30 * 50,
    primal: loss,
    gradient: lossGradient,
  };
}

export const workloads = natural("phylogeny", [20, 200, 2000], ofSize);
