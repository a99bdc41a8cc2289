// The arrays of numbers of an earlier gradient, to be filled again. Everything is iterative, since a list may have a million cells.

/** Arrays in the order in which they are taken, undefined for one that is there before; `next` is the first that is left. */
export interface Buffers {
  readonly arrays: readonly (Float64Array | undefined)[];
  next: number;
}

/** Parts of an object by their keys; where several are taken together, theirs; null for none. */
type BufferKeys = string | null | readonly BufferKeys[];

/** What has fields or elements. */
interface Holder {
  [key: string | number]: unknown;
}

/** For each key the Float64Arrays in that part of an earlier gradient, all in all each once; nothing where there is no such gradient. */
export function buffersIn(gradient: object | undefined, keys: readonly BufferKeys[]): readonly Buffers[] {
  if (gradient === undefined) return [];
  const seen = new Set<unknown>();
  return keys.map((part) => {
    const arrays: (Float64Array | undefined)[] = [];
    const add = (array: Float64Array): void => {
      arrays.push(seen.has(array) ? undefined : array);
      seen.add(array);
    };
    const collect = (key: BufferKeys): void => {
      if (typeof key === "string") eachNumbers(gradient as Holder, key, seen, add);
      else key?.forEach(collect);
    };
    collect(part);
    return { arrays, next: 0 };
  });
}

/** No arrays: what is rebuilt without an earlier gradient gets new memory. */
export function noBuffers(): undefined {
  return undefined;
}

/** Memory for numbers: the next array where it has that length, a new one otherwise. */
export function numbersFor(buffers: Buffers | undefined, length: number): Float64Array {
  return nextOf(buffers, length) ?? new Float64Array(length);
}

/** A part of a gradient, all of it new, with its arrays of numbers moved into earlier ones where these have their lengths. */
export function refill<T>(value: T, buffers: Buffers | undefined): T {
  if (buffers === undefined) return value;
  const root: Holder = { value };
  eachNumbers(root, "value", new Set(), (array, holder, key) => {
    const buffer = nextOf(buffers, array.length);
    if (buffer === undefined) return;
    buffer.set(array);
    holder[key] = buffer;
  });
  return root["value"] as T;
}

function nextOf(buffers: Buffers | undefined, length: number): Float64Array | undefined {
  const next = buffers?.arrays[buffers.next];
  if (buffers !== undefined) buffers.next += 1;
  return next?.length === length ? next : undefined;
}

/** Visits the Float64Arrays in a field, in order, with the place that each is in; no other object twice. */
function eachNumbers(
  holder: Holder,
  key: string,
  seen: Set<unknown>,
  visit: (array: Float64Array, holder: Holder, key: string | number) => void,
): void {
  // Places whose turn comes later: holder and key of each
  const waiting: unknown[] = [holder, key];
  while (waiting.length > 0) {
    const at = waiting.pop() as string | number;
    const parent = waiting.pop() as Holder;
    const node = parent[at];
    if (node instanceof Float64Array) {
      visit(node, parent, at);
      continue;
    }
    if (typeof node !== "object" || node === null || seen.has(node)) continue;
    seen.add(node);
    const keys = Array.isArray(node) ? node.keys() : Object.keys(node);
    for (const inner of [...keys].reverse()) {
      if (typeof (node as Holder)[inner] === "object") waiting.push(node, inner);
    }
  }
}
