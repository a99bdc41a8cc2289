// The staged interface of SV25 Fig. 9 with the collector of §8: a map from the numbers of the input's scalars.

import { insertWith, lookupID, popHighest } from "./id-map.js";
import type { IdMap } from "./id-map.js";
import { cost } from "./cost.js";

/** Map Z _R. */
export type Collector = IdMap<number>;

/** Staged = (Map Z _R, Map Z (_R -o (Staged -> Staged), _R)). */
export interface Staged {
  readonly collected: Collector;
  readonly calls: IdMap<StagedCall>;
}

/** A backpropagator that is to be called, and the sum of the arguments it is to be called with. */
export interface StagedCall {
  readonly backpropagator: (cotangent: number) => (staged: Staged) => Staged;
  readonly argument: number;
}

/** 0 of the monoid `Staged -> Staged`. */
export const identity = (staged: Staged): Staged => staged;

/** + of the monoid `Staged -> Staged`. */
export function compose(f: (staged: Staged) => Staged, g: (staged: Staged) => Staged): (staged: Staged) => Staged {
  cost.monoidOperations += 1; // cost
  return (staged) => f(g(staged));
}

/** term(0) . .. . term(size - 1), without one call inside the other. */
export function composeAll(
  size: number,
  term: (index: number) => (staged: Staged) => Staged,
): (staged: Staged) => Staged {
  cost.monoidOperations += size; // cost
  return (staged) => {
    let all = staged;
    for (let index = size - 1; index >= 0; index--) all = term(index)(all);
    return all;
  };
}

/** ({}, {}). */
export function emptyStaged(): Staged {
  return { collected: null, calls: null };
}

/** SOneHot i z (c, m): adds z to what is collected for the input scalar i. */
export function sOneHot(id: number, cotangent: number): (staged: Staged) => Staged {
  return ({ collected, calls }) => ({ collected: insertWith(collected, id, cotangent, addNumbers), calls });
}

function addNumbers(a: number, b: number): number {
  return a + b;
}

/** SCall (i, f) x (c, m): adds x to the argument staged for i, or stages the call. */
export function sCall(
  [id, backpropagator]: readonly [number, (cotangent: number) => (staged: Staged) => Staged],
  argument: number,
): (staged: Staged) => Staged {
  return ({ collected, calls }) => ({
    collected,
    calls: insertWith(calls, id, { backpropagator, argument }, addArguments),
  });
}

function addArguments(a: StagedCall, b: StagedCall): StagedCall {
  return { backpropagator: a.backpropagator, argument: a.argument + b.argument };
}

/** Makes the staged calls from the highest ID down, each once, and gives what is collected in the end. */
export function sResolve(staged: Staged): Collector {
  let current = staged;
  while (current.calls !== null) {
    const { highest, rest } = popHighest(current.calls);
    const { backpropagator, argument } = highest.value;
    cost.backpropagators += 1; // cost
    current = backpropagator(argument)({ collected: current.collected, calls: rest });
  }
  return current.collected;
}

/** The cotangent collected for an input scalar. */
export function lookupCotangent(collected: Collector, id: number): number {
  return lookupID(collected, id) ?? 0;
}
