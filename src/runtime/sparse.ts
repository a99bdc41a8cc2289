// Cotangents with formal zeros (SV25 footnote 30): what D1 and D2 build before the input's shape is filled in.

import { cost } from "./cost.js";

/** A cotangent in which `null` stands for a zero of whatever type belongs there. */
export type Sparse = null | number | boolean | string | readonly Sparse[] | { readonly [field: string]: Sparse };

/** The formal zero. */
export const none: Sparse = null;

/** Adds cotangents of the same type, part by part. */
export function plus(a: Sparse, b: Sparse): Sparse {
  cost.monoidOperations += 1; // cost
  if (a === null) return b;
  if (b === null) return a;
  if (typeof a === "number") return a + (b as number);
  if (typeof a !== "object") return a;
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
  return filled(shape as Sparse, cotangent) as T;
}

function filled(shape: Sparse, cotangent: Sparse): Sparse {
  if (typeof shape === "number") return cotangent ?? 0;
  if (shape === null || typeof shape !== "object") return shape;
  if (Array.isArray(shape)) {
    const parts = cotangent as readonly Sparse[] | null;
    return shape.map((item: Sparse, i) => filled(item, parts?.[i] ?? null));
  }
  const parts = cotangent as { readonly [field: string]: Sparse } | null;
  return Object.fromEntries(
    Object.entries(shape).map(([field, item]) => [field, filled(item, parts?.[field] ?? null)]),
  );
}
