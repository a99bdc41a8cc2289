// The arrays and lists of numbers of an earlier gradient, to be filled again.

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
