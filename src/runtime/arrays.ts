// Arrays of the calculus: `[R]` is a Float64Array, any other array an ordinary one.

/** The error for an index outside of an array. */
export function outside(array: { readonly length: number }, index: number, site: string): never {
  throw new RangeError(`${site}: index ${index} is outside an array of length ${array.length}`);
}

/** An item of an array of numbers. */
export function numberAt(array: Float64Array, index: number, site: string): number {
  const item = array[index];
  return item === undefined ? outside(array, index, site) : item;
}

/** An item of an array. */
export function itemAt<T>(array: readonly T[], index: number, site: string): T {
  const item = array[index];
  return item === undefined ? outside(array, index, site) : item;
}

/** A size that an array can have. */
export function arraySize(size: number, site: string): number {
  if (size >= 0 && size < 2 ** 27) return size;
  throw new RangeError(`${site}: an array cannot have the size ${size}`);
}

/** Fills in an item of an array of numbers that is being built. */
export function storeNumber(array: Float64Array, index: number, item: number): Float64Array {
  array[index] = item;
  return array;
}

/** Fills in an item of an array that is being built. */
export function storeItem<T>(array: readonly T[], index: number, item: T): readonly T[] {
  (array as T[])[index] = item;
  return array;
}
