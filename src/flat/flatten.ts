// From core programs to flat programs: values are split into leaves, local functions and lambdas become procedures or loops.
//
//   flatten          definitions                         naming     what variables are called
//   terms            terms as statements and blocks      frames     variables in scope
//   local-functions  what becomes of known functions     captures   what local functions take from around them
//   refine           loops that count, checks            counted    how a loop counts
//   ranges, linear   what is known of integers           dead-code  what nothing uses

import type * as Core from "../core/term.js";
import { withoutDeadCode } from "./dead-code.js";
import { Leaves } from "./leaves.js";
import { FlatNames } from "./naming.js";
import type { Procedure, Program } from "./program.js";
import { refine } from "./refine.js";
import { flattenDefinition, type Setting } from "./terms.js";

/** The flat program of a core program; every definition is a procedure of the same name. */
export function flatten(program: Core.Program): Program {
  const procedures: Procedure[] = [];
  const setting: Setting = {
    leaves: new Leaves(program.data),
    names: new FlatNames(program.definitions.map(({ name }) => name)),
    definitions: new Map(program.definitions.map((fn) => [fn.name, fn])),
    add: (procedure) => procedures.push(procedure),
  };
  for (const fn of program.definitions) flattenDefinition(fn, setting);
  return {
    data: program.data,
    procedures: procedures.map((procedure) => withoutDeadCode(refine(procedure, setting.names))),
    entries: program.entries.map((entry) => ({ entry, procedure: entry.name })),
  };
}
