// The staged interface of SV25 Fig. 8.

import { unionWith, popHighest } from "./id-map.js";
import type { IdMap } from "./id-map.js";
import { plus } from "./sparse.js";
import type { Sparse } from "./sparse.js";
import { cost } from "./cost.js";

/** Staged c = (c, Map Z (_R -o Staged c, _R)). */
export interface Staged {
  readonly collected: Sparse;
  readonly calls: IdMap<StagedCall>;
}

/** A backpropagator that is to be called, and the sum of the arguments it is to be called with. */
export interface StagedCall {
  readonly backpropagator: (cotangent: number) => Staged;
  readonly argument: number;
}

/** 0Staged = (0c, {}). */
export const stagedZero: Staged = { collected: null, calls: null };

/** (c, m) +Staged (c', m') = (c +c c', m union m'), the arguments of equal IDs added: linear factoring. */
export function stagedPlus(a: Staged, b: Staged): Staged {
  cost.monoidOperations += 1; // cost
  return { collected: plus(a.collected, b.collected), calls: unionWith(a.calls, b.calls, addArguments) };
}

/** term(0) +Staged .. +Staged term(size - 1), half and half. */
export function stagedSum(size: number, term: (index: number) => Staged): Staged {
  return stagedBetween(0, size, term);
}

function stagedBetween(from: number, to: number, term: (index: number) => Staged): Staged {
  if (to - from < 2) return from < to ? term(from) : stagedZero;
  const middle = (from + to) >> 1;
  return stagedPlus(stagedBetween(from, middle, term), stagedBetween(middle, to, term));
}

function addArguments(a: StagedCall, b: StagedCall): StagedCall {
  return { backpropagator: a.backpropagator, argument: a.argument + b.argument };
}

/** SCotan c = (c, {}). */
export function sCotan(cotangent: Sparse): Staged {
  return { collected: cotangent, calls: null };
}

/** SCall (i, f) x = (0c, {i -> (f, x)}). */
export function sCall(
  [id, backpropagator]: readonly [number, (cotangent: number) => Staged],
  argument: number,
): Staged {
  cost.mapOperations += 1; // cost
  return { collected: null, calls: { id, value: { backpropagator, argument }, left: null, right: null } };
}

/** Makes the staged calls from the highest ID down, each once, and gives what is collected in the end. */
export function sResolve(staged: Staged): Sparse {
  let { collected, calls } = staged;
  while (calls !== null) {
    const { highest, rest } = popHighest(calls);
    cost.backpropagators += 1; // cost
    const more = highest.value.backpropagator(highest.value.argument);
    ({ collected, calls } = stagedPlus(more, { collected, calls: rest }));
  }
  return collected;
}
