// What tests have shown on the way to where a term stands. TypeScript knows it too, by narrowing, and rejects tests that it thinks are
// pointless; so these are not written again.

import type { Term } from "../../target-calculus/term.js";

export class Facts {
  readonly #constructors = new Map<string, { readonly con: string; readonly level: number }>();
  readonly #numbers = new Map<string, number>();
  readonly #tests = new Map<string, Term>();

  /** A variable's constructor, and in which function that was found. */
  constructorOf(variable: string): { readonly con: string; readonly level: number } | null {
    return this.#constructors.get(variable) ?? null;
  }

  /** Runs `inside` knowing a variable's constructor. */
  withConstructor<T>(variable: string | null, con: string, level: number, inside: () => T): T {
    if (variable === null) return inside();
    const before = this.#constructors.get(variable);
    this.#constructors.set(variable, { con, level });
    const result = inside();
    if (before === undefined) this.#constructors.delete(variable);
    else this.#constructors.set(variable, before);
    return result;
  }

  /** Runs `inside` knowing some variables' values. */
  withNumbers<T>(values: readonly (readonly [string, number])[], inside: () => T): T {
    const before = values.map(([name]) => [name, this.#numbers.get(name)] as const);
    for (const [name, value] of values) this.#numbers.set(name, value);
    const result = inside();
    for (const [name, value] of before) {
      if (value === undefined) this.#numbers.delete(name);
      else this.#numbers.set(name, value);
    }
    return result;
  }

  /** A variable stands for a test. */
  nameTest(variable: string, bound: Term): void {
    if (bound.kind === "op" || bound.kind === "if") this.#tests.set(variable, bound);
  }

  /** The values that variables have where a condition holds. */
  shownBy(cond: Term): readonly (readonly [string, number])[] {
    switch (cond.kind) {
      case "var": {
        const test = this.#tests.get(cond.name);
        return test === undefined ? [] : this.shownBy(test);
      }
      case "op": {
        const [left, right] = cond.args;
        if ((cond.op !== "eq" && cond.op !== "eqZ") || left === undefined || right === undefined) return [];
        if (left.kind === "var" && (right.kind === "int" || right.kind === "real")) return [[left.name, right.value]];
        if (right.kind === "var" && (left.kind === "int" || left.kind === "real")) return [[right.name, left.value]];
        return [];
      }
      case "if":
        return cond.else.kind === "bool" && !cond.else.value
          ? [...this.shownBy(cond.cond), ...this.shownBy(cond.then)]
          : [];
      default:
        return [];
    }
  }

  /** What a comparison gives where both sides are known; else null. */
  decided(term: Term & { readonly kind: "op" }): boolean | null {
    if (!["eq", "eqZ", "ne", "neZ"].includes(term.op)) return null;
    const [left, right] = term.args.map((arg) => this.#number(arg));
    if (left === undefined || right === undefined || left === null || right === null) return null;
    return (left === right) === (term.op === "eq" || term.op === "eqZ");
  }

  #number(term: Term): number | null {
    if (term.kind === "int" || term.kind === "real") return term.value;
    return term.kind === "var" ? (this.#numbers.get(term.name) ?? null) : null;
  }
}
