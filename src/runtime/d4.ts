// The staged interface of SV25 Fig. 10.

import { cost } from "./cost.js";

/** Staged c = (Array _R, Array (_R -o (Staged c -> IO ()), _R)): the second array is split in two. */
export interface Staged {
  readonly collected: Float64Array;
  readonly backpropagators: ((argument: number) => (staged: Staged) => void)[];
  readonly arguments: Float64Array;
}

/** 0 of the monoid `Staged c -> IO ()`. */
export const nothing = (): void => undefined;

/** + of the monoid `Staged c -> IO ()`. */
export function both(f: (staged: Staged) => void, g: (staged: Staged) => void): (staged: Staged) => void {
  cost.monoidOperations += 1; // cost
  return (staged) => {
    f(staged);
    g(staged);
  };
}

/** term(0) >> .. >> term(size - 1). */
export function allOf(size: number, term: (index: number) => (staged: Staged) => void): (staged: Staged) => void {
  cost.monoidOperations += size; // cost
  return (staged) => {
    for (let index = 0; index < size; index++) term(index)(staged);
  };
}

/** Allocates the collector for the input's scalars, and a staging cell for every ID. */
export function sAlloc(inputs: number, all: number): Staged {
  cost.arrayOperations += inputs + all; // cost
  return {
    collected: new Float64Array(inputs),
    backpropagators: Array.from({ length: all }, () => () => nothing),
    arguments: new Float64Array(all),
  };
}

/** SCall (i, f) a (c, m): m[i] := (f, a + a') where m[i] = (_, a'). */
export function sCall(
  [id, backpropagator]: readonly [number, (cotangent: number) => (staged: Staged) => void],
  argument: number,
): (staged: Staged) => void {
  return (staged) => {
    cost.arrayOperations += 1; // cost
    staged.backpropagators[id] = backpropagator;
    staged.arguments[id] = (staged.arguments[id] ?? 0) + argument;
  };
}

/** SOneHot i a (c, m): c[i] := a + c[i]. */
export function sOneHot(id: number, cotangent: number): (staged: Staged) => void {
  return (staged) => {
    cost.arrayOperations += 1; // cost
    staged.collected[id] = (staged.collected[id] ?? 0) + cotangent;
  };
}

/** Makes the staged calls from the highest ID down, each once. */
export function sResolve(all: number, staged: Staged): void {
  for (let id = all - 1; id >= 0; id--) {
    cost.arrayOperations += 1; // cost
    cost.backpropagators += 1; // cost
    staged.backpropagators[id]?.(staged.arguments[id] ?? 0)(staged);
  }
}

/** run (SAlloc i i' >>= \s. d z s >> SResolve i' s), the collector frozen: it is not written any more. */
export function run(inputs: number, all: number, calls: (staged: Staged) => void): Float64Array {
  const staged = sAlloc(inputs, all);
  calls(staged);
  sResolve(all, staged);
  return staged.collected;
}

/** The cotangent collected for an input scalar. */
export function cotangentAt(collected: Float64Array, id: number): number {
  return collected[id] ?? 0;
}
