// What is done with types as trees: parts, substitution, equality, size.

import { Declarations } from "./declarations.js";
import type { DataDecl, Type } from "./type.js";

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
  if (at.size === 0) return type;
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

/** Data declarations over the source's types. */
export class DataTypes extends Declarations<Type> {
  constructor(decls: readonly DataDecl[]) {
    super(decls, substitute);
  }
}
