// Flat programs after some passes.

import type * as Core from "../../src/core/term.js";
import { flatten } from "../../src/flat/flatten.js";
import { cleaning, flatContext, flatSchedule } from "../../src/flat/passes.js";
import { FlatNames } from "../../src/flat/naming.js";
import type { Program } from "../../src/flat/program.js";
import { allNames } from "../../src/flat/traverse.js";
import { passesOf, runSchedule } from "../../src/pass.js";

/** The flat program of a core program after some passes. */
export function flatOf(program: Core.Program, ...passes: readonly string[]): Program {
  return afterFlat(flatten(program), "array-copies", ...passes);
}

/** The program after some passes, in their order, each until it changes nothing, and made clean before and after each. */
export function afterFlat(program: Program, ...passes: readonly string[]): Program {
  const context = flatContext(new FlatNames(allNames(program)));
  const all = passesOf(flatSchedule);
  return passes.reduce(
    (before, name) => {
      const pass = all.find((each) => each.name === name);
      if (pass === undefined) throw new Error(`there is no pass ${name} over flat programs`);
      return runSchedule([{ repeat: [pass, ...cleaning], atMost: name === "loop-fusion" ? 100 : 1 }], before, context);
    },
    runSchedule(cleaning, program, context),
  );
}
