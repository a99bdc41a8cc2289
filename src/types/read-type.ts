// Types as written, read as types: names looked up, aliases expanded, numbers of arguments checked.

import type * as Tree from "../syntax/tree.js";
import type { TypeMistake } from "./mistakes.js";
import { suggest } from "./suggest.js";
import { type DataInfo, type Ty, type Variable, arrayTy, boolTy, fnTy, holeTy, intTy, realTy, sumInfo } from "./ty.js";
import type { Unifier } from "./unify.js";

/** A synonym; `type` is null while it is not read yet, or where it is wrong. */
export interface AliasInfo {
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly variable: Variable }[];
  type: Ty | null;
}

export interface TypeNames {
  readonly data: ReadonlyMap<string, DataInfo>;
  readonly aliases: ReadonlyMap<string, AliasInfo>;
  readonly constructors: ReadonlyMap<string, unknown>;
}

const builtinTypes: ReadonlyMap<string, Ty> = new Map([
  ["R", realTy],
  ["ℝ", realTy],
  ["Z", intTy],
  ["ℤ", intTy],
  ["Bool", boolTy],
]);

export function isBuiltinType(name: string): boolean {
  return builtinTypes.has(name);
}

/** Types written in the source nest no deeper. */
const maxDepth = 200;

export interface TypeReader {
  readonly names: TypeNames;
  readonly unifier: Unifier;
  readonly mistakes: TypeMistake[];
  /** What a type variable stands for; null, after saying so, where it stands for nothing. */
  readonly variable: (ident: Tree.Ident) => Ty | null;
}

/** The type that `expr` means; a hole for what is wrong with it, which is among the mistakes then. */
export function readType(expr: Tree.TypeExpr, reader: TypeReader): Ty {
  if (!isTooDeep(expr)) return read(expr, reader);
  reader.mistakes.push({ kind: "nestedTooDeep", what: "type", span: expr.span });
  return holeTy;
}

function isTooDeep(expr: Tree.TypeExpr): boolean {
  let level: readonly Tree.TypeExpr[] = [expr];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap(partsOf);
  }
  return false;
}

function partsOf(expr: Tree.TypeExpr): readonly Tree.TypeExpr[] {
  switch (expr.kind) {
    case "named":
      return expr.args;
    case "variable":
      return [];
    case "tuple":
      return expr.items;
    case "function":
      return [expr.from, expr.to];
    case "sum":
      return [expr.left, expr.right];
    case "array":
      return [expr.element];
  }
}

function read(expr: Tree.TypeExpr, reader: TypeReader): Ty {
  switch (expr.kind) {
    case "named":
      return readNamed(expr, reader);
    case "variable":
      return reader.variable(expr.name) ?? holeTy;
    case "tuple":
      return { kind: "tuple", items: expr.items.map((item) => read(item, reader)) };
    case "function":
      return fnTy(read(expr.from, reader), read(expr.to, reader));
    case "sum": {
      const args = [read(expr.left, reader), read(expr.right, reader)];
      return { kind: "data", data: sumInfo, args };
    }
    case "array":
      return arrayTy(read(expr.element, reader));
  }
}

function readNamed(expr: Extract<Tree.TypeExpr, { kind: "named" }>, reader: TypeReader): Ty {
  const { name, span } = expr.name;
  const before = reader.mistakes.length;
  const args = expr.args.map((arg) => read(arg, reader));
  // An argument that means nothing may not have been meant as one
  const params = arityOf(name, reader.names);
  if (params !== null && params !== args.length) {
    if (reader.mistakes.length === before)
      reader.mistakes.push({ kind: "typeArity", name, span, params, args: args.length });
    return holeTy;
  }
  const builtin = builtinTypes.get(name);
  if (builtin !== undefined) return builtin;
  const data = reader.names.data.get(name);
  if (data !== undefined) return { kind: "data", data, args };
  const alias = reader.names.aliases.get(name);
  if (alias !== undefined) {
    if (alias.type === null) return holeTy;
    const variables = alias.params.map((param) => param.variable);
    return reader.unifier.instantiate(variables, [alias.type], args)[0] ?? holeTy;
  }
  const candidates = ["R", "Z", "Bool", ...reader.names.data.keys(), ...reader.names.aliases.keys()];
  reader.mistakes.push({
    kind: "unbound",
    what: "type",
    name,
    span,
    suggestions: suggest(name, candidates),
    elsewhere: reader.names.constructors.has(name) ? "constructor" : null,
    isApplied: false,
    clue: null,
  });
  return holeTy;
}

/** How many arguments a type takes; null for one that is unknown, or wrong where it is declared. */
function arityOf(name: string, { data, aliases }: TypeNames): number | null {
  if (isBuiltinType(name)) return 0;
  const alias = aliases.get(name);
  return data.get(name)?.params.length ?? (alias?.type == null ? null : alias.params.length);
}

/** The names of types in `expr`. */
export function typeNamesIn(expr: Tree.TypeExpr): readonly Tree.Ident[] {
  const names: Tree.Ident[] = [];
  const todo: Tree.TypeExpr[] = [expr];
  for (let part = todo.pop(); part !== undefined; part = todo.pop()) {
    if (part.kind === "named") names.push(part.name);
    todo.push(...[...partsOf(part)].reverse());
  }
  return names;
}
