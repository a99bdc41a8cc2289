// From core programs to flat programs: values are split into leaves, local functions and lambdas become procedures or loops.
//
//   flatten          definitions                         naming     what variables are called
//   terms            terms as statements and blocks      frames     variables in scope
//   local-functions  what becomes of known functions     captures   what local functions take from around them
//   refine           loops that count, checks            counted    how a loop counts
//   ranges, linear   what is known of integers           dead-code  what nothing uses
//
// `withoutHalving`, `withSearches` and `linearRecursion` (linear-recursion, levels, mutual-recursion) may follow, then `listVersions` and `listArrays`
// (list-visits, -classes, -sets, -loops, -callees, -types, -conversions, joint-exits), `inlineProcedures`, `listColumns` and `fuseLoops`.

import type * as Core from "../core/term.js";
import { withoutCopies } from "./array-copies.js";
import { withoutDeadCode } from "./dead-code.js";
import { Leaves } from "./leaves.js";
import { FlatNames } from "./naming.js";
import type { Procedure, Program } from "./program.js";
import { refine } from "./refine.js";
import { flattenDefinition, type Setting } from "./terms.js";

export interface FlatPass {
  readonly name: string;
  /** One line: what the pass does. */
  readonly title: string;
  run(program: Program, names: FlatNames): Program;
}

/** The passes that follow, in their order. */
export const flatPasses = [
  { name: "refine", title: "Loops that count, and no checks that always hold", run: eachProcedure(refine) },
  {
    name: "dead-code",
    title: "What nothing uses removed, and arrays that are as others",
    run: eachProcedure((procedure) => withoutCopies(withoutDeadCode(procedure))),
  },
] as const satisfies readonly FlatPass[];

/** Told what the program is after "flatten" itself and after each pass. */
export type FlatListener = (pass: "flatten" | (typeof flatPasses)[number]["name"], program: Program) => void;

/** The flat program of a core program, `without` some of the passes that follow; every definition is a procedure of the same name. */
export function flatten(
  program: Core.Program,
  onPass: FlatListener = () => undefined,
  without: ReadonlySet<string> = new Set(),
  names = new FlatNames(program.definitions.map(({ name }) => name)),
): Program {
  const procedures: Procedure[] = [];
  const setting: Setting = {
    leaves: new Leaves(program.data),
    names,
    definitions: new Map(program.definitions.map((fn) => [fn.name, fn])),
    given: program.given,
    add: (procedure) => procedures.push(procedure),
  };
  for (const fn of program.definitions) flattenDefinition(fn, setting);
  const entries = program.entries.map((entry) => ({ entry, procedure: entry.name }));
  let flat: Program = { data: program.data, procedures, entries };
  onPass("flatten", flat);
  for (const { name, run } of flatPasses) {
    if (without.has(name)) continue;
    flat = run(flat, setting.names);
    onPass(name, flat);
  }
  return flat;
}

function eachProcedure(run: (procedure: Procedure, names: FlatNames) => Procedure): FlatPass["run"] {
  return (program, names) => ({ ...program, procedures: program.procedures.map((each) => run(each, names)) });
}
