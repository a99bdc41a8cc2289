// A model of this folder: `name.lam`, written as on a user's first day, and `name.ts`, which has its data at three sizes, and value and gradient by hand.

import type { LazyWorkload } from "../workload.js";

/** A model's data at one size, and what an expert writes for the interface of `entry` and `entryGrad`. */
export interface Sized {
  readonly entry: string;
  readonly args: readonly unknown[];
  /** How many scalar operations the value takes, up to a constant. */
  readonly elements: number;
  readonly primal: (...args: readonly never[]) => unknown;
  readonly gradient: (...args: readonly never[]) => unknown;
}

/** The workloads of a model: one for each size, the smallest first. */
export function natural(
  name: string,
  sizes: readonly [number, number, number],
  ofSize: (size: number) => Sized,
): readonly LazyWorkload[] {
  return sizes.map((size) => ({
    name: `${name} ${size}`,
    make: () => ({
      ...ofSize(size),
      name: `${name} ${size}`,
      file: `bench/natural/${name}.lam`,
      cotangents: null,
      elsewhere: null,
    }),
  }));
}
