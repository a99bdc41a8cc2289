// What the benchmark measures: a program of the field at one size, with the primal and the gradient that an expert would write by hand for
// the same interface, and what the results must be.

export interface Workload {
  /** Name and size: `dot 10000`. */
  readonly name: string;
  /** The model's file, below the repository's root, and its entry. */
  readonly file: string;
  readonly entry: string;
  /** How many scalar operations the primal performs, for times per element. */
  readonly elements: number;
  readonly args: readonly unknown[];
  /** Value by hand. */
  readonly primal: (...args: readonly never[]) => unknown;
  /** Value and gradient by hand, in the form that `entryGrad` has. */
  readonly gradient: (...args: readonly never[]) => unknown;
  /** For a model whose result is not a scalar: the cotangents for which `gradient` gives the pullbacks. */
  readonly cotangents: readonly unknown[] | null;
  /** Time of one gradient in the paper's implementation in Haskell (SV25 Table 1's programs, measured on another machine), in nanoseconds. */
  readonly haskell: number | null;
}

/** A workload that is not made yet, by its name. */
export interface LazyWorkload {
  readonly name: string;
  readonly make: () => Workload;
}
