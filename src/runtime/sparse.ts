// Cotangents with formal zeros (SV25 footnote 30): what D1 and D2 build before the input's shape is filled in.

import { lookupID, unionWith } from "./id-map.js";
import type { IdMap } from "./id-map.js";
import { cost } from "./cost.js";

/** A cotangent in which `null` stands for a zero of whatever type belongs there. */
export type Sparse =
  null | number | boolean | string | readonly Sparse[] | { readonly [field: string]: Sparse } | SparseArray;

/** A cotangent of an array: those of its elements by index, a formal zero where there is none. */
export class SparseArray {
  readonly elements: IdMap<Sparse>;

  constructor(elements: IdMap<Sparse>) {
    this.elements = elements;
  }
}

/** The formal zero. */
export const none: Sparse = null;

/** A cotangent of the element of an array at an index. */
export function oneHot(index: number, cotangent: Sparse): Sparse {
  return new SparseArray({ id: index, value: cotangent, left: null, right: null });
}

/** term(0) + .. + term(size - 1), half and half: adding up sparse arrays from the left would take one apart again and again. */
export function sumOf(size: number, term: (index: number) => Sparse): Sparse {
  return sumBetween(0, size, term);
}

function sumBetween(from: number, to: number, term: (index: number) => Sparse): Sparse {
  if (to - from < 2) return from < to ? term(from) : null;
  const middle = (from + to) >> 1;
  return plus(sumBetween(from, middle, term), sumBetween(middle, to, term));
}

/** Adds cotangents of the same type, part by part. */
export function plus(a: Sparse, b: Sparse): Sparse {
  cost.monoidOperations += 1; // cost
  if (a === null) return b;
  if (b === null) return a;
  if (typeof a === "number") return a + (b as number);
  if (typeof a !== "object") return a;
  if (a instanceof SparseArray) return new SparseArray(unionWith(a.elements, (b as SparseArray).elements, plus));
  if (Array.isArray(a)) {
    const other = b as readonly Sparse[];
    return a.map((item: Sparse, i) => plus(item, other[i] ?? null));
  }
  const other = b as { readonly [field: string]: Sparse };
  return Object.fromEntries(Object.entries(a).map(([field, item]) => [field, plus(item, other[field] ?? null)]));
}

/** The zero of an input's type, in its shape: sizes, tags and truth values stay, numbers become 0. */
export function shapeOf<T>(input: T): T {
  return fill(input, null);
}

/** A cotangent of the given shape, 0 where it has a formal zero. */
export function fill<T>(shape: T, cotangent: Sparse): T {
  return filled(shape, cotangent) as T;
}

function filled(shape: unknown, cotangent: Sparse): unknown {
  if (typeof shape === "number") return cotangent ?? 0;
  if (shape === null || typeof shape !== "object") return shape;
  if (shape instanceof Float64Array) return shape.map((_, i) => (part(cotangent, i) as number | null) ?? 0);
  if (Array.isArray(shape)) return shape.map((item: unknown, i) => filled(item, part(cotangent, i)));
  const parts = cotangent as { readonly [field: string]: Sparse } | null;
  return Object.fromEntries(
    Object.entries(shape).map(([field, item]) => [field, filled(item, parts?.[field] ?? null)]),
  );
}

/** The component of a tuple's cotangent, or the element of an array's. */
function part(cotangent: Sparse, index: number): Sparse {
  if (cotangent instanceof SparseArray) return lookupID(cotangent.elements, index) ?? null;
  return (cotangent as readonly Sparse[] | null)?.[index] ?? null;
}
