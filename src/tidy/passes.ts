// The passes over one emitted function, in their order: what the sweeps write one small step at a time becomes what a person would write.

import type { Pass, Schedule } from "../pass.js";
import type { TsFunction, TsStmt } from "../typescript/tree.js";
import type { Bindings } from "./analysis/bindings.js";
import type { Surroundings } from "./analysis/purity.js";
import { withFirstWrites } from "./arrays/zero-initialisation.js";
import { withBuffersGrownTogether } from "./arrays/growing.js";
import { withoutKeptArrays } from "./arrays/lengths.js";
import { withLimitedArrays } from "./arrays/limited-arrays.js";
import { withArraysReused } from "./arrays/allocation-hoisting.js";
import { withBuffersShared } from "./arrays/growable-buffers.js";
import { withSpareBuffers } from "./arrays/buffer-pool.js";
import { withResidualBlock } from "./arrays/residual-block.js";
import { withIndexArrays } from "./arrays/index-arrays.js";
import { withRowsSwapped } from "./arrays/row-buffering.js";
import { withRowsInPlace } from "./arrays/row-destinations.js";
import { withRows } from "./arrays/rows.js";
import { withArraysShared } from "./arrays/buffer-sharing.js";
import { withArraysSwapped } from "./arrays/double-buffering.js";
import { withTrajectories } from "./arrays/saved-states.js";
import { withWorkArrays } from "./arrays/arena.js";
import { withEarlierArrays, withoutCallsForEarlierArrays } from "./arrays/earlier-arrays.js";
import { withFirstContributions } from "./expressions/accumulators.js";
import { withOnceCalled } from "./expressions/called-once.js";
import { withAdjacentUses } from "./expressions/adjacent.js";
import { withoutKnownCasts } from "./expressions/casts.js";
import { withJoinedCases, withoutEmptyCases } from "./expressions/cases.js";
import { withoutCopies } from "./expressions/copies.js";
import { withoutDead } from "./expressions/dead.js";
import { withExponentials } from "./expressions/exponentials.js";
import { folded } from "./expressions/fold.js";
import { inlined } from "./expressions/inline.js";
import { withDeclaredTypes } from "./expressions/narrowing.js";
import { withoutReadCopies, withoutReturnedCopies } from "./expressions/read-copies.js";
import { withRepeatedOnce } from "./expressions/repeated.js";
import { withEarlyReturns } from "./expressions/returns.js";
import { withSameTestsJoined } from "./expressions/branch-merging.js";
import { withoutDividedCounters } from "./loops/divided-counters.js";
import { withoutTestsOfCounters } from "./loops/counters.js";
import { withoutHandovers } from "./loops/copy-coalescing.js";
import { withInvariantsOutside } from "./loops/late-invariants.js";
import { withJoinedLoops } from "./loops/late-loop-fusion.js";
import { withLastIterationsOutside } from "./loops/last-iteration.js";
import { withoutMirrors } from "./loops/reversed-counters.js";
import { withoutOwnElements } from "./loops/array-contraction.js";
import { withFirstIterationsOutside } from "./loops/loop-peeling.js";
import { withPlainLoops, withUpdates } from "./loops/plain-loops.js";
import { withShortRecurrences } from "./loops/recurrences.js";
import { withoutSameCounters } from "./loops/same-counters.js";
import { withSingleIterations } from "./loops/single-iterations.js";
import { withSparseCotangents } from "./loops/sparse-cotangents.js";
import { withStarts } from "./loops/loop-normalisation.js";

/** What the passes over one function have in common. */
export interface FunctionContext {
  readonly bindings: Bindings;
  readonly surroundings: Surroundings;
  readonly isExported: boolean;
  /** The functions that one place in the module calls. */
  readonly once: ReadonlyMap<string, TsFunction>;
  readonly hasLoops: boolean;
  /** Whether a variable is a cotangent that a loop of a reverse sweep carries. */
  readonly isCarried: (name: string) => boolean;
  /** Statements that `fold` has looked at in vain. */
  readonly unfoldable: Set<TsStmt>;
}

export type FunctionPass = Pass<TsFunction, FunctionContext>;

function pass(name: string, title: string, run: FunctionPass["run"]): FunctionPass {
  return { name, title, in: "function", out: "function", run };
}

/** A pass that has nothing to do where there is no loop. */
function ofLoops(name: string, title: string, run: FunctionPass["run"]): FunctionPass {
  return pass(name, title, (fn, context) => (context.hasLoops ? run(fn, context) : fn));
}

const copies = pass("copies", "Variables that stand for others, or for literals, replaced", (fn, { bindings }) => withoutCopies(fn, bindings)); // prettier-ignore
const fold = pass("fold", "What literals make known", (fn, { surroundings, unfoldable }) => folded(fn, surroundings, unfoldable)); // prettier-ignore
const dead = pass("dead", "What nothing needs removed", (fn, { surroundings }) => withoutDead(fn, surroundings));
const accumulators = pass("accumulators", "A cotangent begins with its first contribution", (fn, { surroundings }) => withFirstContributions(fn, surroundings)); // prettier-ignore
const sameTests = pass("branch-merging", "Two choices by one test are one", (fn, { bindings, surroundings }) => withSameTestsJoined(fn, bindings, surroundings)); // prettier-ignore
const counters = ofLoops("counters", "Counters that are equal are one, and tests that they decide go", (fn, { surroundings }) => withoutTestsOfCounters(withoutSameCounters(fn, surroundings), surroundings)); // prettier-ignore
const lengths = pass("lengths", "Returned functions keep no array for its length alone", (fn, { surroundings }) => withoutKeptArrays(fn, surroundings)); // prettier-ignore
// The sums that cotangents are carried on as have to be expressions
const recurrences = ofLoops("recurrences", "A cotangent that a loop carries is multiplied last", (fn, { bindings, isCarried }) => withShortRecurrences(fn, bindings, isCarried)); // prettier-ignore

const beforeExpressions: Schedule<TsFunction, FunctionContext> = [
  copies,
  fold,
  ofLoops("reversed-counters", "A loop that uses its counter as the distance from the end counts the other way", (fn, { bindings }) => withoutMirrors(fn, bindings)),
  accumulators,
  dead,
  copies,
  fold,
  ofLoops("late-loop-fusion", "Two loops of as many iterations are one", (fn, { bindings, surroundings }) => withJoinedLoops(fn, bindings, surroundings)),
  ofLoops("array-contraction", "An array of which each iteration uses its own element is a variable", (fn, { bindings }) => withoutOwnElements(fn, bindings)),
]; // prettier-ignore

// What the second of two choices computes again may be a constant of the first one, as long as it has not been written into an expression
const expressions: Schedule<TsFunction, FunctionContext> = [
  sameTests,
  pass("expressions", "Constants that are used once written where they are used", (fn, { bindings, surroundings }) => inlined(fn, bindings, surroundings)),
  pass("adjacent", "The result of a call written where it is used next", (fn, { surroundings }) => withAdjacentUses(fn, surroundings)),
  pass("cases", "Constructors with which the same is done are one case", withJoinedCases),
  sameTests,
  pass("returns", "Results returned where they are known", withEarlyReturns),
  pass("plain-loops", "Loops and branches as a person would write them", withPlainLoops),
]; // prettier-ignore

const afterExpressions: Schedule<TsFunction, FunctionContext> = [
  ofLoops("last-iteration", "What the last iteration alone does stands behind the loop", (fn, { bindings, surroundings }) => withLastIterationsOutside(fn, bindings, surroundings)),
  lengths,
]; // prettier-ignore

/** The passes, any of which may be left out, but for those that say so. */
export const functionSchedule: Schedule<TsFunction, FunctionContext> = [
  pass("called-once", "The sweeps of a pullback that one place calls stand there", (fn, { bindings, once }) => withOnceCalled(fn, bindings, once)),
  ofLoops("divided-counters", "A loop that divides its counter into a row and a column is two loops", (fn, { bindings, surroundings }) => withoutDividedCounters(fn, bindings, surroundings)),
  ofLoops("loop-peeling", "What the first iteration of a reverse loop alone does stands in front of it", (fn, { bindings, surroundings }) => withFirstIterationsOutside(fn, bindings, surroundings)),
  counters,
  ...beforeExpressions,
  ...expressions,
  ...afterExpressions,
  ofLoops("sparse-cotangents", "Of a loop that hands on the cotangent of one element, one iteration is left", (fn, { bindings, surroundings }) => withSparseCotangents(fn, bindings, surroundings)),
  ...beforeExpressions,
  recurrences,
  ...expressions,
  // What loops give may be one of their variables by now, or zero
  accumulators,
  copies,
  fold,
  copies,
  fold,
  dead,
  ...afterExpressions,
  counters,
  pass("repeated", "What is computed again from the same constants is computed once", (fn, { bindings, surroundings }) => withRepeatedOnce(fn, bindings, surroundings)),
  ofLoops("zero-initialisation", "An array of zeros is set where it is first added to", (fn, { surroundings }) => withFirstWrites(fn, surroundings)),
  pass("read-copies", "A copy of an array that is only read is that array", (fn, { surroundings }) => withoutReturnedCopies(withoutReadCopies(fn, surroundings), surroundings)),
  ofLoops("late-invariants", "Loop-invariant code moved in front of its loop", (fn, { bindings, surroundings }) => withInvariantsOutside(fn, bindings, surroundings)),
  // The iterations of a loop may take turns with what is left
  ofLoops("carried-buffer-sharing", "An array that is handed on shares the memory of the one after it", (fn, { surroundings }) => withArraysShared(fn, surroundings, "handed on")),
  copies,
  ofLoops("row-destinations", "A row that is copied into its matrix is written there", (fn, { bindings, surroundings }) => withRowsInPlace(fn, bindings, surroundings)),
  ofLoops("allocation-hoisting", "An array that every iteration makes is made once", (fn, { surroundings, isExported }) => withArraysReused(fn, surroundings, isExported)),
  ofLoops("double-buffering", "An array made out of the one before: two change places", (fn, { bindings, surroundings, isExported }) => withArraysSwapped(fn, bindings, surroundings, isExported)),
  ofLoops("saved-states", "Arrays saved in each iteration are rows of one array", (fn, { bindings, surroundings }) => withTrajectories(fn, bindings, surroundings)),
  ofLoops("copy-coalescing", "An array that a variable is given is the variable's from the beginning", withoutHandovers),
  lengths,
  copies,
  ofLoops("residual-block", "Arrays of many lengths that iterations keep are parts of one", (fn, { bindings, surroundings, isExported }) => (isExported ? withResidualBlock(fn, bindings, surroundings) : fn)),
  ofLoops("row-buffering", "Arrays of rows made out of the ones before: the rows of two take turns", (fn, { bindings, surroundings }) => withRowsSwapped(fn, bindings, surroundings)),
  ofLoops("rows", "Arrays that iterations make, and that stay inside, are rows of one array", (fn, { bindings, surroundings }) => withRows(fn, bindings, surroundings)),
  fold,
  dead,
  ofLoops("buffer-sharing", "An array that is done with is the next one of its length, too", (fn, { surroundings }) => withArraysShared(fn, surroundings)),
  ofLoops("growable-buffers", "Growing buffers of an inner loop shared by the iterations around it", (fn, { bindings, surroundings }) => {
    const shared = withBuffersShared(fn, bindings, surroundings);
    // Of some nobody asked for more than the length
    return withBuffersGrownTogether(shared === fn ? fn : withoutDead(shared, surroundings), surroundings);
  }),
  pass("arena", "Arrays of a size known at run time are parts of larger ones", (fn, { surroundings }) => withWorkArrays(fn, surroundings)),
  ofLoops("single-iterations", "Of a loop of which one iteration does something, that is left", withSingleIterations),
  ofLoops("loop-normalisation", "A loop that uses its counter plus an offset counts from the offset", (fn, { surroundings }) => withStarts(fn, surroundings)),
  pass("exponentials", "Exponentials of loops by a function of the module", (fn, { surroundings, isExported }) => withExponentials(fn, surroundings, !isExported)),
  pass("empty-cases", "Cases in which nothing is done removed", withoutEmptyCases),
  pass("updates", "`x = x + y` is `x += y`", withUpdates),
  pass("narrowing", "Types that TypeScript does not infer declared", (fn, { surroundings }) => withDeclaredTypes(fn, surroundings)),
  pass("casts", "Casts that TypeScript does not need removed", (fn, { surroundings }) => withoutKnownCasts(fn, surroundings)),
  ofLoops("index-arrays", "Columns of a sparse matrix are 32-bit integers", (fn, { surroundings }) => withIndexArrays(fn, surroundings)),
  pass("earlier-arrays", "The arrays of an earlier gradient, or other result, filled again", (fn, { bindings, surroundings }) => withEarlierArrays(fn, bindings, surroundings)),
  { ...pass("earlier-calls", "Marks of what could have been an earlier array removed", (fn, { surroundings }) => withoutCallsForEarlierArrays(fn, surroundings)), isNeeded: true },
  // What stood behind an error, or that call, may have been all that read a variable
  dead,
  ofLoops("buffer-pool", "Growing buffers kept for the next call", (fn, { surroundings }) => withSpareBuffers(fn, surroundings)),
  ofLoops("limited-arrays", "Arrays that grow without a known end have a limit", (fn, { surroundings }) => withLimitedArrays(fn, surroundings)),
]; // prettier-ignore
