// The objects that adjoint code has: their properties, and where in them the leaves of a type stand.

import type { Type } from "../core/type.js";
import { layoutsOf } from "../emit/layouts.js";
import type { Leaves } from "../flat/leaves.js";
import { InternalError } from "../internal-error.js";
import type { TsExpr } from "../typescript/tree.js";

type DataType = Type & { readonly kind: "data" };

/** The way to a leaf within an object: property names and positions in tuples. */
export type Path = readonly (string | number)[];

export class Shapes {
  readonly leaves: Leaves;
  readonly #paths = new Map<string, readonly Path[]>();
  readonly #same = new Map<string, boolean>();

  constructor(leaves: Leaves) {
    this.leaves = leaves;
  }

  /** Where the leaves of an object that `con` has made stand. */
  pathsOf(type: Type, con: string): readonly Path[] {
    const key = `${con} ${JSON.stringify(type)}`;
    const known = this.#paths.get(key);
    if (known !== undefined) return known;
    const { keys, fields } = this.record(type, con);
    const paths = fields.flatMap((field, index) => this.#leafPaths(field, [keys[index] ?? ""]));
    this.#paths.set(key, paths);
    return paths;
  }

  /** Whether objects of a type say which constructor has made them. */
  isTagged(type: Type, con: string): boolean {
    return this.record(type, con).isTagged;
  }

  /** The object that `con` makes of its leaves: a tree of objects and tuples. */
  build(type: Type, con: string, leaves: readonly TsExpr[]): TsExpr {
    const { keys, fields, isTagged } = this.record(type, con);
    const rest = [...leaves];
    const properties = fields.map((field, index) => ({ name: keys[index] ?? "", value: this.assemble(field, rest) }));
    const tag = { name: "tag", value: { kind: "string", value: con } } as const;
    return { kind: "object", fields: isTagged ? [tag, ...properties] : properties };
  }

  /** A value as the exported interface has it, of its leaves, which are taken from the front of `leaves`. */
  assemble(type: Type, leaves: TsExpr[]): TsExpr {
    if (type.kind === "tuple") {
      if (type.items.length === 0) return { kind: "null" };
      return { kind: "array", items: type.items.map((item) => this.assemble(item, leaves)) };
    }
    if (type.kind === "data" && this.leaves.isSplit(type)) {
      const con = this.onlyConstructor(type);
      const count = this.leaves.of(type).length;
      return this.build(type, con, leaves.splice(0, count));
    }
    if (type.kind === "array" && this.leaves.of(type).length > 1) {
      return { kind: "array", items: leaves.splice(0, this.leaves.of(type).length) };
    }
    const leaf = leaves.shift();
    if (leaf === undefined) throw new InternalError("adjoint", "a leaf is missing");
    return leaf;
  }

  onlyConstructor(type: DataType): string {
    const [only] = this.leaves.types.constructorsOf(type);
    if (only === undefined) throw new InternalError("adjoint", `${type.name} has no constructor`);
    return only.name;
  }

  /** The ways to a type's leaves in a value as the exported interface has it; arrays of what is split are one step, to be split further. */
  #leafPaths(type: Type, path: Path): readonly Path[] {
    if (type.kind === "tuple") return type.items.flatMap((item, index) => this.#leafPaths(item, [...path, index]));
    if (type.kind === "data" && this.leaves.isSplit(type)) {
      const { keys, fields } = this.record(type, this.onlyConstructor(type));
      return fields.flatMap((field, index) => this.#leafPaths(field, [...path, keys[index] ?? ""]));
    }
    const leaves = this.leaves.of(type);
    return leaves.length === 1 ? [path] : leaves.map((_, index) => [...path, index]);
  }

  /** A constructor's properties and the types of its fields. */
  record(
    type: Type,
    con: string,
  ): { readonly keys: readonly string[]; readonly fields: readonly Type[]; readonly isTagged: boolean } {
    if (type.kind !== "data") throw new InternalError("adjoint", `a ${type.kind} type has no constructors`);
    const constructors = this.leaves.types.constructorsOf(type);
    const index = constructors.findIndex(({ name }) => name === con);
    const layout = layoutsOf(this.leaves.types.decl(type.name))[index];
    const constructor = constructors[index];
    if (constructor === undefined || layout === undefined) throw new InternalError("adjoint", `there is no ${con}`);
    return { keys: layout.keys, fields: constructor.fields, isTagged: layout.isTagged };
  }

  /** Whether a value inside adjoint code is what the exported interface has: there is no array of what is split in it. */
  isSame(type: Type): boolean {
    if (type.kind !== "data") return this.#isSameWithin(type, new Set());
    const key = JSON.stringify(type);
    const known = this.#same.get(key);
    if (known !== undefined) return known;
    const isSame = this.#isSameWithin(type, new Set());
    this.#same.set(key, isSame);
    return isSame;
  }

  /** The same, of what is not in `above`: types that are being looked at, of which nothing is known yet. */
  #isSameWithin(type: Type, above: Set<string>): boolean {
    if (type.kind === "tuple") return type.items.every((item) => this.#isSameWithin(item, above));
    if (type.kind === "array") return this.#isWhole(type.element) && this.leaves.of(type).length === 1 && this.#isSameWithin(type.element, above); // prettier-ignore
    if (type.kind === "fn") return false;
    const key = JSON.stringify(type);
    if (type.kind !== "data" || above.has(key)) return true;
    above.add(key);
    const constructors = this.leaves.types.constructorsOf(type);
    return constructors.every(({ fields }) => fields.every((field) => this.#isSameWithin(field, above)));
  }

  /** Whether values of a type are not split, so that an array of them is one array. */
  #isWhole(type: Type): boolean {
    return type.kind !== "tuple" && !(type.kind === "data" && this.leaves.isSplit(type));
  }
}
