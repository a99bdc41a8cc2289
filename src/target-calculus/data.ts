// Data types of the target calculus: fields at given arguments, and the dual copies of declarations that a stage's type rule changes.

import { Declarations } from "../core/declarations.js";
import type { DataDecl, Type } from "./type.js";

/** Data declarations over the target's types. */
export class DataTypes extends Declarations<Type> {
  constructor(decls: readonly DataDecl[]) {
    super(decls, substitute);
  }
}

/** Replaces type variables. */
export function substitute(type: Type, at: ReadonlyMap<string, Type>): Type {
  if (at.size === 0) return type;
  return type.kind === "typeVar" ? (at.get(type.name) ?? type) : mapType(type, (part) => substitute(part, at));
}

/** Applies `f` to the immediate parts of a type. */
export function mapType(type: Type, f: (part: Type) => Type): Type {
  switch (type.kind) {
    case "real":
    case "int":
    case "bool":
    case "typeVar":
    case "opaque":
      return type;
    case "tuple":
      return { kind: "tuple", items: type.items.map(f) };
    case "data":
      return { kind: "data", name: type.name, args: type.args.map(f) };
    case "array":
      return { kind: "array", element: f(type.element) };
    case "fn":
    case "linear":
      return { kind: type.kind, from: f(type.from), to: f(type.to) };
    case "computation":
      return { kind: "computation", result: f(type.result) };
    case "sparse":
      return { kind: "sparse", of: f(type.of) };
  }
}

/** Structural equality. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  const all = (xs: readonly Type[], ys: readonly Type[]): boolean =>
    xs.length === ys.length &&
    xs.every((x, index) => {
      const y = ys[index];
      return y !== undefined && sameType(x, y);
    });
  switch (a.kind) {
    case "real":
    case "int":
    case "bool":
      return a.kind === b.kind;
    case "typeVar":
    case "opaque":
      return b.kind === a.kind && a.name === b.name;
    case "tuple":
      return b.kind === "tuple" && all(a.items, b.items);
    case "data":
      return b.kind === "data" && a.name === b.name && all(a.args, b.args);
    case "array":
      return b.kind === "array" && sameType(a.element, b.element);
    case "fn":
    case "linear":
      return b.kind === a.kind && sameType(a.from, b.from) && sameType(a.to, b.to);
    case "computation":
      return b.kind === "computation" && sameType(a.result, b.result);
    case "sparse":
      return b.kind === "sparse" && sameType(a.of, b.of);
  }
}

/**
 * What the type variables of an operation's type stand for, found by laying it on an argument's; the first place of a variable decides. R and Z are
 * their own types of cotangents with formal zeros.
 */
export function matchType(pattern: Type, type: Type, at: Map<string, Type>): void {
  if (pattern.kind === "typeVar") {
    if (!at.has(pattern.name)) at.set(pattern.name, type);
  } else if (pattern.kind === "sparse") {
    matchType(pattern.of, type.kind === "sparse" ? type.of : type, at);
  } else if (pattern.kind === "array" && type.kind === "array") {
    matchType(pattern.element, type.element, at);
  } else if (pattern.kind === "computation" && type.kind === "computation") {
    matchType(pattern.result, type.result, at);
  } else if (pattern.kind === "fn" && type.kind === "fn") {
    matchType(pattern.from, type.from, at);
    matchType(pattern.to, type.to, at);
  }
}
