// Core programs after passes of src/optimise, as text.

import { assertProgram } from "../../src/core/check.js";
import { printProgram } from "../../src/core/print.js";
import type { Program } from "../../src/core/term.js";
import { optimisations, optimise } from "../../src/optimise/optimise.js";
import { withOwnNames } from "../../src/optimise/variable-names.js";
import { coreOf } from "./core.js";

/** A model after the named passes, in their order, or after all of them, repeated, where none is named. */
export function optimisedText(text: string, ...passes: readonly string[]): string {
  const program = coreOf(text);
  return printProgram(passes.length === 0 ? optimised(program) : passes.reduce(run, program));
}

/** The optimised program, checked; `without` some passes. */
export function optimised(program: Program, without: ReadonlySet<string> = new Set()): Program {
  const result = optimise(program, undefined, without);
  assertProgram(result);
  return result;
}

function run(program: Program, name: string): Program {
  const pass = optimisations.find((each) => each.name === name);
  if (pass === undefined) throw new Error(`there is no pass ${name}`);
  const own = withOwnNames(program);
  const result = pass.run(own.program, own.names);
  assertProgram(result);
  return result;
}
