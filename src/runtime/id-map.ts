// Persistent maps from IDs, for the staged calls of SV25 Figs. 8 and 9: treaps whose priorities are a hash of the key, so that equal sets of
// keys have equal shapes. Insertion, the highest key, and the union of a small with a large map take logarithmic time.

import { cost } from "./cost.js";

/** A map from IDs to values; the empty one is null. */
export type IdMap<V> = IdNode<V> | null;

export interface IdNode<V> {
  readonly id: number;
  readonly value: V;
  readonly left: IdMap<V>;
  readonly right: IdMap<V>;
}

/** Whether the first ID stands above the second in a treap. */
function isAbove(a: number, b: number): boolean {
  const [x, y] = [priorityOf(a), priorityOf(b)];
  return x === y ? a > b : x > y;
}

function priorityOf(id: number): number {
  const mixed = Math.imul(id ^ (id >>> 16), 0x45d9f3b);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 0;
}

/** The values at an ID in both maps are combined; `combine` gets the first map's first. */
export function unionWith<V>(a: IdMap<V>, b: IdMap<V>, combine: (x: V, y: V) => V): IdMap<V> {
  cost.mapOperations += 1; // cost
  if (a === null) return b;
  if (b === null) return a;
  if (a.id !== b.id && isAbove(b.id, a.id)) return unionWith(b, a, (x, y) => combine(y, x));
  const { less, equal, greater } = splitAt(b, a.id);
  return {
    id: a.id,
    value: equal === null ? a.value : combine(a.value, equal.value),
    left: unionWith(a.left, less, combine),
    right: unionWith(a.right, greater, combine),
  };
}

/** A map with a value added at an ID. */
export function insertWith<V>(map: IdMap<V>, id: number, value: V, combine: (x: V, y: V) => V): IdMap<V> {
  return unionWith(map, { id, value, left: null, right: null }, combine);
}

function splitAt<V>(map: IdMap<V>, id: number): { less: IdMap<V>; equal: IdNode<V> | null; greater: IdMap<V> } {
  if (map === null) return { less: null, equal: null, greater: null };
  cost.mapOperations += 1; // cost
  if (id === map.id) return { less: map.left, equal: map, greater: map.right };
  if (id < map.id) {
    const { less, equal, greater } = splitAt(map.left, id);
    return { less, equal, greater: { ...map, left: greater } };
  }
  const { less, equal, greater } = splitAt(map.right, id);
  return { less: { ...map, right: less }, equal, greater };
}

/** The entry with the highest ID, and the map without it. */
export function popHighest<V>(map: IdNode<V>): { readonly highest: IdNode<V>; readonly rest: IdMap<V> } {
  cost.mapOperations += 1; // cost
  if (map.right === null) return { highest: map, rest: map.left };
  const { highest, rest } = popHighest(map.right);
  return { highest, rest: { ...map, right: rest } };
}

/** The value at an ID. */
export function lookupID<V>(map: IdMap<V>, id: number): V | undefined {
  let at = map;
  while (at !== null && at.id !== id) {
    cost.mapOperations += 1; // cost
    at = id < at.id ? at.left : at.right;
  }
  return at?.value;
}
