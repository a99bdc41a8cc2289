// Data types that are lists, and the arrays that stand for a list: one for each leaf of its cells.
//
//   List R  ->  [R]        List (List R, R)  ->  [[R]], [R]

import type { Type } from "../core/type.js";
import type { Leaves } from "./leaves.js";
import { fieldSuffixes, suffixesIn } from "./naming.js";
import type { Rep } from "./program.js";

export interface ListType {
  readonly type: Type;
  /** The constructors of the cells and of the end; which leaf of a cell is the rest. */
  readonly cell: string;
  readonly end: string;
  readonly rest: number;
  /** The other leaves of a cell: their places, what they hold, and what tells them apart. */
  readonly leaves: readonly { readonly index: number; readonly rep: Rep; readonly suffix: string }[];
}

export class ListTypes {
  readonly #known = new Map<string, ListType | null>();

  constructor(private readonly leaves: Leaves) {}

  /** The list type of what a variable holds; null where it is none, or one that arrays of reals cannot stand for. */
  of(rep: Rep): ListType | null {
    if (rep.kind !== "object" || rep.type.kind !== "data") return null;
    const key = JSON.stringify(rep.type);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    // While its cells are looked at: a list of itself is none
    this.#known.set(key, null);
    const found = this.#listType(rep.type);
    this.#known.set(key, found);
    return found;
  }

  /** Whether a variable holds lists: one, or an array of them. */
  holdsLists(rep: Rep): boolean {
    return rep.kind === "array" ? this.holdsLists(rep.element) : this.of(rep) !== null;
  }

  /** What the variables hold that stand for one. */
  columns(rep: Rep): readonly Rep[] {
    if (rep.kind === "array") return this.columns(rep.element).map((element) => ({ kind: "array", element }));
    const list = this.of(rep);
    if (list === null) return [rep];
    return list.leaves.flatMap((leaf) => this.columns(leaf.rep).map((element): Rep => ({ kind: "array", element })));
  }

  /** What tells apart the variables that stand for one. */
  suffixes(rep: Rep): readonly string[] {
    if (rep.kind === "array") return this.suffixes(rep.element);
    const leaves = this.of(rep)?.leaves ?? [{ rep, suffix: "" }];
    return leaves.flatMap((leaf) => (leaf.rep === rep ? [""] : this.suffixes(leaf.rep)).map((rest) => `${leaf.suffix}${rest}`)); // prettier-ignore
  }

  /** Whether a list, or an array of them, holds integers: its cotangents have zeros there. */
  holdsIntegers(rep: Rep): boolean {
    if (rep.kind === "array") return this.holdsIntegers(rep.element);
    return rep.kind === "int" || (this.of(rep)?.leaves.some((leaf) => this.holdsIntegers(leaf.rep)) ?? false);
  }

  /** The constructors of a data type, in the order of the declaration. */
  constructorsOf(type: Type): readonly string[] {
    return type.kind === "data" ? this.leaves.types.constructorsOf(type).map(({ name }) => name) : [];
  }

  #listType(type: Type & { readonly kind: "data" }): ListType | null {
    const [first, second, ...others] = this.leaves.types.constructorsOf(type);
    if (first === undefined || second === undefined || others.length > 0) return null;
    const [end, cell] = first.fields.length === 0 ? [first, second] : [second, first];
    if (end.fields.length > 0) return null;
    const all = this.leaves.fieldsOf(type, cell.name).flat();
    const rests = [...all.keys()].filter((index) => isOf(all[index], type));
    const [rest] = rests;
    if (rest === undefined || rests.length > 1 || all.length < 2) return null;
    // What stands beside the rest alone needs no name
    const names = cell.fields.length === 2 ? [] : fieldSuffixes(cell);
    const suffixes = suffixesIn(cell.fields, names, this.leaves).flat();
    const leaves = all.flatMap((rep, index) => (index === rest ? [] : [{ index, rep, suffix: suffixes[index] ?? "" }]));
    if (!leaves.every(({ rep }) => this.#isItem(rep)) || cell.fields.some((field) => this.leaves.holdsLengths(field))) return null; // prettier-ignore
    return { type, cell: cell.name, end: end.name, rest, leaves };
  }

  /** Whether arrays can hold something as cells do. Lists that are in an array in a cell would have to be taken out of it. */
  #isItem(rep: Rep): boolean {
    return rep.kind === "int" || rep.kind === "bool" || isOfReals(rep) || this.of(rep) !== null;
  }
}

function isOf(rep: Rep | undefined, type: Type): boolean {
  return rep?.kind === "object" && JSON.stringify(rep.type) === JSON.stringify(type);
}

/** Whether something is a real, or an array of such. */
export function isOfReals(rep: Rep): boolean {
  return rep.kind === "array" ? isOfReals(rep.element) : rep.kind === "real";
}
