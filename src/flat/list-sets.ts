// Classes of what may be the same list, and groups of these: either all lists of a group are arrays, or none.

/** What may be the same list. */
export class ListClass {
  isBad = false;
  /** Whether cells are looked at, or put in front, outside of loops that go along it, and whether loops make it or go along it. */
  isLookedInto = false;
  isOfLoops = false;
  /** Which class it has become part of. */
  into: ListClass | null = null;
  /** The classes of what its cells or elements hold, by leaf. */
  readonly inside = new Map<number, ListClass>();
  /** Others of its group: what it holds, what holds it, and lists that begin or end with it. */
  readonly near: ListClass[] = [];
}

/** Lists of lists with what they hold, lists with those that begin or end with them. */
export interface ListGroup {
  readonly isBad: boolean;
  readonly isLookedInto: boolean;
  readonly isOfLoops: boolean;
  readonly isArrays: boolean;
}

export class ListSets {
  readonly #groups = new Map<ListClass, ListGroup>();

  /** The class of what the cells or elements of a class hold. */
  inside(outer: ListClass, leaf: number): ListClass {
    const known = outer.inside.get(leaf);
    if (known !== undefined) return rootOf(known);
    const made = new ListClass();
    outer.inside.set(leaf, made);
    near(outer, made);
    return made;
  }

  /** Makes them one; what is the same as something that is no list is none. */
  join(first: ListClass | null, second: ListClass | null): void {
    const pairs = [[first, second] as const];
    for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
      const [a, b] = [pair[0] === null ? null : rootOf(pair[0]), pair[1] === null ? null : rootOf(pair[1])];
      if (a === null || b === null) {
        const one = a ?? b;
        if (one !== null) one.isBad = true;
        continue;
      }
      if (a === b) continue;
      b.into = a;
      a.isBad ||= b.isBad;
      a.isLookedInto ||= b.isLookedInto;
      a.isOfLoops ||= b.isOfLoops;
      a.near.push(...b.near);
      for (const [leaf, inner] of b.inside) {
        const own = a.inside.get(leaf);
        if (own === undefined) a.inside.set(leaf, inner);
        else pairs.push([own, inner]);
      }
    }
  }

  /** The group of a class of which no more is going to be noted. */
  groupOf(one: ListClass): ListGroup {
    const known = this.#groups.get(rootOf(one));
    if (known !== undefined) return known;
    const classes = together(one);
    const isBad = classes.some((each) => each.isBad);
    const isLookedInto = classes.some((each) => each.isLookedInto);
    const isOfLoops = classes.some((each) => each.isOfLoops);
    // To make an array in order to read the first number takes longer
    const group = { isBad, isLookedInto, isOfLoops, isArrays: !isBad && (isOfLoops || !isLookedInto) };
    for (const each of classes) this.#groups.set(each, group);
    return group;
  }

  /** Copies of classes of which no more is going to be noted: what one call sees of what it calls. Adds to `copies`, by class. */
  copy(one: ListClass, copies: Map<ListClass, ListClass>): ListClass {
    const pending = copies.has(rootOf(one)) ? [] : [rootOf(one)];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const made = this.#copied(next, copies);
      for (const [leaf, inner] of next.inside) {
        const own = rootOf(inner);
        if (!copies.has(own)) pending.push(own);
        made.inside.set(leaf, this.#copied(own, copies));
      }
    }
    return this.#copied(rootOf(one), copies);
  }

  #copied(root: ListClass, copies: Map<ListClass, ListClass>): ListClass {
    const known = copies.get(root);
    if (known !== undefined) return known;
    const group = this.groupOf(root);
    const made = new ListClass();
    made.isBad = group.isBad;
    made.isLookedInto = group.isLookedInto;
    made.isOfLoops = group.isOfLoops;
    for (const [other, copy] of copies) if (this.groupOf(other) === group) near(made, copy);
    copies.set(root, made);
    return made;
  }
}

export function rootOf(list: ListClass): ListClass {
  let root = list;
  while (root.into !== null) root = root.into;
  return root;
}

/** Notes that two classes are of one group. */
export function near(one: ListClass, other: ListClass): void {
  one.near.push(other);
  other.near.push(one);
}

function together(one: ListClass): readonly ListClass[] {
  const found = new Set<ListClass>();
  const pending = [rootOf(one)];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    pending.push(...[...next.inside.values(), ...next.near].map(rootOf));
  }
  return [...found];
}
