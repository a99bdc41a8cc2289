// Copies of terms: each binder has one place in a program, so that a copy binds other names.

import type { Fn, Param, Term } from "../core/term.js";
import { isBinding, mapSubterms, withBindings, type Binding } from "./rewrite.js";

/** What stands for the free variables of a copied term, and for the functions that it calls. */
export interface Replacement {
  /** Atoms, or terms that a variable which occurs once is replaced by. */
  readonly values: ReadonlyMap<string, Term>;
  readonly functions: ReadonlyMap<string, string>;
}

/** What names come from: `Names`, or names that were chosen before. */
export interface Supply {
  fresh(hint: string): string;
}

/** A copy in which all binders have fresh names. */
export function copyTerm(term: Term, names: Supply, replacement: Partial<Replacement> = {}): Term {
  return new Copy(names, replacement).term(term);
}

/** A copy of a function, under a name that the caller gives. */
export function copyFn(fn: Fn, name: string, names: Supply, replacement: Partial<Replacement> = {}): Fn {
  return new Copy(names, replacement).fn(fn, name);
}

class Copy {
  readonly #names: Supply;
  readonly #given: Partial<Replacement>;
  readonly #values = new Map<string, Term>();
  readonly #functions = new Map<string, string>();

  constructor(names: Supply, given: Partial<Replacement>) {
    this.#names = names;
    this.#given = given;
  }

  readonly term = (start: Term): Term => {
    const around: Binding[] = [];
    let term = start;
    while (isBinding(term)) {
      around.push(this.#binding(term));
      term = term.body;
    }
    return withBindings(around, this.#simple(term));
  };

  fn(fn: Fn, name: string): Fn {
    const params = fn.params.map((param): Param => ({ ...param, name: this.#fresh(param.name) }));
    return { ...fn, name, params, body: this.term(fn.body) };
  }

  #binding(term: Binding): Binding {
    if (term.kind === "let") {
      const bound = this.term(term.bound);
      return { ...term, name: this.#fresh(term.name), bound };
    }
    const names = term.functions.map((fn) => {
      const name = this.#names.fresh(fn.name);
      this.#functions.set(fn.name, name);
      return name;
    });
    return { ...term, functions: term.functions.map((fn, index) => this.fn(fn, names[index] ?? fn.name)) };
  }

  #simple(term: Exclude<Term, Binding>): Term {
    switch (term.kind) {
      case "var":
        return this.#values.get(term.name) ?? this.#given.values?.get(term.name) ?? term;
      case "call": {
        const fn = this.#functions.get(term.fn) ?? this.#given.functions?.get(term.fn) ?? term.fn;
        return { ...term, fn, args: term.args.map(this.term) };
      }
      case "lam":
        return { ...term, param: this.#fresh(term.param), body: this.term(term.body) };
      case "build": {
        const size = this.term(term.size);
        return { ...term, size, index: this.#fresh(term.index), body: this.term(term.body) };
      }
      case "scan": {
        const [size, start] = [this.term(term.size), this.term(term.start)];
        const [index, carried] = [this.#fresh(term.index), this.#fresh(term.carried)];
        return { ...term, size, start, index, carried, body: this.term(term.body) };
      }
      case "case":
        return {
          ...term,
          scrutinee: this.term(term.scrutinee),
          branches: term.branches.map(({ con, vars, body }) => ({
            con,
            vars: vars.map((name) => this.#fresh(name)),
            body: this.term(body),
          })),
        };
      default:
        return mapSubterms(term, this.term);
    }
  }

  #fresh(name: string): string {
    const copy = this.#names.fresh(name);
    this.#values.set(name, { kind: "var", name: copy });
    return copy;
  }
}
