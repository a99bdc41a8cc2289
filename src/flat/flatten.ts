// From core programs to flat programs: values are split into leaves, local functions and lambdas become procedures or loops.
//
//   flatten          definitions                         naming     what variables are called
//   terms            terms as statements and blocks      frames     variables in scope
//   local-functions  what becomes of known functions     captures   what local functions take from around them
//
// The passes that follow are in passes.ts.

import type * as Core from "../core/term.js";
import { allNames } from "../core/traverse.js";
import { Leaves } from "./leaves.js";
import { FlatNames, temporaryBeside } from "./naming.js";
import type { Procedure, Program } from "./program.js";
import { flattenDefinition, type Setting } from "./terms.js";

/** The flat program of a core program; every definition is a procedure of the same name. */
export function flatten(program: Core.Program, names = namesFor(program)): Program {
  const procedures: Procedure[] = [];
  const setting: Setting = {
    leaves: new Leaves(program.data),
    names,
    definitions: new Map(program.definitions.map((fn) => [fn.name, fn])),
    externs: program.externs,
    given: program.given,
    add: (procedure) => procedures.push(procedure),
  };
  for (const fn of program.definitions) flattenDefinition(fn, setting);
  const entries = program.entries.map((entry) => ({ entry, procedure: entry.name }));
  return { data: program.data, procedures, entries };
}

/** Names for the flat program of a core program. */
export function namesFor(program: Core.Program): FlatNames {
  const { definitions, externs } = program;
  return new FlatNames([...definitions.map(({ name }) => name), ...externs.keys()], {
    temporary: temporaryBeside(allNames(program)),
  });
}
