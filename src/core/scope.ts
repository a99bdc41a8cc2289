// What the names of the typed tree stand for while it is elaborated: source names may shadow each other, core names do not.

import * as b from "./build.js";
import type { Names } from "./names.js";
import type { Term } from "./term.js";
import type { Type } from "./type.js";

interface Layer<V> {
  readonly own: ReadonlyMap<string, V>;
  readonly rest: Layer<V> | null;
  readonly depth: number;
}

/** How many layers are kept before they are copied into one. */
const maxLayers = 32;

/** An immutable map from names. Extending one shares the rest, so that a chain of n `let`s does not copy n maps. */
export class Bindings<V> {
  readonly #top: Layer<V>;

  private constructor(top: Layer<V>) {
    this.#top = top;
  }

  static of<V>(entries: Iterable<readonly [string, V]>): Bindings<V> {
    return new Bindings({ own: new Map(entries), rest: null, depth: 1 });
  }

  get(name: string): V | undefined {
    for (let layer: Layer<V> | null = this.#top; layer !== null; layer = layer.rest) {
      const value = layer.own.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  with(entries: Iterable<readonly [string, V]>): Bindings<V> {
    const own = new Map(entries);
    if (own.size === 0) return this;
    if (this.#top.depth < maxLayers) return new Bindings({ own, rest: this.#top, depth: this.#top.depth + 1 });
    return Bindings.of([...this.#entries(), ...own]);
  }

  /** Outermost first. */
  #entries(): readonly (readonly [string, V])[] {
    const layers: (readonly [string, V])[][] = [];
    for (let layer: Layer<V> | null = this.#top; layer !== null; layer = layer.rest) layers.push([...layer.own]);
    return layers.reverse().flat();
  }
}

/**
 * A core variable that gets its name when it is first used: its binder is written after its scope has been elaborated, and left out where
 * nothing has used it.
 */
export class Variable {
  #term: Term | null = null;
  #uses = 0;

  constructor(
    readonly type: Type,
    readonly hint: string,
    private readonly names: Names,
  ) {}

  /** A variable that stands for a term that may be written any number of times. */
  static alias(term: Term, type: Type, names: Names): Variable {
    const variable = new Variable(type, "", names);
    variable.#term = term;
    return variable;
  }

  get uses(): number {
    return this.#uses;
  }

  use(): Term {
    this.#uses += 1;
    this.#term ??= b.variable(this.names.fresh(this.hint));
    return this.#term;
  }

  /** The name to bind it under; one made from `unusedHint` where nothing uses it. */
  binder(unusedHint = "_"): string {
    this.#term ??= b.variable(this.names.fresh(this.#uses === 0 ? unusedHint : this.hint));
    return this.#term.kind === "var" ? this.#term.name : this.names.fresh(unusedHint);
  }
}

/** A hint for a variable that the source does not name. */
export function hintFor(type: Type): string {
  switch (type.kind) {
    case "tuple":
      return type.items.length === 2 ? "pair" : type.items.length === 3 ? "triple" : "tuple";
    case "fn":
      return "f";
    case "bool":
      return "flag";
    case "int":
      return "n";
    case "data":
      return type.name === "+" ? "either" : type.name === "List" ? "list" : "data";
    case "real":
    case "typeVar":
      return "x";
  }
}
