// The variables that local functions take from around them, and that they get as further parameters where they become procedures.

import type * as Core from "../core/term.js";
import { allTerms, binders } from "../core/traverse.js";
import type { Local } from "./local-functions.js";

export class Captures {
  readonly #known = new Map<string, readonly string[]>();

  /** `locals` are the functions of one definition, which is `definition`. */
  constructor(
    private readonly locals: ReadonlyMap<string, Local>,
    private readonly definition: string,
  ) {}

  /** What the functions of a group use of the variables around them, whatever they call included. */
  of(group: readonly string[]): readonly string[] {
    const [first = ""] = group;
    const known = this.#known.get(first);
    if (known !== undefined) return known;
    const used = new Set<string>();
    const bound = new Set<string>();
    const reached = new Set(group);
    for (const name of reached) {
      const fn = this.locals.get(name)?.fn;
      if (fn === undefined || name === this.definition) continue;
      for (const { name: param } of fn.params) bound.add(param);
      for (const term of allTerms(fn.body)) this.#look(term, used, bound, reached);
    }
    const captured = [...used].filter((name) => !bound.has(name));
    for (const name of group) this.#known.set(name, captured);
    return captured;
  }

  #look(term: Core.Term, used: Set<string>, bound: Set<string>, reached: Set<string>): void {
    for (const name of binders(term)) bound.add(name);
    if (term.kind === "var") used.add(term.name);
    if (term.kind !== "call" || reached.has(term.fn)) return;
    const captured = this.#known.get(term.fn);
    if (captured === undefined) reached.add(term.fn);
    else for (const name of captured) used.add(name);
  }
}
