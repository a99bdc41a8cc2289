// Variables have got numbers because each has a name of its own in the whole program. Here they lose them, or get smaller ones: a variable and what belongs to
// it the same.
//
//   const x17 = ..; x17_ += ..        const x = ..; x_ += ..

import { leafName, type LeafName } from "../../flat/naming.js";
import { identifier } from "../../typescript/naming.js";
import type { TsFunction } from "../../typescript/tree.js";
import type { Bindings } from "../analysis/bindings.js";
import { surveyed } from "../analysis/survey.js";

/** What is called after one variable: itself, its cotangent, where its values are saved. */
interface Family {
  readonly wish: LeafName;
  readonly members: { readonly name: string; readonly suffix: string }[];
}

/** What variables are called in the functions of a module: those of one definition call a variable the same, if possible. */
export class Renumbering {
  readonly #chosen = new Map<string, string>();

  /** `wishes`: by name what a variable is called without its number. */
  constructor(private readonly wishes: ReadonlyMap<string, LeafName>) {}

  /** Changes the names that variables of a function have in the end. */
  run(fn: TsFunction, bindings: Bindings, keepsParams: boolean): void {
    const { taken, families } = familiesOf(fn, bindings, this.wishes, keepsParams);
    const free = new FreeBases(taken);
    const isKnown = ([base]: readonly [string, Family]): boolean => this.#chosen.has(base);
    const isNew = (entry: readonly [string, Family]): boolean => !isKnown(entry);
    for (const [base, { wish, members }] of [...families].filter(isKnown).concat([...families].filter(isNew))) {
      const suffixes = members.map(({ suffix }) => suffix);
      const chosen = free.base(this.#chosen.get(base), wish, suffixes);
      if (!this.#chosen.has(base)) this.#chosen.set(base, chosen);
      for (const { name, suffix } of members) {
        taken.add(`${chosen}${suffix}`);
        bindings.rename(name, `${chosen}${suffix}`);
      }
    }
  }
}

/** The names that stay, and the variables that have got numbers. */
function familiesOf(
  fn: TsFunction,
  bindings: Bindings,
  wishes: ReadonlyMap<string, LeafName>,
  keepsParams: boolean,
): { readonly taken: Set<string>; readonly families: ReadonlyMap<string, Family> } {
  const taken = new Set<string>();
  const families = new Map<string, Family>();
  for (const [name, { kind }] of surveyed(fn).variables) {
    const wanted = bindings.wanted(name);
    const { base, suffix } = partsOf(wanted, wishes);
    const wish = wishes.get(base);
    if (wish === undefined || (keepsParams && kind === "param")) {
      taken.add(wanted);
      continue;
    }
    const family = families.get(base) ?? { wish, members: [] };
    family.members.push({ name, suffix });
    families.set(base, family);
  }
  return { taken, families };
}

/** A name, and what it has got behind that of a variable. */
function partsOf(
  wanted: string,
  wishes: ReadonlyMap<string, LeafName>,
): { readonly base: string; readonly suffix: string } {
  const whole = { base: wanted, suffix: "" };
  if (wishes.has(wanted)) return whole;
  const [, base = wanted, suffix = ""] = /^(.+?)((?:_|Saved|Kept)+\d*)$/.exec(wanted) ?? [];
  return wishes.has(base) ? { base, suffix } : whole;
}

/** Names for families, of which none is taken with any of its suffixes. */
class FreeBases {
  /** By what families are called and their suffixes: the numbers below are taken. */
  readonly #next = new Map<string, number>();

  constructor(private readonly taken: ReadonlySet<string>) {}

  /** The name that is known for a family, the one that it wishes for, or that with the first number that is free. */
  base(known: string | undefined, wish: LeafName, suffixes: readonly string[]): string {
    const isFree = (base: string): boolean => suffixes.every((suffix) => !this.taken.has(`${base}${suffix}`));
    const first = known ?? identifier(leafName(wish));
    if (isFree(first)) return first;
    const key = JSON.stringify([wish, suffixes]);
    let count = this.#next.get(key) ?? 1;
    while (!isFree(identifier(leafName(wish, count)))) count++;
    this.#next.set(key, count);
    return identifier(leafName(wish, count));
  }
}
