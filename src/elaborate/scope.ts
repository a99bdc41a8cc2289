// What the names of the typed tree stand for while it is elaborated: source names may shadow each other, core names do not.

import { InternalError } from "../internal-error.js";
import * as b from "../core/build.js";
import type { Names } from "../core/names.js";
import type { Term } from "../core/term.js";
import type { Type } from "../core/type.js";

/** Some of the names, and those further out. Each layer is larger than the one inside it, so that there are few. */
interface Layer<V> {
  readonly own: ReadonlyMap<string, V>;
  readonly rest: Layer<V> | null;
}

/** An immutable map from names. Extending one shares most of it, so that a chain of n `let`s does not copy n maps. */
export class Bindings<V> {
  readonly #top: Layer<V> | null;

  private constructor(top: Layer<V> | null) {
    this.#top = top;
  }

  static of<V>(entries: Iterable<readonly [string, V]>): Bindings<V> {
    return new Bindings({ own: new Map(entries), rest: null });
  }

  get(name: string): V | undefined {
    for (let layer = this.#top; layer !== null; layer = layer.rest) {
      const value = layer.own.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  with(entries: Iterable<readonly [string, V]>): Bindings<V> {
    let own = new Map(entries);
    if (own.size === 0) return this;
    let rest = this.#top;
    for (; rest !== null && rest.own.size <= own.size; rest = rest.rest) own = new Map([...rest.own, ...own]);
    return new Bindings({ own, rest });
  }
}

/**
 * A core variable. One that the source does not name gets its name when it is first used; the binder of any is written after its scope has
 * been elaborated, and left out where nothing has used it and it does no work.
 */
export class Variable {
  readonly type: Type;
  /** What it is called like. */
  readonly hint: string;
  readonly #names: Names;
  #term: Term | null;
  #uses = 0;

  private constructor(type: Type, hint: string, names: Names, term: Term | null) {
    this.type = type;
    this.hint = hint;
    this.#names = names;
    this.#term = term;
  }

  /** A variable called like `hint`. */
  static named(type: Type, hint: string, names: Names): Variable {
    return new Variable(type, hint, names, b.variable(names.fresh(hint)));
  }

  /** A variable without a name in the source. */
  static unnamed(type: Type, names: Names, hint: string = hintFor(type)): Variable {
    return new Variable(type, hint, names, null);
  }

  /** A variable that stands for another one. */
  static alias(term: Term & { readonly kind: "var" }, type: Type, names: Names): Variable {
    return new Variable(type, term.name, names, term);
  }

  /** A variable that is replaced by a value where it is used: by a function at most once, since its binders are distinct. */
  static value(term: Term, type: Type, names: Names): Variable {
    return new Variable(type, hintFor(type), names, term);
  }

  get uses(): number {
    return this.#uses;
  }

  use(): Term {
    this.#uses += 1;
    if (this.#uses > 1 && this.#term?.kind === "lam")
      throw new InternalError("elaborate", "a function is written twice");
    this.#term ??= b.variable(this.#names.fresh(this.hint));
    return this.#term;
  }

  /** The name to bind it under. */
  binder(): string {
    if (this.#term?.kind === "var") return this.#term.name;
    const name = this.#names.fresh("_");
    this.#term = b.variable(name);
    return name;
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
    case "array":
      return "array";
    case "real":
    case "typeVar":
      return "x";
  }
}
