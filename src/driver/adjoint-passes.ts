// The passes of the stage `adjoint`, and those up to where its code is written: over core programs, over flat programs, then stores.

import { printProgram } from "../core/print.js";
import type * as Source from "../core/term.js";
import { prepare, printPrepared, type Prepared } from "../adjoint/prepare.js";
import { tidyPasses } from "../tidy/tidy.js";
import type { WithRespectTo } from "../emit/interface/interface.js";
import { withExitsBehind } from "../flat/exits.js";
import { flatPasses, flatten } from "../flat/flatten.js";
import { fuseLoops } from "../flat/fuse-loops.js";
import { withoutHalving } from "../flat/halving.js";
import { hoistInvariants } from "../flat/hoist.js";
import { inlineProcedures } from "../flat/inline-procedures.js";
import { interchange } from "../flat/interchange.js";
import { knownChoices } from "../flat/known-choices.js";
import { linearRecursion } from "../flat/linear-recursion.js";
import { listArrays } from "../flat/list-arrays.js";
import { listColumns } from "../flat/list-columns.js";
import { listVersions } from "../flat/list-versions.js";
import { measureInFront } from "../flat/measure.js";
import { FlatNames } from "../flat/naming.js";
import { printFlat } from "../flat/print.js";
import { markOverflow } from "../flat/overflow.js";
import type { Program } from "../flat/program.js";
import { sameArrays } from "../flat/same-arrays.js";
import { withSearches } from "../flat/searches.js";
import { withSelections } from "../flat/selections.js";
import { smallArrays } from "../flat/small-arrays.js";
import { unroll } from "../flat/unroll.js";
import { optimisations, optimise } from "../optimise/optimise.js";
import type { Passes } from "./passes.js";

/** The passes over flat programs that follow those of `flatten`, in their order. */
const laterFlatPasses = [
  { name: "halving", run: withoutHalving },
  { name: "searches", run: withSearches },
  { name: "linear-recursion", run: linearRecursion },
  { name: "list-versions", run: listVersions },
  { name: "list-arrays", run: listArrays },
  { name: "exits", run: withExitsBehind },
  { name: "inline-procedures", run: inlineProcedures },
  { name: "list-columns", run: listColumns },
  { name: "same-arrays", run: sameArrays },
  { name: "unroll", run: unroll },
  { name: "small-arrays", run: smallArrays },
  { name: "interchange", run: interchange },
  { name: "fuse-loops", run: fuseLoops },
  { name: "known-choices", run: knownChoices },
  { name: "selections", run: withSelections },
  { name: "hoist", run: hoistInvariants },
  { name: "measure", run: measureInFront },
  { name: "overflow", run: markOverflow },
] as const satisfies readonly {
  readonly name: string;
  readonly run: (program: Program, names: FlatNames) => Program;
}[];

const corePasses = [...optimisations.map(({ name }) => name), "optimise"] as const;
const passesToStores = [
  "flatten",
  ...flatPasses.map(({ name }) => name),
  ...laterFlatPasses.map(({ name }) => name),
  "stores",
] as const;
const emittedPasses = ["sweeps", ...tidyPasses] as const;

/** The name of a pass up to where code is written. */
export type ProgramPassName = (typeof corePasses)[number] | (typeof passesToStores)[number];

/** The name of a pass over emitted functions; "sweeps" writes them. */
export type EmittedPassName = (typeof emittedPasses)[number];

/** The name of a pass whose result can be shown. */
export type PassName = ProgramPassName | EmittedPassName;

/** All of them, in the order in which they run, by what they work on; those before "optimise" run in turn until nothing changes. */
export const passGroups: readonly { readonly of: string; readonly names: readonly PassName[] }[] = [
  { of: "core programs", names: corePasses },
  { of: "flat programs", names: passesToStores },
  { of: "emitted functions", names: emittedPasses },
];

export const passNames: readonly PassName[] = passGroups.flatMap(({ names }) => names);

export function isPassName(name: string): name is PassName {
  return passNames.some((pass) => pass === name);
}

export function isEmittedPass(pass: PassName): pass is EmittedPassName {
  return emittedPasses.some((name) => name === pass);
}

/** Whether a pass may run several times. */
export function isRepeated(pass: PassName): boolean {
  return optimisations.some(({ name }) => name === pass);
}

/** What a program is after a run of a pass; the same object where nothing has changed. */
export interface PassResult {
  readonly pass: ProgramPassName;
  readonly program: object;
  readonly print: () => string;
}

/** The passes that can be left out, one or several: the gradient stays the same. */
export const passesToLeaveOut: readonly PassName[] = [...optimisations, ...flatPasses, ...laterFlatPasses].map(
  ({ name }) => name,
);

/** A core program made ready for adjoint code, `without` some passes. */
export function toAdjoint(
  program: Source.Program,
  wrt: WithRespectTo,
  passes: Passes,
  onResult: (result: PassResult) => void = () => undefined,
  without: ReadonlySet<string> = new Set(),
): Prepared {
  const onCore = (pass: ProgramPassName, after: Source.Program): void => {
    onResult({ pass, program: after, print: () => printProgram(after) });
  };
  const onFlat = (pass: ProgramPassName, after: Program): void => {
    onResult({ pass, program: after, print: () => printFlat(after) });
  };
  const optimised = passes.run("optimise", () => optimise(program, onCore, without));
  const names = new FlatNames(optimised.definitions.map(({ name }) => name));
  let flat = passes.run("flatten", () => flatten(optimised, onFlat, without, names));
  for (const { name, run } of laterFlatPasses) {
    if (without.has(name)) continue;
    const before = flat;
    flat = passes.run(name, () => run(before, names));
    onFlat(name, flat);
  }
  const prepared = passes.run("stores", () => prepare(program, flat, wrt, names.wishes));
  onResult({ pass: "stores", program: prepared, print: () => printPrepared(prepared) });
  return prepared;
}
