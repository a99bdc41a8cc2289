// The arrays and lists of numbers of an earlier gradient, to be filled again.

import { isFloat64Array } from "./values.js";

/** What has fields or elements. */
interface Holder {
  [key: string | number]: unknown;
}

/**
 * A gradient, all of it new, with its Float64Arrays moved into those at the same places of an earlier gradient where these have their lengths; each is used
 * once, at its first place. What is the earlier one's already stays as it is. Iterative, since a list may have a million cells.
 */
export function refill<T>(gradient: T, earlier: object | undefined): T {
  if (!isHolder(earlier)) return gradient;
  const root: Holder = { gradient };
  const seen = new Set<unknown>();
  // Places whose turn comes later: holder, key, and what the earlier gradient has there
  const waiting: unknown[] = [root, "gradient", earlier];
  while (waiting.length > 0) {
    const old = waiting.pop();
    const key = waiting.pop() as string | number;
    const holder = waiting.pop() as Holder;
    const node = holder[key];
    if (node instanceof Float64Array) {
      if (!(old instanceof Float64Array) || old.length !== node.length || seen.has(old)) continue;
      seen.add(old);
      old.set(node);
      holder[key] = old;
    } else if (node !== old && !seen.has(node)) {
      seen.add(node);
      const keys = Array.isArray(node) ? node.keys() : Object.keys(node as Holder);
      for (const inner of [...keys].reverse()) {
        const [part, before] = [(node as Holder)[inner], (old as Holder)[inner]];
        if (isHolder(part) && isHolder(before)) waiting.push(node, inner, before);
      }
    }
  }
  return root["gradient"] as T;
}

/**
 * Arrays for a gradient with respect to the arrays and rows in `like`: those at the same places of an earlier gradient, with what is in them; new ones where these have other lengths, share memory with
 * those before, or with another thread. Null where one in `like` or `read`, which are read while a gradient is made, shares memory with the earlier ones. Nothing is
 * written: looking at the earlier gradient may call anything. Views of one buffer are used as far as they follow each other.
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
      if (isFloat64Array(old) && old.length === length) {
        const { buffer, byteOffset } = old;
        if (buffer !== memory) {
          end = buffer instanceof ArrayBuffer && !seen.has(buffer) ? 0 : Infinity;
          memory = buffer;
          seen.add(buffer);
        }
        if (byteOffset >= end) {
          end = byteOffset + length * 8;
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

function isHolder(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/**
 * Notes that a list has been filled again which ends in the cell `last`; null where it has no cells. Whether no other one has been that ends in it: lists that have
 * any cell in common have the last one.
 */
export function noteFilled(last: unknown, filled: Set<unknown>): boolean {
  if (last === null) return true;
  if (filled.has(last)) return false;
  filled.add(last);
  return true;
}
