/**
 * A supply of fresh names: each differs from every name given so far and from every name `taken` at the start. Names are made from a hint
 * (`x`, `x1`, `x2`, ..) so that what is generated stays readable.
 */
export class Names {
  readonly #taken: Set<string>;
  readonly #outer: Names | null;
  readonly #next = new Map<string, number>();
  /** Names given by the supplies inside this one. */
  readonly #inside = new Set<string>();

  constructor(taken: Iterable<string>, outer: Names | null = null) {
    this.#taken = new Set(taken);
    this.#outer = outer;
  }

  /** A supply inside this one: its names differ from all that this one gives, before and after, but not from those of others inside it. */
  inner(): Names {
    return new Names([], this);
  }

  /** A name like `hint` that is not in use yet. */
  fresh(hint: string): string {
    if (!this.#has(hint)) return this.#take(hint);
    const stem = hint.replace(/\d+$/, "");
    let count = this.#next.get(stem) ?? 1;
    while (this.#has(`${stem}${count}`)) count += 1;
    this.#next.set(stem, count + 1);
    return this.#take(`${stem}${count}`);
  }

  #has(name: string): boolean {
    return this.#taken.has(name) || this.#inside.has(name) || (this.#outer !== null && this.#outer.#taken.has(name));
  }

  #take(name: string): string {
    this.#taken.add(name);
    if (this.#outer !== null) this.#outer.#inside.add(name);
    return name;
  }
}
