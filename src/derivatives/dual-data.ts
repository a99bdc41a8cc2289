// Data types whose reals carry tangents: `data Tree = Leaf R | ..` has a dual copy, `List R` becomes `List (R, R)` (KR22 Fig. 3; SV25 §11).

import { Names } from "../core/names.js";
import { DataTypes, mapTypeParts, typeParts } from "../core/type-parts.js";
import type { DataDecl, Type } from "../core/type.js";

type DataType = Type & { readonly kind: "data" };

const realPair: Type = { kind: "tuple", items: [{ kind: "real" }, { kind: "real" }] };

export class DualData {
  readonly #declarations: DataDecl[];
  readonly #names: Names;
  /** By the name of a declaration that of its dual. */
  readonly #duals = new Map<string, string>();
  #types: DataTypes;

  constructor(declarations: readonly DataDecl[]) {
    this.#declarations = [...declarations];
    this.#names = new Names(declarations.map(({ name }) => name));
    this.#types = new DataTypes(declarations);
  }

  /** All declarations, the dual ones among them. */
  get declarations(): readonly DataDecl[] {
    return this.#declarations;
  }

  get types(): DataTypes {
    return this.#types;
  }

  /** Whether there may be a real in a value. */
  hasReal(type: Type, above: ReadonlySet<string> = new Set()): boolean {
    if (type.kind === "real") return true;
    if (type.kind !== "data") return type.kind !== "fn" && typeParts(type).some((part) => this.hasReal(part, above));
    const key = JSON.stringify(type);
    if (above.has(key)) return false;
    const inside = new Set([...above, key]);
    return this.#types.constructorsOf(type).some(({ fields }) => fields.some((field) => this.hasReal(field, inside)));
  }

  /** A data type with all its reals active. */
  dual(type: DataType): DataType {
    return { kind: "data", name: this.dualName(type.name), args: type.args.map((arg) => this.#dualPart(arg)) };
  }

  /** The name of the declaration of a dual type. */
  dualName(name: string): string {
    const known = this.#duals.get(name);
    if (known !== undefined) return known;
    if (!this.#changes(name, new Set())) return name;
    const dual = this.#names.fresh(`${name}Dual`);
    this.#duals.set(name, dual);
    const decl = this.#types.decl(name);
    const place = this.#declarations.length;
    const made = (constructors: DataDecl["constructors"]): DataDecl => ({ ...decl, name: dual, constructors });
    this.#declarations.push(made([]));
    const constructors = decl.constructors.map((each) => ({ ...each, fields: each.fields.map((field) => this.#dualPart(field)) })); // prettier-ignore
    this.#declarations[place] = made(constructors);
    this.#types = new DataTypes(this.#declarations);
    return dual;
  }

  #dualPart(type: Type): Type {
    if (type.kind === "real") return realPair;
    // The arguments of a type that has no reals stand for nothing
    if (type.kind === "data") return this.hasReal(type) ? this.dual(type) : type;
    return type.kind === "fn" ? type : mapTypeParts(type, (part) => this.#dualPart(part));
  }

  /** Whether a declaration has a real in its fields, other than in its arguments. */
  #changes(name: string, seen: Set<string>): boolean {
    if (seen.has(name)) return false;
    seen.add(name);
    const within = (type: Type): boolean => {
      if (type.kind === "real") return true;
      if (type.kind === "fn") return false;
      return typeParts(type).some(within) || (type.kind === "data" && this.#changes(type.name, seen));
    };
    return this.#types.decl(name).constructors.some(({ fields }) => fields.some(within));
  }
}
