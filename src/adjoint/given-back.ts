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

/** By the names of procedures those of their parameters. */
export type GivenBack = ReadonlyMap<string, ReadonlySet<string>>;

interface Asked {
  /** Whether a procedure has sweeps of its own text, which are called by name. */
  readonly isSwept: (procedure: string) => boolean;
  readonly hasStore: (variable: Var) => boolean;
  readonly lengths: SameLengths;
}

export function givenBackIn({ procedures }: Program, { isSwept, hasStore, lengths }: Asked): GivenBack {
  const swept = procedures.filter(({ kind, name }) => kind === "function" && isSwept(name));
  const given = new Map(
    swept.map(({ name, params }) => {
      const arrays = params.filter((param) => isOfArrays(param) && hasStore(param));
      return [name, new Set(arrays.map((param) => param.name))];
    }),
  );
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (const procedure of swept) {
      const params = given.get(procedure.name);
      if (params === undefined || params.size === 0) continue;
      const { held } = new CarriedBack(procedure, { hasStore, lengths, isGivenBack: placesIn({ procedures }, given) });
      for (const name of params) {
        if (!held.has(name)) continue;
        params.delete(name);
        isSettled = false;
      }
    }
  }
  return given;
}

/** Whether a procedure's parameter at an index is one of them. */
export function placesIn(
  { procedures }: Pick<Program, "procedures">,
  given: GivenBack,
): (procedure: string, index: number) => boolean {
  const places = new Map(
    procedures.map(({ name, params }) => [name, params.map((param) => given.get(name)?.has(param.name) === true)]),
  );
  return (procedure, index) => places.get(procedure)?.[index] === true;
}
