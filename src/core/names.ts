/**
 * A supply of fresh names: each differs from every name given so far and from every name `taken` at the start. Names are made from a hint
 * (`x`, `x1`, `x2`, ..) so that what is generated stays readable.
 */
export class Names {
  readonly #taken: Set<string>;
  readonly #next = new Map<string, number>();

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  /** A name like `hint` that is not in use yet. */
  fresh(hint: string): string {
    if (!this.#taken.has(hint)) {
      this.#taken.add(hint);
      return hint;
    }
    const stem = hint.replace(/\d+$/, "");
    let count = this.#next.get(stem) ?? 1;
    while (this.#taken.has(`${stem}${count}`)) count += 1;
    this.#next.set(stem, count + 1);
    const name = `${stem}${count}`;
    this.#taken.add(name);
    return name;
  }
}
