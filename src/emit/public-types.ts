// The types of the emitted interface: how types of the source calculus and their cotangents are written in TypeScript.

import type { DataDecl, Type } from "../core/type.js";
import { sumDecl } from "../core/type.js";
import { InternalError } from "../internal-error.js";
import { DataTypes, typeParts } from "../core/type-parts.js";
import type { TsDeclaration, TsField, TsType } from "./typescript.js";
import { capitalised, Scope } from "./naming.js";

export const tsNumber: TsType = { kind: "name", name: "number", args: [] };
export const tsBoolean: TsType = { kind: "name", name: "boolean", args: [] };
const tsNull: TsType = { kind: "literal", value: null };
const tsZero: TsType = { kind: "literal", value: 0 };

/** A name for a type that the author wrote: `type Vec3 = (R, R, R)`. */
export interface Alias {
  readonly name: string;
  readonly params: readonly string[];
  readonly type: Type;
  readonly doc: string;
}

/** The names of an emitted module's types. */
export class PublicTypes {
  readonly #decls: readonly DataDecl[];
  readonly #data: DataTypes;
  readonly #names = new Map<string, string>();
  readonly #aliases: ReadonlyMap<string, Alias>;
  /** Data types whose cotangents are of another type: an integer, whose cotangent is 0, stands in their declaration. */
  readonly #distinct: ReadonlySet<string>;

  constructor(decls: readonly DataDecl[], aliases: readonly Alias[]) {
    this.#decls = decls;
    this.#data = new DataTypes(decls);
    this.#aliases = new Map(aliases.map((alias) => [alias.name, alias]));
    this.#distinct = distinctCotangents(decls);
    const scope = Scope.types();
    for (const { name } of [...decls, ...aliases]) if (name !== sumDecl.name) this.#names.set(name, scope.fresh(name));
    for (const name of this.#distinct) scope.reserve(this.cotangentName(name));
    this.#names.set(sumDecl.name, scope.fresh("Sum"));
  }

  /** The names that types of the module have, as far as they stem from the program. */
  taken(): readonly string[] {
    return [...this.#names.values(), ...[...this.#distinct].map((name) => this.cotangentName(name))];
  }

  /** What the types that the module may export stem from. */
  claims(): readonly { readonly what: "data" | "alias" | "cotangent"; readonly source: string }[] {
    const data = this.#decls.filter((decl) => decl.name !== sumDecl.name);
    return [
      ...data.map((decl) => ({ what: "data", source: decl.name }) as const),
      ...[...this.#aliases.keys()].map((source) => ({ what: "alias", source }) as const),
      ...[...this.#distinct].map((source) => ({ what: "cotangent", source }) as const),
    ];
  }

  /** The name of a data type or alias in TypeScript. */
  nameOf(name: string): string {
    const found = this.#names.get(name);
    if (found === undefined) throw new InternalError("interface", `there is no type ${name}`);
    return found;
  }

  /** The name of the type of a data type's cotangents. */
  cotangentName(name: string): string {
    return this.#distinct.has(name) ? `${this.nameOf(name)}Cotangent` : this.nameOf(name);
  }

  /** The type of the values of a type; `typeVars` are the names of type variables. */
  readonly value = (type: Type, typeVars: ReadonlyMap<string, string> = new Map()): TsType => {
    const part = (inner: Type): TsType => this.value(inner, typeVars);
    switch (type.kind) {
      case "real":
      case "int":
        return tsNumber;
      case "bool":
        return tsBoolean;
      case "tuple":
        return type.items.length === 0 ? tsNull : { kind: "tuple", items: type.items.map(part) };
      case "data":
        return { kind: "name", name: this.nameOf(type.name), args: type.args.map(part) };
      case "typeVar":
        return { kind: "name", name: typeVars.get(type.name) ?? type.name, args: [] };
      case "fn":
        return {
          kind: "function",
          typeParams: [],
          params: [{ name: "x", type: part(type.from), optional: false }],
          result: part(type.to),
        };
    }
  };

  /** The type of the cotangents of a type. */
  readonly cotangent = (type: Type, typeVars: ReadonlyMap<string, string> = new Map()): TsType => {
    const part = (inner: Type): TsType => this.cotangent(inner, typeVars);
    switch (type.kind) {
      case "int":
        return tsZero;
      case "tuple":
        return type.items.length === 0 ? tsNull : { kind: "tuple", items: type.items.map(part) };
      case "data":
        return { kind: "name", name: this.cotangentName(type.name), args: type.args.map(part) };
      default:
        return this.value(type, typeVars);
    }
  };

  /** The type of a definition's result, by the alias that the author wrote where it is one. */
  result(type: Type, alias: string): TsType {
    const written = this.#aliases.get(alias);
    return written?.params.length === 0 ? { kind: "name", name: this.nameOf(alias), args: [] } : this.value(type);
  }

  /** The exported types: those of `types` and what their declarations mention, aliases, and the cotangents in `cotangents`. */
  declarations(types: readonly Type[], cotangents: readonly Type[]): readonly TsDeclaration[] {
    const aliases = [...this.#aliases.values()];
    const data = this.#mentioned([...types, ...cotangents, ...aliases.map((alias) => alias.type)]);
    const withCotangent = this.#mentioned(cotangents);
    const isFirstOrder = (alias: Alias): boolean => !hasFunction(alias.type);
    return [
      ...this.#decls.filter((decl) => data.has(decl.name)).flatMap((decl) => this.#declare(decl, withCotangent)),
      ...(data.has(sumDecl.name) ? [this.#dataType(sumDecl, "value")] : []),
      ...aliases.filter(isFirstOrder).map((alias) => this.#aliasType(alias)),
    ];
  }

  #declare(decl: DataDecl, withCotangent: ReadonlySet<string>): readonly TsDeclaration[] {
    const value = this.#dataType(decl, "value");
    if (!this.#distinct.has(decl.name) || !withCotangent.has(decl.name)) return [value];
    return [value, this.#dataType(decl, "cotangent")];
  }

  #dataType(decl: DataDecl, which: "value" | "cotangent"): TsDeclaration {
    const typeVars = this.typeParams(decl.params);
    const members = decl.constructors.map(({ name, fields }): TsType => {
      const tag: TsField = { name: "tag", type: { kind: "literal", value: name } };
      const field = (type: Type, index: number): TsField => ({ name: `_${index}`, type: this[which](type, typeVars) });
      return { kind: "object", fields: [tag, ...fields.map(field)] };
    });
    const [only, ...others] = members;
    const name = this.nameOf(decl.name);
    return {
      kind: "type",
      doc: which === "value" ? decl.doc : `A cotangent of \`${name}\`: the cotangent of an integer is 0.`,
      exported: true,
      name: which === "value" ? name : this.cotangentName(decl.name),
      typeParams: [...typeVars.values()],
      type: only !== undefined && others.length === 0 ? only : { kind: "union", members },
    };
  }

  #aliasType(alias: Alias): TsDeclaration {
    const typeVars = this.typeParams(alias.params);
    return {
      kind: "type",
      doc: alias.doc,
      exported: true,
      name: this.nameOf(alias.name),
      typeParams: [...typeVars.values()],
      type: this.value(alias.type, typeVars),
    };
  }

  /** `a` becomes `A`; names of types are left free. */
  typeParams(params: readonly string[]): ReadonlyMap<string, string> {
    const scope = Scope.types(this.taken());
    return new Map(params.map((param) => [param, scope.fresh(capitalised(param))]));
  }

  /** The data types in types, and those in their declarations. */
  #mentioned(types: readonly Type[]): ReadonlySet<string> {
    const found = new Set<string>();
    const pending = [...types];
    for (let type = pending.pop(); type !== undefined; type = pending.pop()) {
      pending.push(...typeParts(type));
      if (type.kind !== "data" || found.has(type.name)) continue;
      found.add(type.name);
      for (const { fields } of this.#data.decl(type.name).constructors) pending.push(...fields);
    }
    return found;
  }
}

/** Whether a function type stands in a type, apart from the declarations of its data types. */
export function hasFunction(type: Type): boolean {
  return type.kind === "fn" || typeParts(type).some(hasFunction);
}

function distinctCotangents(decls: readonly DataDecl[]): ReadonlySet<string> {
  const distinct = new Set<string>();
  const isDistinct = (type: Type): boolean =>
    type.kind === "int" || (type.kind === "data" && distinct.has(type.name)) || typeParts(type).some(isDistinct);
  for (let before = -1; before < distinct.size;) {
    before = distinct.size;
    for (const { name, constructors } of decls) {
      if (constructors.some(({ fields }) => fields.some(isDistinct))) distinct.add(name);
    }
  }
  return distinct;
}
