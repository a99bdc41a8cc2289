// Variables have got numbers because each has a name of its own in the whole program. Here they lose them, or get smaller ones: a variable and what belongs to
// it the same.
//
//   const x17 = ..; x17_ += ..        const x = ..; x_ += ..

import { leafName, type LeafName } from "../../flat/naming.js";
import { InternalError } from "../../internal-error.js";
import { nameOf, type Role } from "../../typescript/called.js";
import { identifier } from "../../typescript/naming.js";
import { visitStatements } from "../../typescript/traverse.js";
import type { TsFunction } from "../../typescript/tree.js";
import type { Bindings } from "../analysis/bindings.js";
import { surveyed } from "../analysis/survey.js";
import { extentsOf, TakenNames, type Extent } from "./extents.js";

/** What is called after one variable: itself, its cotangent, where its values are saved, how far the reverse sweep is in these. */
interface Family {
  readonly wish: LeafName;
  readonly members: Member[];
}

interface Member {
  readonly name: string;
  readonly as: readonly Role[];
  readonly extent: Extent;
}

/** What variables are called in the functions of a module: those of one definition call a variable the same, if possible. */
export class Renumbering {
  readonly #chosen = new Map<string, string>();

  /** `wishes`: by name what a variable is called without its number. */
  constructor(private readonly wishes: ReadonlyMap<string, LeafName>) {}

  /** Changes the names that variables of a function have in the end. */
  run(fn: TsFunction, bindings: Bindings, keepsParams: boolean): void {
    const { taken, families } = familiesOf(fn, bindings, this.wishes, keepsParams);
    const free = new FreeBases(taken, countersOf(fn));
    /** Counters that nobody has named take what others leave. */
    const turn = ([base, family]: readonly [string, Family]): number =>
      (free.isCounter(family) ? 2 : 0) + (this.#chosen.has(base) ? 0 : 1);
    for (const [base, family] of [...families].sort((a, b) => turn(a) - turn(b))) {
      const chosen = free.take(this.#chosen.get(base), family);
      if (!this.#chosen.has(base)) this.#chosen.set(base, chosen);
      for (const { name, as } of family.members) bindings.rename(name, { of: chosen, as });
    }
  }
}

/** The counters of loops. */
function countersOf(fn: TsFunction): ReadonlySet<string> {
  const counters = new Set<string>();
  visitStatements(fn.body, (stmt) => {
    if (stmt.kind === "for") counters.add(stmt.name);
  });
  return counters;
}

/** The names that stay, and the variables that have got numbers. */
function familiesOf(
  fn: TsFunction,
  bindings: Bindings,
  wishes: ReadonlyMap<string, LeafName>,
  keepsParams: boolean,
): { readonly taken: TakenNames; readonly families: ReadonlyMap<string, Family> } {
  const taken = new TakenNames();
  const families = new Map<string, Family>();
  const extents = extentsOf(fn);
  for (const [name, { kind }] of surveyed(fn).variables) {
    const extent = extents.get(name);
    if (extent === undefined) throw new InternalError("tidy", `${name} has no scope`);
    const wanted = bindings.wanted(name);
    const wish = wishes.get(wanted.of);
    if (wish === undefined || (keepsParams && kind === "param")) {
      taken.add(nameOf(wanted), extent);
      continue;
    }
    const family = families.get(wanted.of) ?? { wish, members: [] };
    family.members.push({ name, as: wanted.as, extent });
    families.set(wanted.of, family);
  }
  return { taken, families };
}

/** What counters are called that nobody has named, the outer ones first. */
const counterNames = ["i", "j", "k", "l"];

/** Which of a variable and its cotangent a function has, where it has one of them alone. */
type Half = "primal" | "cotangent";

function halfOf({ members }: Family): Half | null {
  const isCotangent = ({ as: [role] }: Member): boolean => role === "cotangent" || role === "carried";
  if (members.every(isCotangent)) return "cotangent";
  return members.some(isCotangent) ? null : "primal";
}

/**
 * Names for families, of which none is taken with any of its suffixes where the variable is. A cotangent whose variable has gone is called after none that
 * is there, wherever that may be: a reader would take them for a pair.
 */
class FreeBases {
  /** By what families are called, their suffixes and scopes: the numbers below are taken. */
  readonly #next = new Map<string, number>();
  readonly #halves = { primal: new Set<string>(), cotangent: new Set<string>() };

  constructor(
    private readonly taken: TakenNames,
    private readonly counters: ReadonlySet<string>,
  ) {}

  /** Whether a family is the counter of loops, and has no name of its own. */
  isCounter({ wish, members }: Family): boolean {
    return leafName(wish) === counterNames[0] && members.every(({ name }) => this.counters.has(name));
  }

  /** Takes the name that is known for a family, the one that it wishes for, or that with the first number that is free. */
  take(known: string | undefined, family: Family): string {
    const half = halfOf(family);
    const others = half === null ? null : this.#halves[half === "primal" ? "cotangent" : "primal"];
    const isFree = (base: string): boolean =>
      others?.has(base) !== true &&
      family.members.every(({ as, extent }) => this.taken.isFree(nameOf({ of: base, as }), extent));
    const base = this.#firstFree(known, family, isFree);
    if (half !== null) this.#halves[half].add(base);
    for (const { as, extent } of family.members) this.taken.add(nameOf({ of: base, as }), extent);
    return base;
  }

  #firstFree(known: string | undefined, family: Family, isFree: (base: string) => boolean): string {
    const { wish, members } = family;
    const wished = this.isCounter(family) ? counterNames : [identifier(leafName(wish))];
    const first = (known === undefined ? wished : [known, ...wished]).find(isFree);
    if (first !== undefined) return first;
    const key = JSON.stringify([wish, halfOf(family), members.map(({ as, extent }) => [as, extent.from])]);
    let count = this.#next.get(key) ?? 1;
    while (!isFree(identifier(leafName(wish, count)))) count++;
    this.#next.set(key, count);
    return identifier(leafName(wish, count));
  }
}
