// Loop-invariant code motion, of lengths.
//
// The length of an array that a loop carries, where it is the same in every iteration, is the length of the first one, and known in front of the loop. Other
// arrays of that size are of one size then, whose memory iterations can share.
//
//   for i < n (p = a).. { m = length p; [q] = for j < m ..; q }     =>     m = length a; for i < n (p = a).. { [q] = for j < m ..; q }

import { FlatNames } from "./naming.js";
import type { Program, Stmt } from "./program.js";
import { refine } from "./refine.js";
import { sameLengths } from "./same-lengths.js";
import { allNames, allStmts } from "./traverse.js";

/** The program, with the same meaning. `names` are those of the program. */
export function measureInFront(program: Program, names = new FlatNames(allNames(program))): Program {
  const carriesArray = (stmt: Stmt): boolean =>
    (stmt.kind === "loop" || stmt.kind === "for") && stmt.params.some(({ rep }) => rep.kind === "array");
  const lengths = sameLengths(program);
  const procedures = program.procedures.map((procedure) => {
    const isLooked = allStmts(procedure.body).some(carriesArray);
    return isLooked ? refine(procedure, names, lengths) : procedure;
  });
  return { ...program, procedures };
}
