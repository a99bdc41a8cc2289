// What is known of the lengths of arrays: which variables hold them.

import type { Term } from "../core/term.js";

/** How many steps a question about equal lengths takes at most. */
const mostSteps = 40;

/**
 * Facts about the arrays and integers of one definition, from its bindings. Where a variable is in scope, what was learnt from its binding
 * holds.
 */
export class Sizes {
  /** For an integer: integers equal to it, and arrays that have that length; for an array, its length. Variables by name. */
  readonly #equal = new Map<string, readonly string[]>();
  readonly #natural = new Set<string>();

  /** Learns from `let name = bound`. */
  learn(name: string, bound: Term): void {
    if (this.isNatural(bound)) this.#natural.add(name);
    if (bound.kind === "build") this.#equal.set(name, namesOf(bound.size));
    else if (bound.kind === "length" || bound.kind === "op") this.#equal.set(name, namesOf(bound));
  }

  /** Whether an array, which is built with a size where that is known, has a length. */
  isLength(limit: Term, array: string, size: Term | null): boolean {
    if (size?.kind === "int" && limit.kind === "int") return size.value === limit.value;
    const goal = size?.kind === "var" ? size.name : array;
    const met = new Set(namesOf(limit));
    for (const name of met) {
      if (name === array || name === goal) return true;
      if (met.size > mostSteps) return false;
      for (const other of this.#equal.get(name) ?? []) met.add(other);
    }
    return false;
  }

  /** Whether an integer is known not to be negative. */
  isNatural(term: Term): boolean {
    switch (term.kind) {
      case "int":
        return term.value >= 0;
      case "length":
        return true;
      case "var":
        return this.#natural.has(term.name);
      case "op":
        if (term.op !== "sameLength" && term.op !== "maxZ") return false;
        return term.args.some((arg) => this.isNatural(arg));
      default:
        return false;
    }
  }
}

/** The variables that an integer is equal to, or is the length of. */
function namesOf(term: Term): readonly string[] {
  if (term.kind === "var") return [term.name];
  if (term.kind === "length") return namesOf(term.array);
  return term.kind === "op" && term.op === "sameLength" ? term.args.flatMap(namesOf) : [];
}
