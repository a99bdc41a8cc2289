// The stage `adjoint` up to where its code is written: passes over core programs, passes over flat programs, then stores.

import { Names } from "../core/names.js";
import { printProgram } from "../core/print.js";
import type * as Source from "../core/term.js";
import { allNames } from "../core/traverse.js";
import { prepare, printPrepared, type Prepared } from "../adjoint/prepare.js";
import type { WithRespectTo } from "../emit/interface/interface.js";
import { flatPasses, flatten } from "../flat/flatten.js";
import { fuseLoops } from "../flat/fuse-loops.js";
import { withoutHalving } from "../flat/halving.js";
import { inlineProcedures } from "../flat/inline-procedures.js";
import { linearRecursion } from "../flat/linear-recursion.js";
import { listArrays } from "../flat/list-arrays.js";
import { listColumns } from "../flat/list-columns.js";
import { printFlat } from "../flat/print.js";
import { optimisations, optimise } from "../optimise/optimise.js";
import type { Passes } from "./passes.js";

/** The name of a pass whose result can be shown. */
export type PassName =
  | (typeof optimisations)[number]["name"]
  | "optimise"
  | "flatten"
  | (typeof flatPasses)[number]["name"]
  | "halving"
  | "linear-recursion"
  | "list-arrays"
  | "inline-procedures"
  | "list-columns"
  | "fuse-loops"
  | "stores";

/** All of them, in the order in which they run; those before "optimise" run in turn until nothing changes. */
export const passNames: readonly PassName[] = [
  ...optimisations.map(({ name }) => name),
  "optimise",
  "flatten",
  ...flatPasses.map(({ name }) => name),
  "halving",
  "linear-recursion",
  "list-arrays",
  "inline-procedures",
  "list-columns",
  "fuse-loops",
  "stores",
];

export function isPassName(name: string): name is PassName {
  return passNames.some((pass) => pass === name);
}

/** Whether a pass may run several times. */
export function isRepeated(pass: PassName): boolean {
  return optimisations.some(({ name }) => name === pass);
}

/** What a program is after a run of a pass; the same object where nothing has changed. */
export interface PassResult {
  readonly pass: PassName;
  readonly program: object;
  readonly print: () => string;
}

/** A core program made ready for adjoint code. */
export function toAdjoint(
  program: Source.Program,
  wrt: WithRespectTo,
  passes: Passes,
  onResult: (result: PassResult) => void = () => undefined,
): Prepared {
  const optimised = passes.run("optimise", () =>
    optimise(program, new Names(allNames(program)), (pass, after) => {
      onResult({ pass, program: after, print: () => printProgram(after) });
    }),
  );
  const flat = passes.run("flatten", () =>
    flatten(optimised, (pass, after) => {
      onResult({ pass, program: after, print: () => printFlat(after) });
    }),
  );
  const halved = passes.run("halving", () => withoutHalving(flat));
  onResult({ pass: "halving", program: halved, print: () => printFlat(halved) });
  const straight = passes.run("linear-recursion", () => linearRecursion(halved));
  onResult({ pass: "linear-recursion", program: straight, print: () => printFlat(straight) });
  const arrays = passes.run("list-arrays", () => listArrays(straight));
  onResult({ pass: "list-arrays", program: arrays, print: () => printFlat(arrays) });
  const inlined = passes.run("inline-procedures", () => inlineProcedures(arrays));
  onResult({ pass: "inline-procedures", program: inlined, print: () => printFlat(inlined) });
  const unlisted = passes.run("list-columns", () => listColumns(inlined));
  onResult({ pass: "list-columns", program: unlisted, print: () => printFlat(unlisted) });
  const fused = passes.run("fuse-loops", () => fuseLoops(unlisted));
  onResult({ pass: "fuse-loops", program: fused, print: () => printFlat(fused) });
  const prepared = passes.run("stores", () => prepare(program, fused, wrt));
  onResult({ pass: "stores", program: prepared, print: () => printPrepared(prepared) });
  return prepared;
}
