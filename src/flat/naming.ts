// The names of flat variables: those of the source, with a suffix for each component of what is split.
//
//   p : (R, R)  ->  p0, p1        camera : Camera { focal : R, .. }  ->  cameraFocal, ..

import type * as Core from "../core/term.js";
import { allTerms } from "../core/traverse.js";
import type { ConstructorF, Type } from "../core/type.js";
import { calledAfter, calledPlainly, nameOf, type Called, type Role } from "../typescript/called.js";
import type { Leaves } from "./leaves.js";

/** A name in two parts: where it is taken, the stem gets a number. */
export interface LeafName {
  readonly stem: string;
  readonly suffix: string;
}

/** What to call the leaves of a value of a type. */
export interface Hint {
  readonly type: Type;
  readonly names: readonly LeafName[];
}

/** What is known of the names of a program's variables. */
export interface NameFacts {
  /** By name with a number what it would be called if that were not taken elsewhere in the program. */
  readonly wishes: ReadonlyMap<string, LeafName>;
  /** What those names mean that are of other variables, or of the compiler's making. */
  readonly called: ReadonlyMap<string, Called>;
  /** The stem of variables that are called so only because all variables have names. */
  readonly temporary: string;
}

/** Names that are used once in a program. */
export class FlatNames implements NameFacts {
  readonly temporary: string;
  readonly #taken: Set<string>;
  readonly #next = new Map<string, number>();
  readonly #wishes = new Map<string, LeafName>();
  readonly #called: Map<string, Called>;
  /** What these names are tried on top of. */
  readonly #base: FlatNames | null;

  /** `called`: what names that are taken mean. */
  constructor(
    taken: Iterable<string>,
    { temporary = "t", called = new Map() }: Partial<Pick<NameFacts, "temporary" | "called">> = {},
    base: FlatNames | null = null,
  ) {
    this.#taken = new Set(taken);
    this.temporary = temporary;
    this.#called = new Map(called);
    this.#base = base;
  }

  get wishes(): ReadonlyMap<string, LeafName> {
    return this.#wishes;
  }

  get called(): ReadonlyMap<string, Called> {
    return this.#called;
  }

  /** A name for what something is of a variable. */
  after(of: string, role: Role): string {
    const called = calledAfter(this.#calledOf(of) ?? calledPlainly(of), role);
    const name = this.fresh({ stem: nameOf(called), suffix: "" });
    this.#called.set(name, called);
    return name;
  }

  /** A name that gives way to that of the author for the same. */
  own(stem: string): string {
    const name = this.fresh({ stem, suffix: "" });
    this.#called.set(name, { of: name, as: [], isOwn: true });
    return name;
  }

  /** Names beside these for what may be dropped, while no more of these are taken: here they stay free. */
  trial(): FlatNames {
    return new FlatNames([], this, this);
  }

  fresh(name: LeafName): string {
    const made = this.#fresh(name);
    const before = this.#wishOf(name.stem);
    const wish = before === undefined ? name : { stem: before.stem, suffix: `${before.suffix}${name.suffix}` };
    if (made !== leafName(wish)) this.#wishes.set(made, wish);
    return made;
  }

  #fresh({ stem, suffix }: LeafName): string {
    const wanted = joined(stem, suffix);
    if (!this.#isTaken(wanted)) return this.#take(wanted);
    const start = stem.replace(/\d+$/, "");
    const key = JSON.stringify([start, suffix]);
    let count = this.#nextOf(key) ?? 1;
    while (this.#isTaken(joined(`${start}${count}`, suffix))) count += 1;
    this.#next.set(key, count + 1);
    return this.#take(joined(`${start}${count}`, suffix));
  }

  #take(name: string): string {
    this.#taken.add(name);
    return name;
  }

  #isTaken(name: string): boolean {
    return this.#taken.has(name) || (this.#base !== null && this.#base.#isTaken(name));
  }

  #nextOf(key: string): number | undefined {
    return this.#next.get(key) ?? (this.#base === null ? undefined : this.#base.#nextOf(key));
  }

  #calledOf(name: string): Called | undefined {
    return this.#called.get(name) ?? (this.#base === null ? undefined : this.#base.#calledOf(name));
  }

  #wishOf(name: string): LeafName | undefined {
    return this.#wishes.get(name) ?? (this.#base === null ? undefined : this.#base.#wishOf(name));
  }
}

const stems = ["t", "v", "w", "u", "tmp"];

/** A stem for the compiler's own variables, which none of these names has: what the author calls `t`, or `t2`, is never taken for one of them. */
export function temporaryBeside(names: ReadonlySet<string>): string {
  const authors = new Set([...names].map((name) => name.replace(/\d*(?:_\d*)?$/, "")));
  for (let count = 0; ; count++) {
    const stem = stems[count] ?? `tmp${"_".repeat(count)}`;
    if (!authors.has(stem)) return stem;
  }
}

/** Whether a name is the compiler's own, of the stem; the parts of what is split have a number behind it, and cotangents an underscore. */
export function isTemporary(name: string, stem: string): boolean {
  return name.startsWith(stem) && /^\d*(?:_\d*)?$/.test(name.slice(stem.length));
}

/** A name; with a number where it is taken: `x1` for x, but `p0_1` for the first part of p. */
export function leafName({ stem, suffix }: LeafName, count = 0): string {
  if (count === 0) return joined(stem, suffix);
  return suffix === "" ? `${stem.replace(/\d+$/, "")}${count}` : `${joined(stem, suffix)}_${count}`;
}

function joined(stem: string, suffix: string): string {
  return /\d$/.test(stem) && /^\d/.test(suffix) ? `${stem}_${suffix}` : `${stem}${suffix}`;
}

/** The names of the leaves of a variable. */
export function leafNames(stem: string, type: Type, leaves: Leaves): readonly LeafName[] {
  return suffixes(type, leaves).map((suffix) => ({ stem, suffix }));
}

/** By variable, what its components are called where it is taken apart; a component that nothing names is absent. */
export type PartNames = ReadonlyMap<string, ReadonlyMap<number, string>>;

/**
 * What the author calls the components of the variables of a term: `let x = fst p in ..` names one of `p` after `x`, `f (fst p)` after the parameter of
 * `f`, where that is local, and `f p` all of them as `f` does. `local` and `definition` know functions by name.
 */
export function partNamesIn(
  term: Core.Term,
  local: (fn: string) => Core.Fn | undefined,
  definition: (fn: string) => Core.Fn | undefined,
): PartNames {
  const parts = new Map<string, Map<number, string>>();
  const note = (tuple: string, index: number, name: string | undefined): void => {
    const known = parts.get(tuple) ?? new Map<number, string>();
    if (name !== undefined && name !== "_" && !known.has(index)) parts.set(tuple, known.set(index, name));
  };
  for (const [tuple, components] of boundParts(term)) for (const [index, name] of components) note(tuple, index, name);
  for (const each of allTerms(term)) {
    if (each.kind !== "call") continue;
    const callee = local(each.fn) ?? definition(each.fn);
    each.args.forEach((arg, place) => {
      if (arg.kind === "proj" && arg.tuple.kind === "var") note(arg.tuple.name, arg.index, local(each.fn)?.params[place]?.name); // prettier-ignore
      if (arg.kind !== "var" || callee === undefined) return;
      const components = boundParts(callee.body).get(callee.params[place]?.name ?? "") ?? [];
      for (const [index, name] of components) note(arg.name, index, name);
    });
  }
  return parts;
}

type Components = readonly (readonly [index: number, name: string])[];

const knownParts = new WeakMap<Core.Term, ReadonlyMap<string, Components>>();

/** By variable those of its components that a term binds to others, with the names of these. */
function boundParts(term: Core.Term): ReadonlyMap<string, Components> {
  const known = knownParts.get(term);
  if (known !== undefined) return known;
  const bound = new Map<string, (readonly [number, string])[]>();
  for (const each of allTerms(term)) {
    if (each.kind !== "let" || each.bound.kind !== "proj" || each.bound.tuple.kind !== "var") continue;
    const { tuple, index } = each.bound;
    const components = bound.get(tuple.name) ?? [];
    components.push([index, each.name]);
    bound.set(tuple.name, components);
  }
  knownParts.set(term, bound);
  return bound;
}

/** The names of the leaves of a variable, those of its components where it is taken apart. */
export function namesInside(stem: string, type: Type, parts: PartNames, leaves: Leaves): readonly LeafName[] {
  const own = parts.get(stem);
  if (own === undefined || type.kind !== "tuple") return leafNames(stem, type, leaves);
  return type.items.flatMap((item, index) => {
    const name = own.get(index);
    if (name !== undefined) return namesInside(name, item, parts, leaves);
    return suffixes(item, leaves).map((rest) => ({ stem, suffix: `${String(index)}${rest}` }));
  });
}

/** What the parts of a value are called: the components of a tuple, the fields of what is split, which are the leaves of such names. */
export function partNames(stem: string, type: Type, leaves: Leaves): readonly string[] {
  return partSuffixes(type, leaves).map((suffix) => joined(stem, suffix));
}

function partSuffixes(type: Type, leaves: Leaves): readonly string[] {
  if (type.kind === "tuple") return type.items.map((_, index) => String(index));
  if (type.kind !== "data") return [];
  return leaves.types.constructorsOf(type).flatMap(fieldSuffixes);
}

/** What tells the fields of a constructor apart. */
export function fieldSuffixes({ fields, fieldNames }: ConstructorF<Type>): readonly string[] {
  if (fieldNames !== null) return fieldNames.map(capitalised);
  return fields.length === 1 ? [""] : fields.map((_, index) => String(index));
}

/** What tells the leaves of a type apart, in order. */
function suffixes(type: Type, leaves: Leaves): readonly string[] {
  switch (type.kind) {
    case "tuple":
      return suffixesIn(type.items, partSuffixes(type, leaves), leaves).flat();
    case "array": {
      const elements = suffixes(type.element, leaves);
      return elements.length === 0 ? [""] : elements;
    }
    case "data": {
      if (!leaves.isSplit(type)) return [""];
      const fields = leaves.types.constructorsOf(type).flatMap((constructor) => constructor.fields);
      return suffixesIn(fields, partSuffixes(type, leaves), leaves).flat();
    }
    default:
      return [""];
  }
}

/** What tells the leaves of parts apart that are called so, by part. */
export function suffixesIn(
  parts: readonly Type[],
  names: readonly string[],
  leaves: Leaves,
): readonly (readonly string[])[] {
  return parts.map((part, index) => suffixes(part, leaves).map((rest) => `${names[index] ?? ""}${rest}`));
}

function capitalised(name = ""): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
