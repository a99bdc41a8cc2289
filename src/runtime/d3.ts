// The staged interface of SV25 Fig. 9.

import { insertWith, popHighest } from "./id-map.js";
import type { IdMap } from "./id-map.js";
import { cost } from "./cost.js";

/** Staged c = (c, Map Z (_R -o (Staged c -> Staged c), _R)). */
export interface Staged {
  readonly collected: unknown;
  readonly calls: IdMap<StagedCall>;
}

/** A backpropagator that is to be called, and the sum of the arguments it is to be called with. */
export interface StagedCall {
  readonly backpropagator: (cotangent: number) => (staged: Staged) => Staged;
  readonly argument: number;
}

/** 0 of the monoid `Staged c -> Staged c`. */
export const identity = (staged: Staged): Staged => staged;

/** + of the monoid `Staged c -> Staged c`. */
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

/** 0Staged, over the zero of type c. */
export function emptyStaged(zero: unknown): Staged {
  return { collected: zero, calls: null };
}

/** SCotan f (c, m) = (f c, m). */
export function sCotan<C>(update: (collected: C) => C): (staged: Staged) => Staged {
  return ({ collected, calls }) => ({ collected: update(collected as C), calls });
}

/** A copy of an array with one element replaced by what `update` makes of it. */
export function updateAt<A extends Float64Array | readonly unknown[]>(
  index: number,
  update: (element: A[number]) => A[number],
  array: A,
): A {
  cost.arrayOperations += array.length; // cost
  const copy = array.slice() as unknown as A[number][];
  copy[index] = update(array[index]);
  return copy as unknown as A;
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
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- C is the collector's type, which only the caller knows
export function sResolve<C>(staged: Staged): C {
  let current = staged;
  while (current.calls !== null) {
    const { highest, rest } = popHighest(current.calls);
    const { backpropagator, argument } = highest.value;
    cost.backpropagators += 1; // cost
    current = backpropagator(argument)({ collected: current.collected, calls: rest });
  }
  return current.collected as C;
}
