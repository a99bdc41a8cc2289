// What the benchmark measures: a program of the field at one size, with the primal and the gradient that an expert would write by hand for
// the same interface.

import { exportOf, loadModule } from "../src/driver/evaluate.js";

export type Group = "table1" | "gradients" | "gradbench" | "models";

/** A model of the repository with arguments for one entry. */
export interface Model {
  /** Name and size: `dot 10000`. */
  readonly name: string;
  /** The model's file, below the repository's root, and its entry. */
  readonly file: string;
  readonly entry: string;
  readonly args: readonly unknown[];
  /** For a model whose result is not a scalar: the cotangents that are pulled back, one after the other. */
  readonly cotangents: readonly unknown[] | null;
}

export interface Workload extends Model {
  /** How many scalar operations the primal performs, up to a constant: for times per element. */
  readonly elements: number;
  /** Value by hand. */
  readonly primal: (...args: readonly never[]) => unknown;
  /** Value and gradient by hand, in the form of `entryGrad`; in that of `entryVjp` where there are cotangents. */
  readonly gradient: (...args: readonly never[]) => unknown;
  /** Time of one gradient in other code on another machine, in nanoseconds. */
  readonly elsewhere: number | null;
}

/** A workload that is not made yet: every row is measured in a process of its own. */
export interface LazyWorkload {
  readonly name: string;
  readonly make: () => Workload;
}

/** What gives the gradient of a model's entry: `..Grad`, or `..Vjp` where there are cotangents. */
export function gradientName({ entry, cotangents }: Pick<Model, "entry" | "cotangents">): string {
  return `${entry}${cotangents === null ? "Grad" : "Vjp"}`;
}

/** Whether a gradient takes an earlier one, which it fills again. */
export function takesEarlier(code: string, { entry, args, cotangents }: Model): boolean {
  return cotangents === null && exportOf(loadModule(code), gradientName({ entry, cotangents })).length > args.length;
}
