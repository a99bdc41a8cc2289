// Pseudo-random inputs, the same as those of the fixtures.

/** `count` numbers from -scale to scale, by a linear congruential generator of 32 bits. */
export function vec(count: number, seed: number, scale = 1): Float64Array {
  let state = seed;
  return Float64Array.from({ length: count }, () => {
    state = (1664525 * state + 1013904223) % 2 ** 32;
    return ((2 * state) / 2 ** 32 - 1) * scale;
  });
}

/** The same as the rows of a matrix. */
export function matrix(rows: number, columns: number, seed: number, scale = 1): Float64Array[] {
  return rowsOf(vec(rows * columns, seed, scale), rows, columns).map((row) => row.slice());
}

/** The rows of a matrix as views of one array: many small typed arrays are slow to make. */
export function rowsOf(flat: Float64Array, rows: number, columns: number): Float64Array[] {
  const views = new Array<Float64Array>(rows);
  for (let i = 0; i < rows; i++) views[i] = flat.subarray(i * columns, (i + 1) * columns);
  return views;
}
