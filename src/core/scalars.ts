// What a fused definition may take: values of a fixed number of reals, each in a place of its own, and values without reals.

import type { DataTypes } from "./type-parts.js";
import { typeParts } from "./type-parts.js";
import type { Type } from "./type.js";

/** Where the reals of a type are. */
export type Scalars =
  | { readonly kind: "real" }
  /** No real is in it. */
  | { readonly kind: "discrete"; readonly type: Type }
  | { readonly kind: "tuple"; readonly types: readonly Type[]; readonly parts: readonly Scalars[] }
  /** The only constructor of its type, with what its fields hold. */
  | {
      readonly kind: "record";
      readonly type: Type & { readonly kind: "data" };
      readonly con: string;
      readonly parts: readonly Scalars[];
    };

/** The scalars of a type; null where their number is not fixed, and where there are functions in it. */
export function scalarsOf(type: Type, data: DataTypes, above: ReadonlySet<string> = new Set()): Scalars | null {
  if (type.kind === "real") return { kind: "real" };
  if (isDiscrete(type, data)) return { kind: "discrete", type };
  if (type.kind === "tuple") {
    const parts = allOf(type.items.map((item) => scalarsOf(item, data, above)));
    return parts === null ? null : { kind: "tuple", types: type.items, parts };
  }
  if (type.kind !== "data") return null;
  const key = JSON.stringify(type);
  const [only, ...others] = data.constructorsOf(type);
  if (only === undefined || others.length > 0 || above.has(key)) return null;
  const parts = allOf(only.fields.map((field) => scalarsOf(field, data, new Set([...above, key]))));
  return parts === null ? null : { kind: "record", type, con: only.name, parts };
}

/** How many reals there are. */
export function countOf(scalars: Scalars): number {
  switch (scalars.kind) {
    case "real":
      return 1;
    case "discrete":
      return 0;
    case "tuple":
    case "record":
      return scalars.parts.reduce((sum, part) => sum + countOf(part), 0);
  }
}

function isDiscrete(type: Type, data: DataTypes, above: ReadonlySet<string> = new Set()): boolean {
  if (type.kind === "real" || type.kind === "fn" || type.kind === "typeVar") return false;
  if (!typeParts(type).every((part) => isDiscrete(part, data, above))) return false;
  if (type.kind !== "data") return true;
  const key = JSON.stringify(type);
  if (above.has(key)) return true;
  const inside = new Set([...above, key]);
  return data.constructorsOf(type).every(({ fields }) => fields.every((field) => isDiscrete(field, data, inside)));
}

function allOf(parts: readonly (Scalars | null)[]): readonly Scalars[] | null {
  const all = parts.filter((part) => part !== null);
  return all.length === parts.length ? all : null;
}
