// Reading a text again that has changed in one place: the items elsewhere are the same, moved.

import type { Item } from "./tree.js";

interface Known {
  readonly item: Item;
  readonly start: number;
}

/** The items of a file as it was read last, by their texts; those that were read without a mistake. */
export class KnownItems {
  #last: ReadonlyMap<string, Known> = new Map();
  #next = new Map<string, Known>();

  /** The same items, for another text of the file. */
  fork(): KnownItems {
    const fork = new KnownItems();
    fork.#last = this.#last;
    return fork;
  }

  /** The item of a text, with the documentation above it, as it stands at `start` now; null where it has to be read. */
  find(text: string, doc: string, start: number): Item | null {
    const key = keyOf(text, doc);
    const known = this.#next.get(key) ?? this.#last.get(key);
    if (known === undefined) return null;
    return known.start === start ? known.item : moved(known.item, start - known.start);
  }

  keep(text: string, doc: string, start: number, item: Item): void {
    this.#next.set(keyOf(text, doc), { item, start });
  }

  /** To be called once the whole file is read. */
  forgetOthers(): void {
    this.#last = this.#next;
    this.#next = new Map();
  }
}

function keyOf(text: string, doc: string): string {
  return `${doc}\0${text}`;
}

/** A copy of a tree, as it stands so many characters further on. What is one object in the tree is one in the copy. Without recursion, since programs are deep. */
function moved<T extends object>(tree: T, by: number): T {
  const root: T = { ...tree };
  const copies = new Map<object, object>([[tree, root]]);
  const todo: object[] = [root];
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    for (const key of Object.keys(node)) {
      const value: unknown = Reflect.get(node, key);
      if (typeof value === "number" && (key === "start" || key === "end")) Reflect.set(node, key, value + by);
      if (typeof value !== "object" || value === null) continue;
      let copy = copies.get(value);
      if (copy === undefined) {
        copy = Array.isArray(value) ? value.map((each: unknown) => each) : { ...value };
        copies.set(value, copy);
        todo.push(copy);
      }
      Reflect.set(node, key, copy);
    }
  }
  return root;
}
