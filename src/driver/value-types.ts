// The types of values, ready to be looked up at every cell of a long list.

import { DataTypes } from "../core/type-parts.js";
import type { DataDecl, Type } from "../core/type.js";
import { layoutsOf } from "../emit/layouts.js";
import { InternalError } from "../internal-error.js";

/** A field or a component: where it stands in its object or array, and its type. */
export interface ValuePart {
  readonly key: string | number;
  readonly type: ValueType;
}

/** A first-order type, with what its values consist of. Types are shared: a list's tail has the list's own `ValueType`. */
export type ValueType =
  | { readonly kind: "real" | "int" | "bool" | "unit" }
  | { readonly kind: "tuple"; readonly parts: readonly ValuePart[] }
  /** Of numbers: a Float64Array. */
  | { readonly kind: "array"; readonly element: ValueType }
  /** A data type with one constructor and named fields: an object without a tag. */
  | { readonly kind: "record"; readonly name: string; readonly parts: readonly ValuePart[] }
  /** The fields of each constructor, by tag. */
  | { readonly kind: "data"; readonly name: string; readonly cases: ReadonlyMap<string, readonly ValuePart[]> };

/** Makes `ValueType`s of the types of a program. */
export class ValueTypes {
  readonly #data: DataTypes;
  readonly #known = new Map<string, ValueType>();

  constructor(decls: readonly DataDecl[]) {
    this.#data = new DataTypes(decls);
  }

  of(type: Type): ValueType {
    switch (type.kind) {
      case "real":
      case "int":
      case "bool":
        return type;
      case "tuple":
        if (type.items.length === 0) return { kind: "unit" };
        return { kind: "tuple", parts: type.items.map((item, index) => ({ key: index, type: this.of(item) })) };
      case "array":
        return { kind: "array", element: this.of(type.element) };
      case "data":
        return this.#dataType(type);
      case "fn":
      case "typeVar":
        throw new InternalError("values", "not a first-order type", JSON.stringify(type));
    }
  }

  #dataType(type: Type & { readonly kind: "data" }): ValueType {
    const key = JSON.stringify(type);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const layouts = layoutsOf(this.#data.decl(type.name));
    const isRecord = layouts.every(({ isTagged }) => !isTagged);
    const parts: ValuePart[] = [];
    const cases = new Map<string, readonly ValuePart[]>();
    const made: ValueType = isRecord
      ? { kind: "record", name: type.name, parts }
      : { kind: "data", name: type.name, cases };
    // Known before its fields are looked at: they may be of the type itself
    this.#known.set(key, made);
    this.#data.constructorsOf(type).forEach(({ name, fields }, place) => {
      const own = fields.map((field, index) => ({ key: layouts[place]?.keys[index] ?? "", type: this.of(field) }));
      if (isRecord) parts.push(...own);
      else cases.set(name, own);
    });
    return made;
  }
}
