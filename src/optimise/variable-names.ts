// What variables are called. Passes put functions in place of their calls, so that one variable stands for two: where the one that stays has no name
// of the author's, as those of the prelude have none, it is called as the author calls the other.
//
//   iterate n (\height. t) x   =>   let rec go(i, y) = .. let height = y in t ..   =>   let rec go(i, y) = .. t[y/height] ..   y called height

import { Names } from "../core/names.js";
import type { Program } from "../core/term.js";
import { allNames } from "../core/traverse.js";
import { copyFn } from "./copy.js";

/** What a name was made from, and whether the author has given it. */
interface Stem {
  readonly text: string;
  readonly isGiven: boolean;
}

/** Fresh names that remember what they were made from. */
export class VariableNames extends Names {
  readonly #stems = new Map<string, Stem>();

  /** Learns what the author calls definitions, or what is in one. */
  learn(given: Iterable<readonly [string, string]>): void {
    for (const [name, text] of given) this.#stems.set(name, { text, isGiven: true });
  }

  override fresh(hint: string): string {
    const name = super.fresh(hint);
    this.#stems.set(name, this.#stem(hint));
    return name;
  }

  /** What a name is to be called: the shortest one that it may be made from. */
  stemOf(name: string): string {
    return this.#stem(name).text;
  }

  /** What the author calls a variable; null where it has no name of theirs. */
  givenTo(name: string): string | null {
    const { text, isGiven } = this.#stem(name);
    return isGiven ? text : null;
  }

  /** Notes that the variable `kept` stands for `gone`, too. */
  merge(kept: string, gone: string): void {
    const stem = this.#stem(gone);
    if (stem.isGiven && !this.#stem(kept).isGiven) this.#stems.set(kept, stem);
  }

  #stem(name: string): Stem {
    return this.#stems.get(name) ?? { text: name.replace(/\d+$/, ""), isGiven: false };
  }
}

/** A program in which nothing that the author has not named is called like something with such a name, anywhere. */
export function withOwnNames(program: Program): { readonly program: Program; readonly names: VariableNames } {
  const names = new VariableNames(allNames(program));
  const definitions = program.definitions.map((fn) => {
    const own = program.given.get(fn.name);
    const fresh = (name: string): string => (own?.has(name) === true ? name : names.fresh(name));
    return copyFn(fn, fn.name, { fresh });
  });
  names.learn(definitions.map(({ name }) => [name, name]));
  for (const given of program.given.values()) names.learn(given);
  return { program: { ...program, definitions }, names };
}
