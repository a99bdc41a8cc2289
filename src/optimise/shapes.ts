// What terms are but for the names of their own variables, and for where they fail: two of the same shape have the same type, and the same value wherever both
// are evaluated.

import { isShown } from "../core/primitives.js";
import type { Term } from "../core/term.js";
import { keyOf, numberText } from "../key.js";

/** Larger terms have no shape, so that all of a program takes time in proportion to it. */
const largest = 256;

/** The shape of a term; null of one that shows something when it is evaluated, or is too large. `free` tells what a variable from outside stands for. */
export function shapeOf(term: Term, free: (name: string) => number): string | null {
  const shape = new Shape(free);
  return shape.add(term) ? shape.text() : null;
}

class Shape {
  readonly #parts: string[] = [];
  /** The term's own variables, by number. */
  readonly #bound = new Map<string, number>();

  constructor(private readonly free: (name: string) => number) {}

  text(): string {
    return this.#parts.join(" ");
  }

  add(term: Term): boolean {
    if (this.#parts.length > largest) return false;
    switch (term.kind) {
      case "var": {
        const own = this.#bound.get(term.name);
        return this.#say(own === undefined ? `v${this.free(term.name)}` : `b${own}`);
      }
      case "real":
      case "int":
      case "bool":
        return this.#say(`${term.kind}:${numberText(term.value)}`);
      case "op":
        return !isShown(term.op) && this.#of(`${term.op}${term.isGuarded === true ? "!" : ""}`, term.args);
      case "call":
        return this.#of(`call:${this.#bound.get(term.fn) ?? term.fn}`, term.args);
      case "proj":
        return this.#of(`proj:${term.index}`, [term.tuple]);
      case "index":
        return this.#of("index", [term.array, term.index]);
      case "length":
        return this.#of("length", [term.array]);
      case "tuple":
        return this.#of("tuple", term.items);
      // What has no parts may have any type
      case "array":
        return this.#of(`array:${keyOf(term.element)}`, term.items);
      case "con":
        return this.#of(`con:${term.name}:${keyOf(term.type)}`, term.args);
      case "app":
        return this.#of("app", [term.fn, term.arg]);
      case "if":
        return this.#of("if", [term.cond, term.then, term.else]);
      case "lam":
        return this.#binding(`lam:${keyOf(term.type)}`, [], [term.param], [term.body]);
      case "let":
        return this.#binding("let", [term.bound], [term.name], [term.body]);
      case "build":
        return this.#binding(`build${term.inParallel === true ? "!" : ""}`, [term.size], [term.index], [term.body]);
      case "scan":
        return this.#binding("scan", [term.size, term.start], [term.index, term.carried], [term.body]);
      case "case":
        return (
          this.#of(`case:${term.branches.length}`, [term.scrutinee]) &&
          term.branches.every(({ con, vars, body }) => this.#binding(con, [], vars, [body]))
        );
      case "letRec": {
        const bodies = term.functions.map(({ body }) => body);
        const names = term.functions.flatMap(({ name, params }) => [name, ...params.map((param) => param.name)]);
        const types = term.functions.map(({ params, result }) => [...params.map(({ type }) => type), result]);
        return this.#binding(`letRec:${keyOf(types)}`, [], names, [...bodies, term.body]);
      }
      case "parallel":
        return this.#of("parallel", term.items);
    }
  }

  #say(part: string): boolean {
    this.#parts.push(part);
    return true;
  }

  #of(what: string, terms: readonly Term[]): boolean {
    this.#say(`${what}(${terms.length}`);
    return terms.every((term) => this.add(term));
  }

  /** `outside`: what does not see the names; `inside`: what does. */
  #binding(what: string, outside: readonly Term[], names: readonly string[], inside: readonly Term[]): boolean {
    if (!this.#of(what, outside)) return false;
    for (const name of names) this.#bound.set(name, this.#bound.size);
    return inside.every((term) => this.add(term));
  }
}
