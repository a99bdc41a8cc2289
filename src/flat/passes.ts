// The passes over flat programs, in their order: each makes the same values, failures and derivatives with less work, or with less to save.

import type * as Core from "../core/term.js";
import { runSchedule, type Around, type Lowering, type Pass, type Schedule } from "../pass.js";
import { mapSame, sameItems } from "../same.js";
import { withoutCopies } from "./array-copies.js";
import { withoutDeadCode } from "./dead-code.js";
import { withExitsBehind } from "./exit-sinking.js";
import { flatten } from "./flatten.js";
import { fuseLoops } from "./loop-fusion.js";
import { withArraysGrown } from "./growing-arrays.js";
import { hoistInvariants } from "./loop-invariants.js";
import { inlineProcedures } from "./inline-procedures.js";
import { interchange } from "./interchange.js";
import { withJointExits } from "./joint-exits.js";
import { knownChoices } from "./known-choices.js";
import { linearRecursion } from "./linear-recursion.js";
import { listArrays } from "./list-arrays.js";
import { listVersions } from "./procedure-cloning.js";
import { measureInFront } from "./carried-lengths.js";
import { withSlicesInPlace } from "./carried-slices.js";
import type { FlatNames } from "./naming.js";
import { markOverflow } from "./overflow.js";
import type { Procedure, Program } from "./program.js";
import { refine } from "./refine.js";
import { sameArrays } from "./same-arrays.js";
import { withSearches } from "./searches.js";
import { withSelections } from "./argmax-derivatives.js";
import { smallArrays } from "./scalar-replacement.js";
import { unroll, withElementsChosen } from "./unroll.js";

/** What the passes over one program have in common. */
export interface FlatContext {
  readonly names: FlatNames;
  /** The procedures that are clean: `refine` and `dead-code` have gone over them, and no pass has changed them since. */
  readonly clean: WeakSet<Procedure>;
}

export type FlatPass = Pass<Program, FlatContext>;

export function flatContext(names: FlatNames): FlatContext {
  return { names, clean: new WeakSet() };
}

function pass(name: string, title: string, run: (program: Program, context: FlatContext) => Program): FlatPass {
  return { name, title, in: "flat", out: "flat", run: (program, context) => same(program, run(program, context)) };
}

/** A pass over the whole program. */
function whole(name: string, title: string, run: (program: Program, names: FlatNames) => Program): FlatPass {
  return pass(name, title, (program, { names }) => run(program, names));
}

/** A pass that takes one procedure after the other. */
function ofEach(name: string, title: string, run: (procedure: Procedure, names: FlatNames) => Procedure): FlatPass {
  return whole(name, title, (program, names) => ({
    ...program,
    procedures: mapSame(program.procedures, (procedure) => run(procedure, names)),
  }));
}

/** The same, where `clean` procedures stay as they are. */
function each(
  name: string,
  title: string,
  run: (procedure: Procedure, names: FlatNames) => Procedure,
  after: (procedure: Procedure, context: FlatContext) => void = () => undefined,
): FlatPass {
  return pass(name, title, (program, context) => {
    const procedures = mapSame(program.procedures, (procedure) => {
      if (context.clean.has(procedure)) return procedure;
      const next = run(procedure, context.names);
      after(next, context);
      return next;
    });
    return { ...program, procedures };
  });
}

function same(before: Program, after: Program): Program {
  const procedures = sameItems(before.procedures, after.procedures);
  const entries = sameItems(before.entries, after.entries);
  return procedures === before.procedures && entries === before.entries ? before : { ...after, procedures, entries };
}

const isClean = (procedure: Procedure, { clean }: FlatContext): void => {
  clean.add(procedure);
};
const deadCode = each("dead-code", "What nothing uses, and cannot fail, removed", withoutDeadCode, isClean);

/** What other passes leave plain is made precise, and what they leave over goes. */
export const cleaning: readonly FlatPass[] = [
  each("refine", "Loops that count, and no checks that always hold", refine),
  deadCode,
];

const arrayCopies = ofEach("array-copies", "An array that is made as a copy of another is that one", (procedure) => withoutCopies(procedure)); // prettier-ignore

export const flatSchedule: Schedule<Program, FlatContext> = [
  ...cleaning,
  arrayCopies,
  ...cleaning,
  whole("searches", "Levels of recursion that make no cell of a list are passed in a loop", withSearches),
  whole("linear-recursion", "Procedures that call themselves at most once become two loops", linearRecursion),
  ...cleaning,
  whole(
    "carried-slices",
    "Parts of an array that iterations hand on are where they begin, and how long they are",
    withSlicesInPlace,
  ),
  ...cleaning,
  whole("procedure-cloning", "Procedures twice, for lists that can be arrays and for others", listVersions),
  whole("list-arrays", "Lists that loops make and walk become arrays", listArrays),
  ...cleaning,
  whole("joint-exits", "A loop that ends where the first of several counts ends has one test", withJointExits),
  ...cleaning,
  arrayCopies,
  ...cleaning,
  whole("exit-sinking", "What a loop does in its last iteration alone stands behind it", withExitsBehind),
  ...cleaning,
  whole(
    "inline-procedures",
    "Procedures that are called once, or are small, in place of their calls",
    inlineProcedures,
  ),
  ...cleaning,
  whole("same-arrays", "Copies of arrays of known length, also of those that a loop carries, removed", sameArrays),
  ...cleaning,
  whole("unroll", "Short loops over arrays that are written out, written out", unroll),
  ...cleaning,
  ofEach(
    "chosen-items",
    "An item of an array that is written out, at a computed index, is a choice",
    withElementsChosen,
  ),
  ...cleaning,
  whole("scalar-replacement", "Small arrays that loops carry become their items", smallArrays),
  whole("interchange", "A loop that makes arrays elementwise from arrays is a loop over elements", interchange),
  ...cleaning,
  {
    repeat: [
      whole("loop-fusion", "An array that one loop makes and another reads is not made", fuseLoops),
      ...cleaning,
    ],
    atMost: 100,
  },
  whole("known-choices", "Tests of what was chosen among literals are the tests that chose", knownChoices),
  ...cleaning,
  whole(
    "argmax-derivatives",
    "A carried number that is kept or replaced has the derivative of its last replacement",
    withSelections,
  ),
  ...cleaning,
  whole(
    "loop-invariants",
    "What is expensive and the same in every iteration, computed in front of the loop",
    hoistInvariants,
  ),
  ...cleaning,
  whole("carried-lengths", "Lengths of carried arrays, known in front of the loop", measureInFront),
  deadCode,
  whole("overflow", "Products marked where a zero meets what may be infinite", markOverflow),
  whole(
    "growing-arrays",
    "An array that iterations make longer by an element is one that the loop makes",
    withArraysGrown,
  ),
  ...cleaning,
];

/** What makes the first flat program. */
export const flattenPass: Lowering<Core.Program, Program, FlatNames> = {
  name: "flatten",
  title: "Values split into what one variable holds, recursion that only loops as loops",
  in: "core",
  out: "flat",
  run: flatten,
};

/** The program after all passes. */
export function optimiseFlat(program: Program, names: FlatNames, around?: Around<Program>): Program {
  return runSchedule(flatSchedule, program, flatContext(names), around);
}
