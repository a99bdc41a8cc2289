// What the names of the typed tree stand for while it is elaborated: source names may shadow each other, core names do not.

import { InternalError } from "../internal-error.js";
import * as b from "../core/build.js";
import type { Term } from "../core/term.js";
import type { Type } from "../core/type.js";
import type { ScopeNames } from "./scope-names.js";

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
  /** Whether that is a name of the source. */
  readonly #isNamed: boolean;
  readonly #names: ScopeNames;
  #term: Term | null;
  #uses = 0;

  private constructor(type: Type, hint: string, names: ScopeNames, term: Term | null, isNamed = false) {
    this.type = type;
    this.hint = hint;
    this.#isNamed = isNamed;
    this.#names = names;
    this.#term = term;
  }

  /** A variable that the source calls `name`. */
  static named(type: Type, name: string, names: ScopeNames): Variable {
    return new Variable(type, name, names, b.variable(names.named(name)));
  }

  /** A variable that the source takes apart, or does without: called after its type. */
  static typed(type: Type, names: ScopeNames): Variable {
    return new Variable(type, hintFor(type), names, b.variable(names.fresh(hintFor(type))));
  }

  /** A variable without a name in the source. */
  static unnamed(type: Type, names: ScopeNames): Variable {
    return new Variable(type, hintFor(type), names, null);
  }

  /** A field of a record, called like it. */
  static field(type: Type, name: string | undefined, names: ScopeNames): Variable {
    return new Variable(type, name ?? hintFor(type), names, null, name !== undefined);
  }

  /** A variable that stands for another one. */
  static alias(term: Term & { readonly kind: "var" }, type: Type, names: ScopeNames): Variable {
    return new Variable(type, term.name, names, term);
  }

  /** A variable that is replaced by a value where it is used: by a function at most once, since its binders are distinct. */
  static value(term: Term, type: Type, names: ScopeNames): Variable {
    return new Variable(type, hintFor(type), names, term);
  }

  get uses(): number {
    return this.#uses;
  }

  use(): Term {
    this.#uses += 1;
    if (this.#uses > 1 && this.#term?.kind === "lam")
      throw new InternalError("elaborate", "a function is written twice");
    this.#term ??= b.variable(this.#isNamed ? this.#names.named(this.hint) : this.#names.fresh(this.hint));
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
