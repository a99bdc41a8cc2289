/** What has been done so far, for `dualrev cost`: counted, not timed. */
export const cost = {
  primitives: 0,
  backpropagators: 0,
  mapOperations: 0,
  arrayOperations: 0,
  monoidOperations: 0,
  functionCalls: 0,
  /** Of all this what is done beside something else, where tasks run in parallel: the longest path is the rest. */
  overlap: 0,
  /** The longest path of a run with its reverse pass, without what Wrap does for the input. */
  path: 0,
  /** The compound IDs in the order in which they have been resolved, where that is asked for. */
  resolved: null as (readonly [number, number])[] | null,
};

/** All that has been done so far. */
export function workSoFar(): number {
  const { primitives, backpropagators, mapOperations, arrayOperations, monoidOperations, functionCalls } = cost;
  return primitives + backpropagators + mapOperations + arrayOperations + monoidOperations + functionCalls;
}

/** The values of tasks that the program does in parallel, one after the other. */
export function countFork<T extends readonly unknown[]>(...tasks: { readonly [K in keyof T]: () => T[K] }): T {
  return countForks(tasks.length, (index) => (tasks[index] as () => unknown)()) as unknown as T;
}

/** The elements of an array that the program computes in parallel, one after the other. */
export function countForks<T>(size: number, task: (index: number) => T): T[] {
  const results: T[] = [];
  const [workBefore, overlapBefore] = [workSoFar(), cost.overlap];
  let span = 0;
  for (let index = 0; index < size; index++) {
    const start = workSoFar() - cost.overlap;
    results.push(task(index));
    span = Math.max(span, workSoFar() - cost.overlap - start);
  }
  cost.overlap = overlapBefore + workSoFar() - workBefore - span;
  return results;
}

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
