// Common subexpressions: what has been computed on the way to a term is not computed again.
//
//   let x = s in .. s ..   =>  let x = s in .. x ..
//   .. op(s, s) ..         =>  .. let x = s in op(x, x) ..     s an operation, a read, a length or a call; not an atom
//
// Terms are compared by value numbers, so that names do not matter. A term is named where it is first evaluated for sure; it never moves out of a
// branch, a function or a loop, and an operation that has failed is not reached again. What is named and then used once goes back to its place.

import { withParts } from "../same.js";
import * as b from "../core/build.js";
import type { Names } from "../core/names.js";
import { primitive } from "../core/primitives.js";
import type { Fn, Program, Term } from "../core/term.js";
import { allTerms } from "../core/traverse.js";
import { TypeOf } from "../core/type-of.js";
import { isBinding, mapBinding, mapDefinitions, mapSubterms, withBindings, withBody } from "./rewrite.js";
import type { Binding, Simple } from "./rewrite.js";
import { isComputed, ValueNumbers } from "./value-numbers.js";

export function shareSubexpressions(program: Program, names: Names): Program {
  const types = new TypeOf(program);
  return mapDefinitions(program, (fn) => new Sharing(fn, types, names).fn(), settled);
}

/** Definitions in which nothing is left to share. */
const settled = new WeakSet<Fn>();

class Sharing {
  readonly #fn: Fn;
  readonly #types: TypeOf;
  readonly #names: Names;
  readonly #numbers: ValueNumbers;
  /** Variables that hold a value, by its number. */
  readonly #available = new Map<number, string>();
  /** What was made available, in order: it is not any more where its scope ends. */
  readonly #scope: number[] = [];
  /** Variables for terms that had no name, with how often they were used. */
  readonly #added = new Map<string, number>();
  /** Whether anything is used again: otherwise what was named goes back to its place. */
  #isShared = false;

  constructor(fn: Fn, types: TypeOf, names: Names) {
    this.#fn = fn;
    this.#types = types;
    this.#names = names;
    this.#numbers = new ValueNumbers(fn);
  }

  fn(): Fn {
    this.#types.enter(this.#fn);
    for (const term of allTerms(this.#fn.body)) this.#types.enterBinders(term);
    const shared = this.#term(this.#fn.body);
    return this.#isShared ? withBody(this.#fn, this.#withoutSingle(shared)) : this.#fn;
  }

  /** A chain of bindings, or a term of its own: what it names is not available outside. */
  readonly #term = (start: Term): Term => {
    const before = this.#scope.length;
    const around: Binding[] = [];
    let term = start;
    while (isBinding(term)) {
      this.#binding(term, around);
      term = term.body;
    }
    const end = this.#root(term, around);
    for (const number of this.#scope.splice(before)) this.#available.delete(number);
    return withBindings(around, end);
  };

  #binding(term: Binding, around: Binding[]): void {
    if (term.kind === "letRec" || isBinding(term.bound)) {
      around.push(mapBinding(term, this.#term));
      return;
    }
    const number = this.#numbers.of(term.bound);
    const bound = this.#root(term.bound, around);
    around.push(withParts(term, { bound }));
    if (number !== null && bound.kind !== "var") this.#name(number, term.name);
  }

  #name(number: number, name: string): void {
    if (this.#available.has(number)) return;
    this.#available.set(number, name);
    this.#scope.push(number);
  }

  /** A term that has a name or needs none: at the end of a chain of bindings, or bound. */
  #root(term: Simple, around: Binding[]): Term {
    return this.#known(term) ?? this.#parts(term, around, 1);
  }

  /** The variable that holds a term's value already. */
  #known(term: Term): Term | null {
    if (!isComputed(term) && term.kind !== "var") return null;
    const number = this.#numbers.of(term);
    const name = number === null ? undefined : this.#available.get(number);
    if (name === undefined || (term.kind === "var" && term.name === name)) return null;
    this.#isShared = true;
    const uses = this.#added.get(name);
    if (uses !== undefined) this.#added.set(name, uses + 1);
    return b.variable(name);
  }

  /** A term with its parts shared: those that are evaluated with it may be named before it. */
  #parts(term: Simple, around: Binding[], count: number): Term {
    const part = (next: Term): Term => this.#part(next, around, count);
    switch (term.kind) {
      case "lam":
      case "parallel":
        return mapSubterms(term, this.#term);
      case "build": {
        const size = part(term.size);
        const body = this.#term(term.body);
        return withParts(term, { size, body });
      }
      case "scan": {
        const [size, start] = [part(term.size), part(term.start)];
        const body = this.#term(term.body);
        return withParts(term, { size, start, body });
      }
      case "if":
      case "case": {
        // The condition comes first, the branches are on their own
        let isFirst = true;
        return mapSubterms(term, (next) => {
          const result = isFirst ? part(next) : this.#term(next);
          isFirst = false;
          return result;
        });
      }
      default:
        return mapSubterms(term, part);
    }
  }

  /** `count` is how often the term around it occurs: what occurs as often needs no name of its own. */
  #part(term: Term, around: Binding[], count: number): Term {
    if (isBinding(term)) return this.#term(term);
    const known = this.#known(term);
    if (known !== null) return known;
    const number = isComputed(term) ? this.#numbers.of(term) : null;
    const own = number === null ? count : this.#numbers.countOf(number);
    if (number === null || own <= count) return this.#parts(term, around, count);
    const bound = this.#parts(term, around, own);
    const name = this.#names.fresh(hintFor(term));
    around.push({ kind: "let", name, type: this.#types.of(term), bound, body: bound });
    this.#added.set(name, 1);
    this.#name(number, name);
    return b.variable(name);
  }

  /** Without the names that are used once. */
  #withoutSingle(root: Term): Term {
    const single = new Set([...this.#added].flatMap(([name, uses]) => (uses === 1 ? [name] : [])));
    if (single.size === 0) return root;
    const bound = new Map<string, Term>();
    const restore = (start: Term): Term => {
      const around: Binding[] = [];
      let term = start;
      while (isBinding(term)) {
        const binding = mapBinding(term, restore);
        if (binding.kind === "let" && single.has(binding.name)) bound.set(binding.name, binding.bound);
        else around.push(binding);
        term = term.body;
      }
      const end = term.kind === "var" ? (bound.get(term.name) ?? term) : mapSubterms(term, restore);
      return withBindings(around, end);
    };
    return restore(root);
  }
}

function hintFor(term: Term): string {
  if (term.kind === "length") return "n";
  if (term.kind !== "op") return "value";
  const { notation } = primitive(term.op);
  return operatorNames.get(notation) ?? "value";
}

const operatorNames: ReadonlyMap<string, string> = new Map([
  ["+", "total"],
  ["-", "difference"],
  ["*", "product"],
  ["/", "quotient"],
  ["^", "power"],
]);
