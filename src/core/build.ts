// Builders for source terms and types.

import type { OpName, Scalar } from "./primitives.js";
import type { Branch, Fn, Param, Site, Term } from "./term.js";
import { bool, int, real } from "./type.js";
import type { Type } from "./type.js";

// Types

export { bool, int, real, unit } from "./type.js";
export const typeVar = (name: string): Type => ({ kind: "typeVar", name });
export const tupleType = (...items: readonly Type[]): Type => ({ kind: "tuple", items });
export const arrayType = (element: Type): Type => ({ kind: "array", element });
export const fnType = (from: Type, to: Type): Type => ({ kind: "fn", from, to });
export const dataType = (name: string, ...args: readonly Type[]): Type => ({ kind: "data", name, args });

// Terms

export const variable = (name: string): Term => ({ kind: "var", name });
export const realLit = (value: number): Term => ({ kind: "real", value });
export const intLit = (value: number): Term => ({ kind: "int", value });
export const boolLit = (value: boolean): Term => ({ kind: "bool", value });
export const tuple = (...items: readonly Term[]): Term => ({ kind: "tuple", items });
export const proj = (index: number, of: Term): Term => ({ kind: "proj", index, tuple: of });
export const lam = (param: string, type: Type, body: Term): Term => ({ kind: "lam", param, type, body });
export const app = (fn: Term, arg: Term): Term => ({ kind: "app", fn, arg });
export const call = (fn: string, args: readonly Term[]): Term => ({ kind: "call", fn, args });
export const letIn = (name: string, type: Type, bound: Term, body: Term): Term => ({ kind: "let", name, type, bound, body }); // prettier-ignore
export const letRec = (functions: readonly Fn[], body: Term): Term => ({ kind: "letRec", functions, body });
export const op = (name: OpName, args: readonly Term[], site: Site | null): Term => ({ kind: "op", op: name, args, site }); // prettier-ignore
export const con = (name: string, type: Type, args: readonly Term[]): Term => ({ kind: "con", name, type, args });
export const array = (element: Type, items: readonly Term[]): Term => ({ kind: "array", element, items });
/** `build`, whose elements may be tasks. */
export type BuildTerm = Term & { readonly kind: "build" };

export const build = (size: Term, index: string, element: Type, body: Term, site: Site | null): BuildTerm => ({ kind: "build", size, index, element, body, site }); // prettier-ignore
/** `scan`, which carries a value along. */
export type ScanTerm = Term & { readonly kind: "scan" };

export const scan = (parts: Omit<ScanTerm, "kind">): ScanTerm => ({ kind: "scan", ...parts });
/** Its type: that of what it carries on, and the array. */
export const scanType = ({ type, element }: ScanTerm) => ({ kind: "tuple", items: [type, arrayType(element)] }) as const; // prettier-ignore
export const indexOf = (of: Term, index: Term, site: Site | null): Term => ({ kind: "index", array: of, index, site });
export const length = (of: Term): Term => ({ kind: "length", array: of });
export const caseOf = (scrutinee: Term, data: string, branches: readonly Branch[]): Term => ({ kind: "case", scrutinee, data, branches }); // prettier-ignore
export const ifThenElse = (cond: Term, then: Term, otherwise: Term): Term => ({ kind: "if", cond, then, else: otherwise }); // prettier-ignore
export const parallel = (...items: readonly Term[]): Term => ({ kind: "parallel", items });
export const param = (name: string, type: Type): Param => ({ name, type });
export const fn = (name: string, params: readonly Param[], result: Type, body: Term): Fn => ({ name, params, result, body }); // prettier-ignore

/** A variable or a literal: may be written twice. */
export function isAtom(term: Term): boolean {
  switch (term.kind) {
    case "var":
    case "real":
    case "int":
    case "bool":
      return true;
    case "tuple":
      return term.items.length === 0;
    case "con":
      return term.args.length === 0;
    default:
      return false;
  }
}

/** An atom or a function: evaluates to itself, so that it may be moved or left out. */
export function isValue(term: Term): boolean {
  return term.kind === "lam" || isAtom(term);
}

/** Puts what `wraps` add around a body, the first outermost. */
export function wrapAll(wraps: readonly ((body: Term) => Term)[], body: Term): Term {
  return wraps.reduceRight((inner, wrap) => wrap(inner), body);
}

/** The parameter types of a curried function type, at most `count` of them, and what remains. */
export function uncurry(type: Type, count: number): { readonly params: readonly Type[]; readonly result: Type } {
  const params: Type[] = [];
  let result = type;
  while (params.length < count && result.kind === "fn") {
    params.push(result.from);
    result = result.to;
  }
  return { params, result };
}

/** The type of a primitive's parameter or result. */
export function scalarType(scalar: Scalar): ScalarType {
  return scalarTypes[scalar];
}

type ScalarType = typeof real | typeof int | typeof bool;

const scalarTypes: { readonly [S in Scalar]: ScalarType } = { R: real, Z: int, B: bool };
