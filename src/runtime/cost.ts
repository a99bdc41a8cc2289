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

/** Counts the cell of an array that has been read or written; `value` is what is in it. */
export function countCell<T>(value: T): T {
  cost.arrayOperations += 1;
  return value;
}

/** Counts the cells of an array that has been made, and those of its rows. */
export function countCells<T>(made: T): T {
  if (ArrayBuffer.isView(made) && "length" in made) cost.arrayOperations += Number(made.length);
  if (Array.isArray(made)) {
    cost.arrayOperations += made.length;
    made.forEach(countCells);
  }
  return made;
}
