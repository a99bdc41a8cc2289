// Lists that stay the same objects where nothing in them changes, so that a pass can tell whether it has done anything.

/** `items.map(f)`; the items themselves where nothing changes. */
export function mapSame<T>(items: readonly T[], f: (item: T, index: number) => T): readonly T[] {
  let mapped: T[] | null = null;
  let index = 0;
  for (const item of items) {
    const next = f(item, index);
    if (next !== item) mapped ??= items.slice(0, index);
    mapped?.push(next);
    index++;
  }
  return mapped ?? items;
}

/** `after`, or `before` where both hold the same. */
export function sameItems<T>(before: readonly T[], after: readonly T[]): readonly T[] {
  if (before.length !== after.length) return after;
  let index = 0;
  for (const item of after) if (item !== before[index++]) return after;
  return before;
}

/** A part of a program with others in it; the same where these are what it has. All else that it has stays: where it is from, too. */
export function withParts<T extends object>(part: T, parts: Partial<T>): T {
  for (const name in parts) if (parts[name] !== part[name]) return { ...part, ...parts };
  return part;
}
