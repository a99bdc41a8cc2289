// How functions are called: which of them take the depth of the stack as a last parameter, and which have a second version for when the
// JavaScript stack is used up.

import type { Fn, Term } from "../../target-calculus/term.js";
import type { Type } from "../../target-calculus/type.js";

export type FunctionType = Type & { readonly kind: "fn" | "linear" };
export type Lambda = Term & { readonly kind: "lam" | "linLam" };

export interface Convention {
  /** Whether function values may be those of other modules, or be called there. */
  readonly isOpen: boolean;
  /** Whether a known function takes the depth. */
  takesDepth(fn: Fn): boolean;
  /** Whether unknown functions of a type are given the depth. */
  typeTakesDepth(type: FunctionType): boolean;
  /** The cycle that a lambda takes part in. */
  lambdaCycleOf(lambda: Lambda): number | null;
  /** Whether a lambda makes use of the depth that it is given. */
  lambdaTakesDepth(lambda: Lambda): boolean;
  /** The cycle of calls that a known function takes part in, as a number; null where it takes part in none. */
  cycleOf(fn: Fn): number | null;
  /** The cycle that calls of unknown functions of a type take part in. */
  typeCycleOf(type: FunctionType): number | null;
}

/** The convention of stages that stop at the JavaScript stack. */
export const plainConvention: Convention = {
  isOpen: false,
  takesDepth: () => false,
  typeTakesDepth: () => false,
  lambdaTakesDepth: () => false,
  lambdaCycleOf: () => null,
  cycleOf: () => null,
  typeCycleOf: () => null,
};
