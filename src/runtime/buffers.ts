// The arrays and lists of numbers of an earlier gradient, to be filled again.

import { isFloat64Array } from "./values.js";

/** What has fields or elements. */
interface Holder {
  [key: string | number]: unknown;
}

/** An array of numbers, in whatever memory. */
interface NumbersView {
  readonly buffer: unknown;
  readonly byteOffset: number;
  readonly byteLength: number;
  set(values: ArrayLike<number>): void;
}

/** What is to be moved: where it stands, and into what. */
interface Move {
  readonly holder: Holder;
  readonly key: string | number;
  readonly old: NumbersView;
}

// Nothing may write to the arguments. Without recursion, since a list may have a million cells; each part of the gradient is looked at once.

/**
 * A gradient, all of it new, with its Float64Arrays moved into those at the same places of an earlier one that are as long: each once, and none that overlaps
 * another. Arrays stay new where one has memory of the arguments `given`. `keys`: the parameters that hold arrays, where others hold none.
 */
export function refill<T extends object>(
  gradient: T,
  earlier: object | undefined,
  given: readonly unknown[],
  ...keys: readonly string[]
): T {
  if (!isHolder(earlier)) return gradient;
  const seen = new Set<unknown>();
  const taken = memoryOf(given);
  // Parts whose turn comes later, and what the earlier gradient has in their places
  const waiting: unknown[] = [];
  const moves: Move[] = [];
  // What is in place already
  const kept: NumbersView[] = [];
  const look = (holder: Holder, key: string | number, from: unknown): void => {
    const part = holder[key];
    if (!isHolder(part)) return;
    const old = (from as Holder)[key];
    if (part instanceof Float64Array) {
      if (!(old instanceof Float64Array) || old.length !== part.length) return;
      if (part === old) kept.push(old);
      else moves.push({ holder, key, old });
    } else if (part !== old && isHolder(old)) {
      waiting.push(part, old);
    }
  };
  const places = keys.length > 0 ? keys : Object.keys(gradient);
  for (const key of places) look(gradient as Holder, key, earlier);
  while (waiting.length > 0) {
    const old = waiting.pop() as Holder;
    const part = waiting.pop() as Holder;
    if (seen.has(part)) continue;
    seen.add(part);
    if (Array.isArray(part)) {
      for (let i = 0; i < part.length; i++) look(part, i, old);
    } else {
      for (const key in part) look(part, key, old);
    }
  }
  // By memory where what is used of it ends
  const ends = new Map<unknown, number>();
  moves.sort((one, other) => one.old.byteOffset - other.old.byteOffset);
  for (const { holder, key, old } of moves) {
    const start = old.byteOffset;
    if (taken.has(old.buffer) || start < (ends.get(old.buffer) ?? 0)) continue;
    if (kept.some((view) => overlap(view, old))) continue;
    ends.set(old.buffer, start + old.byteLength);
    old.set(holder[key] as Float64Array);
    holder[key] = old;
  }
  return gradient;
}

function overlap(one: NumbersView, other: NumbersView): boolean {
  if (one.buffer !== other.buffer) return false;
  const end = (view: NumbersView): number => view.byteOffset + view.byteLength;
  return one.byteOffset < end(other) && other.byteOffset < end(one);
}

/** The memory of all Float64Arrays among values, and in them. */
function memoryOf(values: readonly unknown[]): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  const waiting = [...values];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (value instanceof Float64Array) found.add(value.buffer);
    else if (isHolder(value) && !found.has(value)) {
      found.add(value);
      for (const key in value) if (isHolder(value[key])) waiting.push(value[key]);
    }
  }
  return found;
}

/** In the place of an array whose length is not known yet: an earlier one of any length is taken, or an empty one. */
export const anyLength = /* @__PURE__ */ new Float64Array(0);

// To look at the earlier gradient may call anything: nothing is written before all has been looked at.

/**
 * Arrays for a gradient with respect to those in `like`: the ones at the same places of an earlier gradient, as they are; new ones where these have other lengths, or
 * share memory with those before, or with another thread. Null where `like` or `read` shares memory with the earlier ones. Views of one buffer are used as far as
 * they follow each other.
 */
export function earlierArrays<T extends object>(earlier: unknown, like: T, ...read: Float64Array[]): T | null {
  const seen = new Set<unknown>();
  let memory: unknown;
  // What follows that in the memory of the array before is free
  let end = 0;
  const take = (old: Holder | null | undefined, part: Holder | Float64Array): unknown => {
    if (Array.isArray(part)) return part.map((row: Float64Array, i) => take(old?.[i] as Holder, row));
    if (isFloat64Array(part)) {
      const { length } = part;
      read.push(part);
      if (isFloat64Array(old) && (old.length === length || part === anyLength)) {
        const { buffer, byteOffset } = old;
        if (buffer !== memory) {
          end = buffer instanceof ArrayBuffer && !seen.has(buffer) ? 0 : Infinity;
          memory = buffer;
          seen.add(buffer);
        }
        if (byteOffset >= end) {
          end = byteOffset + old.length * 8;
          return old;
        }
      }
      return new Float64Array(length);
    }
    const taken: Holder = {};
    for (const key in part) taken[key] = take(old?.[key] as Holder, part[key] as Holder);
    return taken;
  };
  const taken = take(earlier as Holder, like as Holder) as T;
  return read.some(({ buffer }) => seen.has(buffer)) ? null : taken;
}

function isHolder(value: unknown): value is Holder {
  return typeof value === "object" && value !== null;
}

// Lists that have any cell in common have the last one.

/** Notes that a list has been filled again which ends in the cell `last`, if it has any. Whether none has been that ends in it. */
export function noteFilled(last: unknown, filled: Set<unknown>): boolean {
  if (last === null) return true;
  if (filled.has(last)) return false;
  filled.add(last);
  return true;
}
