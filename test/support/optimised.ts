// Core programs after passes of src/optimise, as text.

import { assertProgram } from "../../src/core/check.js";
import { printProgram } from "../../src/core/print.js";
import type { Program } from "../../src/core/term.js";
import { coreSchedule, optimise } from "../../src/optimise/passes.js";
import { withOwnNames } from "../../src/optimise/variable-names.js";
import { passesOf } from "../../src/pass.js";
import { coreOf } from "./core.js";

/** A model after the named passes, in their order, or after all of them, repeated, where none is named. */
export function optimisedText(text: string, ...passes: readonly string[]): string {
  const program = coreOf(text);
  return printProgram(passes.length === 0 ? optimised(program) : passes.reduce(run, program));
}

/** The optimised program, checked; `without` some passes. */
export function optimised(program: Program, without: ReadonlySet<string> = new Set()): Program {
  const result = optimise(program, (pass, before, run) => (before !== null && without.has(pass.name) ? before : run()));
  assertProgram(result);
  return result;
}

function run(program: Program, name: string): Program {
  const pass = passesOf(coreSchedule).find((each) => each.name === name);
  if (pass === undefined) throw new Error(`there is no pass ${name}`);
  const own = withOwnNames(program);
  const result = pass.run(own.program, { names: own.names, buffer: Infinity });
  assertProgram(result);
  return result;
}
