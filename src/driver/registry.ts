// Every pass of every stage, in the order in which it runs: what `--dump`, `bisect`, the tests and ARCHITECTURE.md know of passes.

import { earlyModuleSchedule, lateModuleSchedule, storePass } from "../adjoint/passes.js";
import { flatSchedule, flattenPass } from "../flat/passes.js";
import { coreSchedule } from "../optimise/passes.js";
import { passesOf, type IR, type PassInfo } from "../pass.js";
import { functionSchedule } from "../tidy/passes.js";
import { sweepsPass } from "../tidy/tidy.js";

/** The passes of the stage `adjoint`. */
export const adjointPasses: readonly PassInfo[] = [
  ...passesOf(coreSchedule),
  flattenPass,
  ...passesOf(flatSchedule),
  storePass,
  ...passesOf(earlyModuleSchedule),
  sweepsPass,
  ...passesOf(functionSchedule),
  ...passesOf(lateModuleSchedule),
];

export const passNames: readonly string[] = adjointPasses.map(({ name }) => name);

/** Names that passes had before, which `--dump` takes for one release. */
const formerNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    optimise: "names",
    hoist: "loop-invariants",
    "fuse-loops": "loop-fusion",
    "small-arrays": "scalar-replacement",
    exits: "exit-sinking",
    selections: "argmax-derivatives",
    "list-versions": "procedure-cloning",
    measure: "carried-lengths",
    mirrors: "reversed-counters",
    invariants: "late-invariants",
    "joined-loops": "late-loop-fusion",
    "own-elements": "array-contraction",
    peel: "loop-peeling",
    "last-rounds": "last-iteration",
    starts: "loop-normalisation",
    handovers: "copy-coalescing",
    "swapped-arrays": "double-buffering",
    "reused-arrays": "allocation-hoisting",
    "shared-arrays": "buffer-sharing",
    "handed-arrays": "carried-buffer-sharing",
    "work-arrays": "arena",
    "first-writes": "zero-initialisation",
    trajectories: "saved-states",
    buffers: "growable-buffers",
    "spare-rooms": "buffer-pool",
    "same-tests": "branch-merging",
  }),
);

/** The pass of a name, or of a former name; null where there is none. */
export function passNamed(name: string): PassInfo | null {
  const current = formerNames.get(name) ?? name;
  return adjointPasses.find((pass) => pass.name === current) ?? null;
}

/** The passes that may be left out, one or several: the gradient stays the same. */
export const passesToLeaveOut: readonly string[] = adjointPasses
  .filter(({ in: from, out, isNeeded }) => from === out && isNeeded !== true)
  .map(({ name }) => name);

const forms: Readonly<Record<IR, string>> = {
  core: "core programs",
  target: "programs of the target calculus",
  flat: "flat programs",
  stores: "flat programs with stores",
  module: "emitted modules",
  function: "emitted functions",
};

/** The names of passes by what they write, in the order in which these forms are first written. */
export const passGroups: readonly { readonly of: string; readonly names: readonly string[] }[] = [
  ...new Set(adjointPasses.map(({ out }) => out)),
].map((ir) => ({
  of: forms[ir],
  names: adjointPasses.filter(({ out }) => out === ir).map(({ name }) => name),
}));
