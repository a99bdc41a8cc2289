// Builders for target terms and types, so that the rules of the stages read like their figures.

import type { OpName } from "../core/primitives.js";
import type { Site } from "../core/term.js";
import type { Branch, Fn, Param, Term } from "./term.js";
import type { Type } from "./type.js";

// Types

export const real: Type = { kind: "real" };
export const int: Type = { kind: "int" };
export const bool: Type = { kind: "bool" };
export const unitType: Type = { kind: "tuple", items: [] };
export const tupleType = (...items: readonly Type[]): Type => ({ kind: "tuple", items });
export const arrayType = (element: Type): Type => ({ kind: "array", element });
export const fnType = (from: Type, to: Type): Type => ({ kind: "fn", from, to });
export const linear = (from: Type, to: Type): Type => ({ kind: "linear", from, to });
export const computation = (result: Type): Type => ({ kind: "computation", result });
/** `from -> M to`. */
export const effectful = (from: Type, to: Type): Type => fnType(from, computation(to));
export const opaque = (name: string): Type => ({ kind: "opaque", name });

/** `0 | type`; at R, Z and unit, whose own zero serves, the type itself. */
export function sparse(type: Type): Type {
  switch (type.kind) {
    case "real":
    case "int":
    case "sparse":
      return type;
    default:
      return { kind: "sparse", of: type };
  }
}

// Terms

export const variable = (name: string): Term => ({ kind: "var", name });
export const realLit = (value: number): Term => ({ kind: "real", value });
export const tuple = (...items: readonly Term[]): Term => ({ kind: "tuple", items });
export const proj = (index: number, of: Term): Term => ({ kind: "proj", index, tuple: of });
export const lam = (param: string, type: Type, body: Term): Term => ({ kind: "lam", param, type, body });
export const linLam = (param: string, type: Type, body: Term): Term => ({ kind: "linLam", param, type, body });
export const app = (fn: Term, arg: Term): Term => ({ kind: "app", fn, arg });
export const call = (fn: string, ...args: readonly Term[]): Term => ({ kind: "call", fn, args });
export const letIn = (name: string, type: Type, bound: Term, body: Term): Term => ({ kind: "let", name, type, bound, body }); // prettier-ignore
export const letTuple = (vars: readonly Param[], bound: Term, body: Term): Term => ({ kind: "letTuple", names: vars.map((v) => v.name), types: vars.map((v) => v.type), bound, body }); // prettier-ignore
export const op = (name: OpName, args: readonly Term[], site: Site | null): Term => ({ kind: "op", op: name, args, site }); // prettier-ignore
export const ifElse = (cond: Term, then: Term, otherwise: Term): Term => ({ kind: "if", cond, then, else: otherwise });
export const con = (name: string, type: Type, args: readonly Term[]): Term => ({ kind: "con", name, type, args });
/** Elements that stages make and read themselves: the sizes and indices are those of arrays that are there. */
export const build = (size: Term, index: string, element: Type, body: Term): Term => ({ kind: "build", size, index, element, body, site: null }); // prettier-ignore
export const indexOf = (array: Term, index: Term): Term => ({ kind: "index", array, index, site: null });
export const length = (array: Term): Term => ({ kind: "length", array });
export const sumOver = (type: Type, size: Term, index: string, body: Term): Term => ({ kind: "sum", type, size, index, body }); // prettier-ignore
export const caseOf = (scrutinee: Term, data: string, branches: readonly Branch[]): Term => ({ kind: "case", scrutinee, data, branches }); // prettier-ignore
export const ext = (name: string, ...args: readonly Term[]): Term => ({ kind: "ext", name, args });
export const zero = (type: Type): Term => ({ kind: "zero", type });
export const plus = (type: Type, left: Term, right: Term): Term => ({ kind: "plus", type, left, right });
export const impossible = (type: Type): Term => ({ kind: "impossible", type });
export const ret = (value: Term): Term => ({ kind: "return", value });
export const bind = (name: string, type: Type, bound: Term, body: Term): Term => ({ kind: "bind", name, type, bound, body }); // prettier-ignore
export const param = (name: string, type: Type): Param => ({ name, type });
export const fn = (name: string, params: readonly Param[], result: Type, body: Term): Fn => ({ name, params, result, body }); // prettier-ignore

/** The sum of terms at `type`; zero where there are none. */
export function sum(type: Type, terms: readonly Term[]): Term {
  const [first, ...rest] = terms;
  return first === undefined ? zero(type) : rest.reduce((left, right) => plus(type, left, right), first);
}

/** Whether a term can be repeated at no cost: a variable or a literal. */
export function isAtom(term: Term): boolean {
  return term.kind === "var" || term.kind === "real" || term.kind === "int" || term.kind === "bool";
}

/** The name of a variable, for hints; `otherwise` for any other term. */
export function nameOf(term: Term, otherwise: string): string {
  return term.kind === "var" ? term.name : otherwise;
}
