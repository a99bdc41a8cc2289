// What is done with types as trees: parts, substitution, equality, size.

import { sumDecl } from "./type.js";
import type { ConstructorF, DataDecl, Type } from "./type.js";
import { InternalError } from "../internal-error.js";

/** The immediate parts of a type. */
export function typeParts(type: Type): readonly Type[] {
  switch (type.kind) {
    case "real":
    case "int":
    case "bool":
    case "typeVar":
      return [];
    case "tuple":
      return type.items;
    case "array":
      return [type.element];
    case "fn":
      return [type.from, type.to];
    case "data":
      return type.args;
  }
}

/** Applies `f` to the immediate parts of a type; the type itself where nothing changes. */
export function mapTypeParts(type: Type, f: (part: Type) => Type): Type {
  const mapAll = (parts: readonly Type[]): readonly Type[] => {
    const mapped = parts.map(f);
    return mapped.every((part, index) => part === parts[index]) ? parts : mapped;
  };
  switch (type.kind) {
    case "real":
    case "int":
    case "bool":
    case "typeVar":
      return type;
    case "tuple": {
      const items = mapAll(type.items);
      return items === type.items ? type : { kind: "tuple", items };
    }
    case "array": {
      const element = f(type.element);
      return element === type.element ? type : { kind: "array", element };
    }
    case "data": {
      const args = mapAll(type.args);
      return args === type.args ? type : { kind: "data", name: type.name, args };
    }
    case "fn": {
      const from = f(type.from);
      const to = f(type.to);
      return from === type.from && to === type.to ? type : { kind: "fn", from, to };
    }
  }
}

/** Replaces type variables; those without a replacement stay. */
export function substitute(type: Type, at: ReadonlyMap<string, Type>): Type {
  if (type.kind === "typeVar") return at.get(type.name) ?? type;
  return mapTypeParts(type, (part) => substitute(part, at));
}

/** Structural equality. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  const named = a.kind === "typeVar" || a.kind === "data" ? a.name : "";
  if (a.kind !== b.kind || ("name" in b && b.name !== named)) return false;
  const parts = typeParts(b);
  const own = typeParts(a);
  return (
    own.length === parts.length &&
    own.every((part, index) => {
      const other = parts[index];
      return other !== undefined && sameType(part, other);
    })
  );
}

/** Data declarations by name, the built-in sum included. */
export class DataTypes {
  readonly #decls: ReadonlyMap<string, DataDecl>;

  constructor(decls: readonly DataDecl[]) {
    this.#decls = new Map([sumDecl, ...decls].map((decl) => [decl.name, decl]));
  }

  decl(name: string): DataDecl {
    const decl = this.#decls.get(name);
    if (decl === undefined) throw new InternalError("data", `there is no data type ${name}`);
    return decl;
  }

  /** The constructors of a data type applied to its arguments, with the fields' types at those arguments. */
  constructorsOf(type: Type & { readonly kind: "data" }): readonly ConstructorF<Type>[] {
    const decl = this.decl(type.name);
    if (decl.params.length !== type.args.length)
      throw new InternalError("data", `${type.name} has ${decl.params.length} parameters, not ${type.args.length}`);
    if (type.args.length === 0) return decl.constructors;
    const at = new Map(type.args.map((arg, index) => [decl.params[index] ?? "", arg]));
    return decl.constructors.map(({ name, fields, fieldNames }) => ({
      name,
      fields: fields.map((field) => substitute(field, at)),
      fieldNames,
    }));
  }
}
