// The staged interface of SV25 §10.2: backpropagators as data.

import { cost } from "./cost.js";

/** Contrib = [(_R, (Z, Contrib))]: partial derivatives, and the ID and contributions of what they are passed on to. */
export type Contrib = readonly (readonly [number, readonly [number, Contrib]])[];

/** The cotangents, and the contributions of each ID that has one. */
export interface Staged {
  readonly cotangents: Float64Array;
  readonly contributions: Contrib[];
}

/** A list of contributions. */
export function contributions(...items: Contrib): Contrib {
  return items;
}

/** 0 of the monoid `Staged -> IO ()`. */
export const nothing = (): void => undefined;

/** + of the monoid `Staged -> IO ()`. */
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

/** Adds to the cotangent of an ID, whose contributions are now known to matter. */
export function sCall([id, list]: readonly [number, Contrib], cotangent: number): (staged: Staged) => void {
  return (staged) => {
    cost.arrayOperations += 1; // cost
    staged.cotangents[id] = (staged.cotangents[id] ?? 0) + cotangent;
    staged.contributions[id] = list;
  };
}

/** Walks down the array, passing multiples of each cotangent on. A zero cotangent contributes nothing, whatever the partials are, and the other way round. */
export function sResolve(all: number, { cotangents, contributions }: Staged): void {
  for (let id = all - 1; id >= 0; id--) {
    cost.arrayOperations += 1; // cost
    const cotangent = cotangents[id] ?? 0;
    if (cotangent === 0) continue;
    for (const [partial, [target, list]] of contributions[id] ?? []) {
      if (partial === 0) continue;
      cost.arrayOperations += 1; // cost
      cotangents[target] = (cotangents[target] ?? 0) + partial * cotangent;
      contributions[target] = list;
    }
  }
}

/** The cotangents of all IDs, once the outputs have staged theirs. */
export function run(all: number, calls: (staged: Staged) => void): Float64Array {
  cost.arrayOperations += all; // cost
  const staged: Staged = { cotangents: new Float64Array(all), contributions: [] };
  calls(staged);
  sResolve(all, staged);
  return staged.cotangents;
}

/** The cotangent of an ID. */
export function cotangentAt(cotangents: Float64Array, id: number): number {
  return cotangents[id] ?? 0;
}
