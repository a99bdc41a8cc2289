// Names for the variables of one definition.

import type { Names } from "../core/names.js";

/** Fresh names for variables, and what the author calls those that stand for names of theirs; local functions, too. */
export class ScopeNames {
  readonly #names: Names;
  readonly #given: Map<string, string> | null;

  private constructor(names: Names, given: Map<string, string> | null) {
    this.#names = names;
    this.#given = given;
  }

  /** Names for a definition, of the author's or of the prelude. */
  static within(names: Names, isAuthors: boolean): ScopeNames {
    return new ScopeNames(names.inner(), isAuthors ? new Map() : null);
  }

  /** The same names, in text of the prelude that stands in a definition of the author's. */
  inPrelude(): ScopeNames {
    return new ScopeNames(this.#names, null);
  }

  /** By name, what the author calls it. */
  get given(): ReadonlyMap<string, string> {
    return this.#given ?? new Map<string, string>();
  }

  /** A fresh name for what the source calls `name`. */
  named(name: string): string {
    return this.learn(this.fresh(name), name);
  }

  /** A name that another supply has given to what the source calls `called`. */
  learn(name: string, called: string): string {
    this.#given?.set(name, called);
    return name;
  }

  /** A name like `hint` that is not in use yet. */
  fresh(hint: string): string {
    return this.#names.fresh(hint);
  }
}
