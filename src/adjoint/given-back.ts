// Parameters, arrays of reals or of such arrays, whose cotangents only reverse sweeps have: the forward sweep of a procedure is given the array alone, the reverse
// sweep is given the store by that of the caller, which may have made it just before.
//
//   f!(m)              reads m, calls f! with what it has made of m
//   f reverse(m_, ..)  m1_ = zeros like m1; f reverse(m1_, ..); m_[..] += m1_[..]
//
// Nothing of the store is saved, and it is garbage as soon as the call is done. That is so where a procedure only reads elements of the array, and gives it to
// procedures of which the same is true.

import type { Program, Var } from "../flat/program.js";
import type { SameLengths } from "../flat/same-lengths.js";
import { CarriedBack, isOfArrays } from "./carried-back.js";

interface Asked {
  /** Whether a procedure has sweeps of its own text, which are called by name. */
  readonly isSwept: (procedure: string) => boolean;
  readonly hasStore: (variable: Var) => boolean;
  readonly lengths: SameLengths;
}

/** Whether a procedure's parameter at an index is one of them. */
export type IsGivenBack = (procedure: string, index: number) => boolean;

export function givenBackIn({ procedures }: Program, { isSwept, hasStore, lengths }: Asked): IsGivenBack {
  const swept = procedures.filter(({ kind, name }) => kind === "function" && isSwept(name));
  const given = new Map(swept.map(({ name, params }) => [name, params.map((param) => isOfArrays(param) && hasStore(param))])); // prettier-ignore
  const isGivenBack: IsGivenBack = (procedure, index) => given.get(procedure)?.[index] === true;
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (const procedure of swept) {
      const places = given.get(procedure.name) ?? [];
      if (!places.includes(true)) continue;
      const { held } = new CarriedBack(procedure, { hasStore, lengths, isGivenBack });
      const left = procedure.params.map(({ name }, index) => places[index] === true && !held.has(name));
      if (left.some((is, index) => is !== places[index])) isSettled = false;
      given.set(procedure.name, left);
    }
  }
  return isGivenBack;
}
