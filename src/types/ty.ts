// Types while they are being inferred: as in the core, with variables that unification fills in.

import type { Span } from "../syntax/source.js";
import type { Ident } from "../syntax/tree.js";

/** What a variable may stand for: any type; R, Z or Bool (`==`); R or Z. Each is a part of the one before. */
export type Constraint = "any" | "equality" | "numeric";

export type Ty =
  | { readonly kind: "real" }
  | { readonly kind: "int" }
  | { readonly kind: "bool" }
  | { readonly kind: "tuple"; readonly items: readonly Ty[] }
  | { readonly kind: "fn"; readonly from: Ty; readonly to: Ty }
  | { readonly kind: "data"; readonly data: DataInfo; readonly args: readonly Ty[] }
  | { readonly kind: "array"; readonly element: Ty }
  | Variable
  /** The type of what is wrong already: agrees with everything, so that one mistake is told once. */
  | { readonly kind: "hole" };

export interface Variable {
  readonly kind: "variable";
  /** What it stands for, once that is known. */
  link: Ty | null;
  /** How deep the binding stands that may generalise it. */
  level: number;
  constraint: Constraint;
  /** An annotated variable, which stands for itself alone; null for one to be inferred. */
  readonly rigid: Rigid | null;
}

/** The name in the annotation, and that in each definition that it belongs to: those of one recursive group may come to share one. */
export interface Rigid {
  readonly name: string;
  readonly owners: Map<Ident, string>;
}

/** The annotated type variables of one definition or local function. */
export interface TypeVariables {
  readonly owner: Ident;
  readonly level: number;
  readonly variables: Map<string, Variable>;
}

/** What the definitions call a variable that was annotated in one of them, or in another one. */
export function rigidName({ name, owners }: Rigid, definitions: Iterable<Ident>): string {
  for (const definition of definitions) {
    const own = owners.get(definition);
    if (own !== undefined) return own;
  }
  return name;
}

/** A data type: its parameters are variables that occur in the constructors' fields. */
export interface DataInfo {
  /** As the source writes it. */
  readonly name: string;
  /** In the typed tree: differs from `name` where the file's own declaration shadows this one. */
  readonly unique: string;
  readonly params: readonly { readonly name: string; readonly variable: Variable }[];
  /** Filled once every type of the file is known by name. */
  constructors: readonly ConstructorInfo[];
  readonly doc: string;
  readonly own: boolean;
}

export interface ConstructorInfo {
  readonly name: string;
  readonly data: DataInfo;
  readonly fields: readonly Ty[];
  /** Null where the fields have no names. */
  readonly fieldNames: readonly FieldName[] | null;
  /** Null for `inl` and `inr`. */
  readonly span: Span | null;
}

export interface FieldName {
  readonly name: string;
  readonly span: Span;
}

export const realTy: Ty = { kind: "real" };
export const intTy: Ty = { kind: "int" };
export const boolTy: Ty = { kind: "bool" };
export const holeTy: Ty = { kind: "hole" };

export function fnTy(from: Ty, to: Ty): Ty {
  return { kind: "fn", from, to };
}

export function arrayTy(element: Ty): Ty {
  return { kind: "array", element };
}

/** `from1 -> .. -> fromN -> to`. */
export function fnTys(from: readonly Ty[], to: Ty): Ty {
  return from.reduceRight((result, param) => fnTy(param, result), to);
}

export function variableTy(level: number, constraint: Constraint, rigid: Rigid | null = null): Variable {
  return { kind: "variable", link: null, level, constraint, rigid };
}

/** The type itself, behind any variables that stand for it; shortens the way there. */
export function prune(type: Ty): Ty {
  if (type.kind !== "variable" || type.link === null) return type;
  let end: Ty = type.link;
  while (end.kind === "variable" && end.link !== null) end = end.link;
  let step: Ty = type;
  while (step.kind === "variable" && step.link !== null && step !== end) {
    const next: Ty = step.link;
    step.link = end;
    step = next;
  }
  return end;
}

const sumLeft = variableTy(0, "any", { name: "a", owners: new Map() });
const sumRight = variableTy(0, "any", { name: "b", owners: new Map() });

function sumData(): DataInfo {
  const data: DataInfo = {
    name: "+",
    unique: "+",
    params: [
      { name: "a", variable: sumLeft },
      { name: "b", variable: sumRight },
    ],
    constructors: [],
    doc: "",
    own: false,
  };
  data.constructors = [
    { name: "inl", data, fields: [sumLeft], fieldNames: null, span: null },
    { name: "inr", data, fields: [sumRight], fieldNames: null, span: null },
  ];
  return data;
}

/** The built-in sum `a + b`. */
export const sumInfo: DataInfo = sumData();
