// Whose memory values are in.

/** What of a result is there twice, or belongs to somebody else; null where each part is its own. */
export function sharing(others: unknown, result: unknown): string | null {
  const foreign = new Set([...objectsIn(others)].map(memoryOf));
  const met = new Set<object>();
  for (const object of objectsIn(result)) {
    if (foreign.has(memoryOf(object))) return `shares ${JSON.stringify(object)} with what was given`;
    if (met.has(object)) return `has ${JSON.stringify(object)} in two places`;
    met.add(object);
  }
  return null;
}

function memoryOf(object: object): object {
  return object instanceof Float64Array ? object.buffer : object;
}

/** Objects and arrays, each as often as there is a way to it. */
function* objectsIn(value: unknown): Iterable<object> {
  if (typeof value !== "object" || value === null) return;
  yield value;
  if (value instanceof Float64Array) return;
  for (const part of Object.values(value)) yield* objectsIn(part);
}
