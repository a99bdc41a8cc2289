// How values are split: the leaves of a type are what its values are made of, one JavaScript variable each.
//
//   leaves(R) = R    leaves((a, b)) = leaves(a), leaves(b)    leaves([a]) = an array for each leaf of a    leaves(a -> b) = a closure
//   leaves(D)  = leaves of its fields, where D has one constructor, does not contain itself, and is small; one object otherwise
//
// An array whose elements have no leaves (`[()]`) is its length.

import { DataTypes } from "../core/type-parts.js";
import type { DataDecl, Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import { bool, int, real, type Rep } from "./program.js";

/** A data type with more leaves than this is not split: each would be a parameter of every function that takes one. */
const leafLimit = 16;

/** The leaves of the types of a program. */
export class Leaves {
  readonly types: DataTypes;
  readonly #split = new Map<string, readonly Rep[] | null>();
  /** By type: whether its objects have stores. */
  readonly #stored = new Map<string, boolean>();

  constructor(data: readonly DataDecl[]) {
    this.types = new DataTypes(data);
  }

  /** The leaves of a type, in order. */
  of(type: Type): readonly Rep[] {
    switch (type.kind) {
      case "real":
        return [real];
      case "int":
        return [int];
      case "bool":
        return [bool];
      case "tuple":
        return type.items.flatMap((item) => this.of(item));
      case "fn":
        return [{ kind: "closure", from: type.from, to: type.to }];
      case "array": {
        const elements = this.of(type.element);
        return elements.length === 0 ? [int] : elements.map((element) => ({ kind: "array", element }));
      }
      case "data":
        return this.#ofSplit(type) ?? [{ kind: "object", type }];
      case "typeVar":
        throw new InternalError("flat", `the type variable ${type.name} has no leaves`);
    }
  }

  /** Whether a data type is split: its values are the leaves of its only constructor's fields. */
  isSplit(type: Type & { readonly kind: "data" }): boolean {
    return this.#ofSplit(type) !== null;
  }

  /** Whether a leaf of a type is the length of an array whose elements have none, or an array of such. */
  holdsLengths(type: Type): boolean {
    if (type.kind === "tuple") return type.items.some((item) => this.holdsLengths(item));
    if (type.kind === "array") return this.of(type.element).length === 0 || this.holdsLengths(type.element);
    if (type.kind !== "data" || !this.isSplit(type)) return false;
    return this.types.constructorsOf(type).some(({ fields }) => fields.some((field) => this.holdsLengths(field)));
  }

  /** The leaves of each field of a constructor. */
  fieldsOf(type: Type, con: string): readonly (readonly Rep[])[] {
    if (type.kind !== "data") throw new InternalError("flat", `a value of a ${type.kind} type has no constructor`);
    const constructor = this.types.constructorsOf(type).find(({ name }) => name === con);
    if (constructor === undefined) throw new InternalError("flat", `${type.name} has no constructor ${con}`);
    return constructor.fields.map((field) => this.of(field));
  }

  /** Whether values have cotangents that are kept beside them: arrays and objects in which there is a real. */
  hasStore(rep: Rep): boolean {
    if (rep.kind !== "object") return this.#hasStore(rep, new Set());
    const key = JSON.stringify(rep.type);
    const known = this.#stored.get(key) ?? this.#hasStore(rep, new Set());
    this.#stored.set(key, known);
    return known;
  }

  #hasStore(rep: Rep, above: Set<string>): boolean {
    if (rep.kind === "array") return rep.element.kind === "real" || this.#hasStore(rep.element, above);
    if (rep.kind !== "object" || rep.type.kind !== "data") return false; // a closure holds its own slots
    const { type } = rep;
    const key = JSON.stringify(type);
    if (above.has(key)) return false;
    above.add(key);
    return this.types
      .constructorsOf(type)
      .flatMap(({ fields }) => fields.flatMap((field) => this.of(field)))
      .some((field) => field.kind === "real" || this.#hasStore(field, above));
  }

  #ofSplit(type: Type & { readonly kind: "data" }): readonly Rep[] | null {
    const key = JSON.stringify(type);
    const known = this.#split.get(key);
    if (known !== undefined) return known;
    // While its fields are looked at: a type that is met again inside itself is not split
    this.#split.set(key, null);
    const [constructor, ...others] = this.types.constructorsOf(type);
    const leaves =
      constructor === undefined || others.length > 0 || this.#contains(type, constructor.fields)
        ? null
        : constructor.fields.flatMap((field) => this.of(field));
    const split = leaves !== null && leaves.length <= leafLimit ? leaves : null;
    this.#split.set(key, split);
    return split;
  }

  /** Whether fields hold a value of the type itself, not counting what is behind objects and functions. */
  #contains(type: Type & { readonly kind: "data" }, fields: readonly Type[]): boolean {
    const seen = new Set<string>();
    const within = (part: Type): boolean => {
      if (part.kind === "tuple") return part.items.some(within);
      if (part.kind === "array") return within(part.element);
      if (part.kind !== "data") return false;
      const key = JSON.stringify(part);
      if (key === JSON.stringify(type)) return true;
      if (seen.has(key)) return false;
      seen.add(key);
      const constructors = this.types.constructorsOf(part);
      return constructors.length === 1 && constructors.some((constructor) => constructor.fields.some(within));
    };
    return fields.some(within);
  }
}
