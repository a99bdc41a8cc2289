// The passes over core programs before the stage `adjoint`, which resolves at compile time what it can see: the same values, failures and derivatives with less
// work. Each stands in its own file, and may be run by itself.

import type { Program } from "../core/term.js";
import { runSchedule, type Around, type Pass, type Schedule } from "../pass.js";
import { borrowNames } from "./borrowed-names.js";
import { shareSubexpressions } from "./cse.js";
import { fuse } from "./fuse.js";
import { inline } from "./inline.js";
import { contentsOf } from "./term-facts.js";
import { expandPowers } from "./powers.js";
import { simplify } from "./simplify.js";
import { specialise } from "./specialise.js";
import { tidyNames } from "./tidy-names.js";
import { withOwnNames, type VariableNames } from "./variable-names.js";

/** What the passes over one program have in common. */
export interface CoreContext {
  readonly names: VariableNames;
  /** How large the program may get by passes that copy, in nodes. */
  readonly buffer: number;
}

export type CorePass = Pass<Program, CoreContext>;

/** How large programs get by copies: so many nodes, or so many times the size that they had. */
const largest = { nodes: 20_000, times: 6 } as const;

/** How often the passes are repeated at most; nearly all programs are done after three times. */
const mostIterations = 8;

function pass(name: string, title: string, run: (program: Program, names: VariableNames) => Program): CorePass {
  return { name, title, in: "core", out: "core", run: (program, { names }) => run(program, names) };
}

/** A pass that copies: not into a program that is too large already. */
function copying(plain: CorePass): CorePass {
  return {
    ...plain,
    run: (program, context) => (sizeIn(program) > context.buffer ? program : plain.run(program, context)),
  };
}

const repeated: readonly CorePass[] = [
  copying(pass("inline", "Small functions and known lambdas in place of their calls", inline)),
  pass("simplify", "What is known of values used, and what nothing uses removed", simplify),
  copying(pass("specialise", "Functions that take functions copied for the lambdas they are called with", specialise)),
  // What is read by two loops is no longer the same term when each of them computes its elements
  pass("cse", "What has been computed already not computed again", shareSubexpressions),
  pass("fuse", "Elements of arrays computed where they are read", fuse),
  pass("powers", "Powers with small exponents as products", expandPowers),
];

/** The last one, without which there is no program: variables are called as in the source again. */
const names: CorePass = {
  ...pass("names", "Variables called as the author calls them", (program, names) => {
    borrowNames(program, names);
    return tidyNames(program, names);
  }),
  isNeeded: true,
};

export const coreSchedule: Schedule<Program, CoreContext> = [{ repeat: repeated, atMost: mostIterations }, names];

/** The program after all passes. */
export function optimise(program: Program, around?: Around<Program>): Program {
  const buffer = Math.max(largest.nodes, largest.times * sizeIn(program));
  // Texts of rules, and fused definitions, are inlined, and change their parameters, as other definitions do
  const own = withOwnNames({ ...program, texts: new Map(), partials: new Map() });
  return runSchedule(coreSchedule, own.program, { names: own.names, buffer }, around);
}

function sizeIn({ definitions }: Program): number {
  return definitions.reduce((sum, { body }) => sum + contentsOf(body).size, 0);
}

/** Functions made known where they are used, before derivatives are taken of them. */
export function knownFunctions(program: Program, names: VariableNames): Program {
  const known = repeated.filter(({ name }) => ["inline", "simplify", "specialise"].includes(name));
  const buffer = Math.max(largest.nodes, largest.times * sizeIn(program));
  return runSchedule([{ repeat: known, atMost: mostIterations }], program, { names, buffer });
}

/** What functions that are called in one place have in common computed once: no number is another one after it. */
export function withCommonWork(program: Program, names: VariableNames): Program {
  const passes = repeated.filter(({ name }) => ["inline", "simplify", "cse"].includes(name));
  const buffer = Math.max(largest.nodes, largest.times * sizeIn(program));
  return runSchedule([{ repeat: passes, atMost: mostIterations }], program, { names, buffer });
}

/** Variables called as the author calls them, after other passes. */
export function namesGiven(program: Program, own: VariableNames): Program {
  return names.run(program, { names: own, buffer: 0 });
}
