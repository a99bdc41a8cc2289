// Builders for flat programs, and what is read off them at once.

import { InternalError } from "../internal-error.js";
import { inPlaceOf } from "../location.js";
import { bool, int, real, type Atom, type Block, type Operation, type Rep, type Stmt, type Var } from "./program.js";

export const atomOf = (variable: Var): Atom => ({ kind: "var", variable });
export const intAtom = (value: number): Atom => ({ kind: "int", value });
/** From where its operation is. */
export const letOf = (result: Var, op: Operation): Stmt & { readonly kind: "let" } => inPlaceOf<Stmt & { readonly kind: "let" }>({ kind: "let", result, op }, op); // prettier-ignore
export const yieldOf = (stmts: readonly Stmt[], values: readonly Atom[]): Block => ({ stmts, end: { kind: "yield", values } }); // prettier-ignore

export function repOf(atom: Atom): Rep {
  switch (atom.kind) {
    case "var":
      return atom.variable.rep;
    case "real":
      return real;
    case "int":
      return int;
    case "bool":
      return bool;
  }
}

/** The literals among atoms; null for the others. */
export function literalsOf(atoms: readonly Atom[]): readonly (number | null)[] {
  return atoms.map((atom) => (atom.kind === "real" || atom.kind === "int" ? atom.value : null));
}

/** The atom of a value that is one leaf. */
export function single(atoms: readonly Atom[]): Atom {
  const [atom] = atoms;
  if (atom === undefined || atoms.length !== 1)
    throw new InternalError("flat", `${atoms.length} leaves instead of one`);
  return atom;
}

/** Whether a value is one number, or a truth value. */
export function isScalar({ kind }: Rep): boolean {
  return kind === "real" || kind === "int" || kind === "bool";
}

/** Whether an atom is a variable. */
export function isVariable(atom: Atom | undefined, { name }: Var): boolean {
  return atom?.kind === "var" && atom.variable.name === name;
}

/** Whether two atoms are the same variable or literal. */
export function sameAtom(a: Atom, b: Atom): boolean {
  if (a.kind === "var") return b.kind === "var" && a.variable.name === b.variable.name;
  return b.kind === a.kind && Object.is(a.value, b.value);
}

/** What an array of such elements is; an array of stores is the store of an array. */
export function arrayOf(element: Rep): Rep {
  return element.kind === "store" ? { kind: "store", of: arrayOf(element.of) } : { kind: "array", element };
}
