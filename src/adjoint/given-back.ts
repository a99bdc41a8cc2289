// Arrays of reals, or of such arrays, that procedures are given or give, and whose cotangents only reverse sweeps have. The forward sweep of a procedure takes and
// gives the array alone; the store is that of the caller's reverse sweep, which may have made it just before.
//
//   f!(m)              reads m, calls f! with what it has made of m        f!(m) = .. [y] = for ..; yield y
//   f reverse(m_, ..)  m1_ = zeros like m1; f reverse(m1_, ..); ..         f reverse(y_, ..) = .. reads y_ ..
//
// Nothing of the store is saved, and it is garbage as soon as the call is done. That is so of a parameter where a procedure only reads elements of the array, and
// gives it to procedures of which the same is true; of a result where the procedure has made the array, or one that it calls has.

import type { Procedure, Program, Var } from "../flat/program.js";
import type { SameLengths } from "../flat/same-lengths.js";
import { endsOf } from "../flat/traverse.js";
import { CarriedBack, isOfArrays, isOwn, type BackStores } from "./carried-back.js";

interface Asked {
  /** Whether a procedure has sweeps of its own text, which are called by name. */
  readonly isSwept: (procedure: string) => boolean;
  readonly hasStore: (variable: Var) => boolean;
  /** Which of a procedure's results have cotangents. */
  readonly activeResults: (procedure: string) => readonly boolean[];
  readonly lengths: SameLengths;
}

export function backStoresIn({ procedures }: Program, asked: Asked): BackStores {
  const { isSwept, hasStore, activeResults, lengths } = asked;
  const swept = procedures.filter(({ kind, name }) => kind === "function" && isSwept(name));
  const given = new Map(swept.map(({ name, params }) => [name, params.map((param) => isOfArrays(param) && hasStore(param))])); // prettier-ignore
  const taken = new Map(swept.map(({ name, results }) => [name, results.map((rep, index) => isOfArrays({ rep }) && activeResults(name)[index] === true)])); // prettier-ignore
  const back: BackStores = {
    isGivenBack: (procedure, index) => given.get(procedure)?.[index] === true,
    isTakenBack: (procedure, index) => taken.get(procedure)?.[index] === true,
  };
  /** What is left of the places of a procedure; whether that is all. */
  const keep = (all: Map<string, boolean[]>, { name }: Procedure, isLeft: (index: number) => boolean): boolean => {
    const places = all.get(name) ?? [];
    const left = places.map((is, index) => is && isLeft(index));
    all.set(name, left);
    return left.every((is, index) => is === places[index]);
  };
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    for (const procedure of swept) {
      if (![given, taken].some((all) => all.get(procedure.name)?.includes(true))) continue;
      const { held, own } = new CarriedBack(procedure, { hasStore, lengths, back });
      const isRead = (index: number): boolean => !held.has(procedure.params[index]?.name ?? "");
      const isMade = (index: number): boolean => [...endsOf(procedure.body)].every(({ values }) => isOwn(values[index], own, hasStore)); // prettier-ignore
      if ([keep(given, procedure, isRead), keep(taken, procedure, isMade)].includes(false)) isSettled = false;
    }
  }
  return back;
}
