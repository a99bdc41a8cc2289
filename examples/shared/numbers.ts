// Optimisers work on vectors, models on records and arrays. Between them: all numbers of a value in a row, and back.

/** All numbers of a value, in the order in which they stand in it. */
export function numbersOf(value: unknown): number[] {
  if (typeof value === "number") return [value];
  if (value instanceof Float64Array) return Array.from(value);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersOf) : [];
}

/** A value like another one, with other numbers. */
export function withNumbers<T>(like: T, numbers: ArrayLike<number>): T;
export function withNumbers(like: unknown, numbers: ArrayLike<number>): unknown {
  let next = 0;
  const copy = (value: unknown): unknown => {
    if (typeof value === "number") return numbers[next++];
    if (value instanceof Float64Array) return value.map(() => numbers[next++] ?? NaN);
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, copy(field)]));
  };
  return copy(like);
}
