// The gradients that scalars carry in KR22 Fig. 5: numbers by the input's scalars. Zeros at the end are left out, so that `zeros` needs no input.

import { cost } from "./cost.js";
import { scale } from "./numbers.js";

/** zeros. */
export const zeros: Float64Array = new Float64Array(0);

/** onehot n. */
export function oneHotVector(n: number): Float64Array {
  cost.arrayOperations += n + 1; // cost
  const vector = new Float64Array(n + 1);
  vector[n] = 1;
  return vector;
}

/** r (x) ds. */
export function scaleVector(factor: number, vector: Float64Array): Float64Array {
  cost.arrayOperations += vector.length; // cost
  return vector.map((x) => scale(x, factor));
}

/** ds1 (+) ds2. */
export function addVectors(a: Float64Array, b: Float64Array): Float64Array {
  cost.monoidOperations += 1; // cost
  cost.arrayOperations += Math.max(a.length, b.length); // cost
  const [longer, shorter] = a.length < b.length ? [b, a] : [a, b];
  const sum = longer.slice();
  for (let i = 0; i < shorter.length; i++) sum[i] = (sum[i] ?? 0) + (shorter[i] ?? 0);
  return sum;
}

/** term(0) (+) .. (+) term(size - 1). */
export function sumVectors(size: number, term: (index: number) => Float64Array): Float64Array {
  let sum = zeros;
  for (let index = 0; index < size; index++) {
    sum = addVectors(sum, term(index));
  }
  return sum;
}

/** A gradient's number for an input's scalar. */
export function componentOf(vector: Float64Array, id: number): number {
  return vector[id] ?? 0;
}
