/** What has been done so far, for `dualrev cost`: counted, not timed. */
export const cost = {
  primitives: 0,
  backpropagators: 0,
  mapOperations: 0,
  arrayOperations: 0,
  monoidOperations: 0,
  functionCalls: 0,
};

/** Counts the primitive operation that has given `value`. */
export function countPrimitive<T>(value: T): T {
  cost.primitives += 1;
  return value;
}

/** Counts the call of a backpropagator that has given `value`. */
export function countBackpropagator<T>(value: T): T {
  cost.backpropagators += 1;
  return value;
}

/** Counts the operation of a monoid that has given `value`. */
export function countMonoidOperation<T>(value: T): T {
  cost.monoidOperations += 1;
  return value;
}
