// While a function is tidied, every variable has a name that no other has; at the end each gets back the name that it had, with a number where that
// would now stand for another.

import { isTemporary } from "../../flat/naming.js";
import { InternalError } from "../../internal-error.js";
import { calledPlainly, nameOf, type Called } from "../../typescript/called.js";
import { mapNames } from "../../typescript/scopes.js";
import type { TsFunction, TsTarget } from "../../typescript/tree.js";

/** Names of variables of the function that is tidied: no identifier is like them. */
export class Bindings {
  readonly #wanted = new Map<string, Called>();
  #count = 0;

  /** `temporary`: the stem of variables that are called so only because all variables have names; `calledAs`: what the name of a variable means before it is tidied. */
  constructor(
    readonly temporary = "t",
    readonly calledAs: (name: string) => Called = calledPlainly,
  ) {}

  fresh(wanted: string | Called): string {
    this.#count++;
    const called = typeof wanted === "string" ? calledPlainly(wanted) : wanted;
    const name = `${nameOf(called)}#${this.#count}`;
    this.#wanted.set(name, called);
    return name;
  }

  /** What a variable is called in the end, if possible. */
  wanted(name: string): Called {
    const found = this.#wanted.get(name);
    if (found === undefined) throw new InternalError("tidy", `${name} is no variable`);
    return found;
  }

  /** Whether what a variable is called in the end is a name for a step, or for the cotangent of one. */
  isTemporary(name: string): boolean {
    return isStep(this.wanted(name), this.temporary);
  }

  /** Gives a variable another name in the end. */
  rename(name: string, wanted: Called): void {
    this.#wanted.set(name, wanted);
  }
}

/** Whether something is a step that nobody has named, or the cotangent of one; `temporary` is the stem of those. */
export function isStep({ of, as }: Called, temporary: string): boolean {
  return isTemporary(of, temporary) && as.every((role) => role === "cotangent" || role === "carried");
}

/** Whether a name is that of a variable of the function that is tidied. */
export function isLocal(name: string): boolean {
  return name.includes("#");
}

export function namesOf(target: TsTarget): readonly string[] {
  return typeof target === "string" ? [target] : target.flatMap((name) => (name === null ? [] : [name]));
}

/** Gives every variable a name of its own; `wish` tells what it is to be called in the end. */
export function separated(
  fn: TsFunction,
  bindings: Bindings,
  wish: (name: string) => Called = bindings.calledAs,
): TsFunction {
  const scopes: Map<string, string>[] = [];
  return mapNames(fn, {
    enter: (_, inside) => {
      scopes.push(new Map());
      const result = inside();
      scopes.pop();
      return result;
    },
    declare: (name) => {
      const fresh = bindings.fresh(wish(name));
      scopes.at(-1)?.set(name, fresh);
      return fresh;
    },
    use: (name) => scopes.findLast((scope) => scope.has(name))?.get(name) ?? name,
  });
}
