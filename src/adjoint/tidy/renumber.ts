// Variables have got numbers because each has a name of its own in the whole program. Here they lose them, or get smaller ones: a variable and what belongs to
// it the same.
//
//   const x17 = ..; x17_ += ..        const x = ..; x_ += ..

import type { TsFunction } from "../../typescript/tree.js";
import type { Bindings } from "./bindings.js";
import { surveyed } from "./survey.js";

/** What is called after one variable: itself, its cotangent, where its values are saved. */
interface Family {
  readonly wish: string;
  readonly members: { readonly name: string; readonly suffix: string }[];
}

/** Changes the names that variables have in the end. `wishes`: by name what a variable is called without its number. */
export function renumber(
  fn: TsFunction,
  bindings: Bindings,
  wishes: ReadonlyMap<string, string>,
  keepsParams: boolean,
): void {
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
  for (const { wish, members } of families.values()) {
    const base = freeBase(wish, members.map(({ suffix }) => suffix), taken); // prettier-ignore
    for (const { name, suffix } of members) {
      taken.add(`${base}${suffix}`);
      bindings.rename(name, `${base}${suffix}`);
    }
  }
}

/** A name, and what it has got behind that of a variable. */
function partsOf(
  wanted: string,
  wishes: ReadonlyMap<string, string>,
): { readonly base: string; readonly suffix: string } {
  const [, base = wanted, suffix = ""] = /^(.+?)((?:_|Saved)+\d*)$/.exec(wanted) ?? [];
  return wishes.has(wanted) || !wishes.has(base) ? { base: wanted, suffix: "" } : { base, suffix };
}

function freeBase(wish: string, suffixes: readonly string[], taken: ReadonlySet<string>): string {
  const isFree = (base: string): boolean => suffixes.every((suffix) => !taken.has(`${base}${suffix}`));
  let base = wish;
  for (let count = 1; !isFree(base); count++) base = /\d$/.test(wish) ? `${wish}_${count}` : `${wish}${count}`;
  return base;
}
