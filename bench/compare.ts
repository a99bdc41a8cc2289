// Agreement of results: the largest difference of any two scalars, relative to the largest scalar.

/** All numbers in a value, in order. */
export function scalarsOf(value: unknown): Float64Array {
  const scalars: number[] = [];
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const item = waiting.pop();
    if (typeof item === "number") scalars.push(item);
    else if (typeof item === "object" && item !== null)
      for (const key of Object.keys(item).reverse()) waiting.push(Reflect.get(item, key));
  }
  return Float64Array.from(scalars);
}

/** The relative distance of two values of the same shape; infinite where the shapes differ. */
export function distance(a: unknown, b: unknown): number {
  const [x, y] = [scalarsOf(a), scalarsOf(b)];
  if (x.length !== y.length) return Infinity;
  let [largest, difference] = [Number.MIN_VALUE, 0];
  x.forEach((value, i) => {
    largest = Math.max(largest, Math.abs(value), Math.abs(y[i] ?? 0));
    difference = Math.max(difference, Math.abs(value - (y[i] ?? 0)));
  });
  return difference / largest;
}
