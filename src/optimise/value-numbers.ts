// Terms that have the same value wherever both are evaluated: they have the same number.

import { isShown } from "../core/primitives.js";
import type { Fn, Term } from "../core/term.js";
import { allTerms } from "../core/traverse.js";
import { numberText } from "../key.js";
import { shapeOf } from "./shapes.js";

/** The numbers of the terms of one definition, and how often each occurs. */
export class ValueNumbers {
  readonly #byKey = new Map<string, number>();
  readonly #byVariable = new Map<string, number>();
  readonly #ofTerm = new Map<Term, number | null>();
  readonly #counts = new Map<number, number>();

  constructor(fn: Fn) {
    for (const term of allTerms(fn.body)) {
      // A variable is what it is bound to
      if (term.kind === "let") {
        const number = this.of(term.bound);
        if (number !== null) this.#byVariable.set(term.name, number);
      }
      if (!isComputed(term)) continue;
      const number = this.of(term);
      if (number !== null) this.#counts.set(number, this.countOf(number) + 1);
    }
  }

  /** The number of a term; null of one that is not shared. */
  of(term: Term): number | null {
    const known = this.#ofTerm.get(term);
    if (known !== undefined) return known;
    const number = this.#number(term);
    this.#ofTerm.set(term, number);
    return number;
  }

  countOf(number: number): number {
    return this.#counts.get(number) ?? 0;
  }

  #number(term: Term): number | null {
    switch (term.kind) {
      case "var":
        return this.#byVariable.get(term.name) ?? this.#intern(`var ${term.name}`);
      case "real":
      case "int":
      case "bool":
        return this.#intern(`${term.kind} ${numberText(term.value)}`);
      case "op":
        return isShown(term.op) ? null : this.#made(term.op, term.args);
      case "call":
        return term.args.length === 0 ? null : this.#made(`call ${term.fn}`, term.args);
      case "proj":
        return this.#made(`proj ${term.index}`, [term.tuple]);
      case "index":
        return this.#made("index", [term.array, term.index]);
      case "length":
        return this.#made("length", [term.array]);
      case "case": {
        const field = fieldOf(term);
        return field === null ? null : this.#made(`field ${field.con} ${field.index}`, [term.scrutinee]);
      }
      case "if":
      case "lam":
      case "build":
      case "scan":
        return this.#shaped(term);
      default:
        return null;
    }
  }

  #made(what: string, parts: readonly Term[]): number | null {
    const numbers = parts.map((part) => this.of(part));
    return numbers.includes(null) ? null : this.#intern([what, ...numbers].join(" "));
  }

  /** The number of a term with terms inside that are evaluated later, or never, and may have variables of their own. */
  #shaped(term: Term): number | null {
    const shape = shapeOf(term, (name) => this.#byVariable.get(name) ?? this.#intern(`var ${name}`));
    return shape === null ? null : this.#intern(shape);
  }

  #intern(key: string): number {
    const number = this.#byKey.get(key) ?? this.#byKey.size;
    this.#byKey.set(key, number);
    return number;
  }
}

/** Whether evaluating a term does something that may be shared. `i + 1` costs nothing, and is how a loop goes on. */
export function isComputed(term: Term): boolean {
  switch (term.kind) {
    case "call":
    case "proj":
    case "index":
    case "length":
      return true;
    case "if":
      return true;
    case "case":
      return fieldOf(term) !== null;
    // An array of constants costs nothing, and each of two may be changed in place
    case "build":
    case "scan":
      return allTerms(term.body).some((part) => part !== term.body && isComputed(part));
    case "op": {
      const [left, right] = term.args;
      return !((term.op === "addZ" || term.op === "subZ") && left?.kind === "var" && right?.kind === "int");
    }
    default:
      return false;
  }
}

/** The field that a `case` selects of an object with one constructor. */
function fieldOf({
  branches,
}: Term & { readonly kind: "case" }): { readonly con: string; readonly index: number } | null {
  const [branch, ...others] = branches;
  if (branch?.body.kind !== "var" || others.length > 0) return null;
  const index = branch.vars.lastIndexOf(branch.body.name);
  return index === -1 ? null : { con: branch.con, index };
}
