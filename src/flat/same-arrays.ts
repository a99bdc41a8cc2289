// Copy propagation through loops.
//
// Arrays that a loop makes as copies of one that is as long are that one. What every iteration then hands on as it is `refine` takes out.
//
//   r, s = for i < n (y = a, m = b) { [q] = for k < l { .. m ! k ..; }; [c] = for k < l { e = m ! k; yield e }; yield q, c }
//     =>   r, s = for i < n (y = a, m = b) { [q] = for k < l { .. m ! k ..; }; yield q, m }                        where l = length m
//     =>   r = for i < n (y = a) { [q] = for k < l { .. b ! k ..; }; yield q }                                     and s is b
//
// A record with new values in some of its fields leaves such copies of the others.

import { withoutCopies } from "./array-copies.js";
import type { Atom, Program } from "./program.js";
import { sameLengths } from "./same-lengths.js";

/** The program, with the same meaning. */
export function sameArrays(program: Program): Program {
  const lengths = sameLengths(program);
  const hasSize = (array: Atom, size: Atom): boolean => lengths.textOf(array) === lengths.textOf(size);
  return { ...program, procedures: program.procedures.map((procedure) => withoutCopies(procedure, hasSize)) };
}
