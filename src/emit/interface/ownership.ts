// Which results of a derived stage may share memory with something else. The stages rebuild what has a real in it, number by number; what
// has none they may pass on as it is. And what a copy, or a check, of a value of a type has to look at.

import { DataTypes, typeParts } from "../../core/type-parts.js";
import type { DataDecl, Type } from "../../core/type.js";

/** Whether part of a value of the type may be an object without a real in it. */
export function hasUnrealPart(type: Type, decls: readonly DataDecl[]): boolean {
  const data = new DataTypes(decls);
  return composites(type, data).some((part) => !composites(part, data, true).some((inner) => inner.kind === "real"));
}

/** The tuples and data types that a value of the type may contain, itself included; with `leaves`, scalars too. */
function composites(type: Type, data: DataTypes, leaves = false): readonly Type[] {
  const found = new Map<string, Type>();
  const pending = [type];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const key = JSON.stringify(next);
    if (found.has(key)) continue;
    found.set(key, next);
    if (next.kind === "data") pending.push(...data.constructorsOf(next).flatMap(({ fields }) => fields));
    else pending.push(...typeParts(next));
  }
  const isComposite = (part: Type): boolean =>
    part.kind === "data" || part.kind === "array" || (part.kind === "tuple" && part.items.length > 0);
  return [...found.values()].filter((part) => leaves || isComposite(part));
}

/** A type whose values are no objects. */
export function isScalar(type: Type): boolean {
  return (
    type.kind === "real" ||
    type.kind === "int" ||
    type.kind === "bool" ||
    (type.kind === "tuple" && type.items.length === 0)
  );
}

/** Whether cotangents of a type's values differ in more than numbers: by constructors, lengths, booleans, and the zeros of integers. */
export function hasSeveralForms(type: Type, decls: readonly DataDecl[]): boolean {
  return !isTreeOf(type, decls, ["real"]);
}

/** Whether values of a type are scalars of some kinds, tuples and records of them, and no larger than that makes sense to write out. */
export function isTreeOf(type: Type, decls: readonly DataDecl[], kinds: readonly Type["kind"][]): boolean {
  const data = new DataTypes(decls);
  let budget = 32;
  const isTree = (part: Type, above: readonly string[]): boolean => {
    budget -= 1;
    if (budget < 0) return false;
    if (kinds.includes(part.kind)) return true;
    if (part.kind === "tuple") return part.items.every((item) => isTree(item, above));
    if (part.kind !== "data" || above.includes(part.name)) return false;
    const constructors = data.constructorsOf(part);
    const [only] = constructors;
    return constructors.length === 1 && (only?.fields.every((field) => isTree(field, [...above, part.name])) ?? false);
  };
  return isTree(type, []);
}
