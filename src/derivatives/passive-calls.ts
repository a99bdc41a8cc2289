// What a rule says is linear in its tangents, and a reverse pass goes through it along these alone: there, a function with a rule that is applied to what does not depend
// on them is its text, without a rule. So a rule may use the function that it is for, and two rules each other's.

import * as b from "../core/build.js";
import type { Names } from "../core/names.js";
import type { Fn, Term } from "../core/term.js";
import { InternalError } from "../internal-error.js";
import { copyFn } from "../optimise/copy.js";
import { isBinding, mapBinding, mapSubterms, withBindings, type Binding } from "../optimise/rewrite.js";
import { comesTo, type Definitions } from "./reached.js";

/** What is known of definitions with rules. */
export interface Ruled extends Definitions {
  /** By its name, its text. */
  readonly values: ReadonlyMap<string, string>;
  readonly define: (fn: Fn) => void;
  readonly names: Names;
}

export class PassiveCalls {
  readonly #ruled: Ruled;
  readonly #made = new Map<string, string>();

  constructor(ruled: Ruled) {
    this.#ruled = ruled;
  }

  /** The name of a definition as it is where these of its arguments depend on what a reverse pass is along. */
  of(name: string, isActive: readonly boolean[]): string {
    const { definition, isDefinition, values, names, define } = this.#ruled;
    const value = values.get(name);
    if (value !== undefined) return isActive.includes(true) ? name : this.of(value, isActive);
    if (!comesTo(name, (each) => values.has(each), this.#ruled)) return name;
    const key = `${name} ${isActive.join()}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const fn = copyFn(definition(name), names.fresh(name), names);
    this.#made.set(key, fn.name);
    const active = new Set(fn.params.filter((_, index) => isActive[index]).map((param) => param.name));
    const flow = new Flow(active);
    flow.settle(fn.body);
    const call = (callee: string, args: readonly Term[]): string =>
      isDefinition(callee) ? this.of(callee, args.map((arg) => flow.of(arg))) : callee; // prettier-ignore
    define({ ...fn, body: redirected(fn.body, call) });
    return fn.name;
  }
}

/** A term in which definitions are called by other names. */
function redirected(start: Term, nameOf: (fn: string, args: readonly Term[]) => string): Term {
  const around: Binding[] = [];
  let term = start;
  const inside = (part: Term): Term => redirected(part, nameOf);
  for (; isBinding(term); term = term.body) around.push(mapBinding(term, inside));
  const end = mapSubterms(term, inside);
  return withBindings(around, end.kind === "call" && term.kind === "call" ? b.call(nameOf(term.fn, term.args), end.args) : end); // prettier-ignore
}

/** Which values depend on active ones. */
class Flow {
  readonly #active: Set<string>;
  readonly #functions = new Map<string, Fn>();
  readonly #results = new Set<string>();
  #revision = 0;

  constructor(active: ReadonlySet<string>) {
    this.#active = new Set(active);
  }

  settle(body: Term): void {
    for (let before = -1; before !== this.#revision;) {
      before = this.#revision;
      this.of(body);
    }
  }

  of(start: Term): boolean {
    let term = start;
    for (; isBinding(term); term = term.body) {
      if (term.kind === "let") this.#note(this.#active, term.name, this.of(term.bound));
      else {
        for (const fn of term.functions) this.#functions.set(fn.name, fn);
        for (const { name, body } of term.functions) this.#note(this.#results, name, this.of(body));
      }
    }
    const some = (...terms: readonly Term[]): boolean => terms.map((each) => this.of(each)).includes(true);
    switch (term.kind) {
      case "var":
        return this.#active.has(term.name);
      case "real":
      case "int":
      case "bool":
        return false;
      case "tuple":
      case "parallel":
      case "array":
        return some(...term.items);
      case "proj":
        return this.of(term.tuple);
      case "op":
      case "con":
        return some(...term.args);
      case "call": {
        const args = term.args.map((arg) => this.of(arg));
        const local = this.#functions.get(term.fn);
        if (local === undefined) return args.includes(true);
        local.params.forEach(({ name }, index) => {
          this.#note(this.#active, name, args[index] === true);
        });
        return this.#results.has(term.fn) || args.includes(true);
      }
      case "case": {
        const isActive = this.of(term.scrutinee);
        for (const { vars } of term.branches) for (const name of vars) this.#note(this.#active, name, isActive);
        return some(...term.branches.map(({ body }) => body));
      }
      case "if":
        return some(term.cond, term.then, term.else);
      case "build":
        return some(term.size, term.body);
      case "scan": {
        const isActive = some(term.size, term.start, term.body);
        this.#note(this.#active, term.carried, isActive);
        return isActive;
      }
      case "index":
        return some(term.array, term.index);
      case "length":
        return this.of(term.array);
      case "lam":
      case "app":
        throw new InternalError("derivatives", "an unknown function is left");
    }
  }

  #note(table: Set<string>, name: string, isActive: boolean): void {
    if (!isActive || table.has(name)) return;
    table.add(name);
    this.#revision += 1;
  }
}
