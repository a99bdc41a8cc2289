// Emitted functions as a person would have written them: what the sweeps write one small step at a time becomes expressions, and what nothing needs goes.
// Every number stays the same, bit for bit, but for the sign of cotangents that are zero, the last digit of exponentials in loops and of cotangents that loops
// of arithmetic carry, and products with two factors like 0.5 * (2 * x) that are not finite, or have lost digits, one after the other.

import type { LeafName } from "../flat/naming.js";
import { mapSame } from "../same.js";
import { visitNames, visitParts, visitStatements, visitStmt, type Visiting } from "../typescript/traverse.js";
import type { TsDeclaration, TsFunction, TsStmt, TsType } from "../typescript/tree.js";
import { Bindings, isLocal, separated } from "./analysis/bindings.js";
import { keysAssigned } from "./analysis/memory.js";
import type { Surroundings } from "./analysis/purity.js";
import { withEarlierArrays, withoutCallsForEarlierArrays } from "./arrays/earlier-arrays.js";
import { withFirstWrites } from "./arrays/first-writes.js";
import { withRoomsGrownTogether } from "./arrays/growing.js";
import { withoutKeptArrays } from "./arrays/lengths.js";
import { withArraysReused } from "./arrays/reused-arrays.js";
import { withRoomsShared } from "./arrays/rooms.js";
import { withSpareRooms } from "./arrays/spare-rooms.js";
import { withNestedRows } from "./arrays/nested-rows.js";
import { nameRows, withRows } from "./arrays/rows.js";
import { withoutSameSaves } from "./arrays/same-saves.js";
import { withArraysShared } from "./arrays/shared-arrays.js";
import { withArraysSwapped } from "./arrays/swapped-arrays.js";
import { withTrajectories } from "./arrays/trajectories.js";
import { withWorkArrays } from "./arrays/work-arrays.js";
import { withFirstContributions } from "./expressions/accumulators.js";
import { withAdjacentUses } from "./expressions/adjacent.js";
import { withJoinedChoices } from "./expressions/branches.js";
import { withoutKnownCasts } from "./expressions/casts.js";
import { withJoinedCases, withoutEmptyCases } from "./expressions/cases.js";
import { withCellsSetOnce } from "./expressions/cells.js";
import { withoutCopies } from "./expressions/copies.js";
import { withoutDead } from "./expressions/dead.js";
import { withExponentials } from "./expressions/exponentials.js";
import { folded } from "./expressions/fold.js";
import { inlined } from "./expressions/inline.js";
import { withCellsOfLists } from "./expressions/list-cells.js";
import { withNarrowScopes } from "./expressions/scopes.js";
import { withDeclaredTypes } from "./expressions/narrowing.js";
import { withoutReadCopies } from "./expressions/read-copies.js";
import { withRepeatedOnce } from "./expressions/repeated.js";
import { withEarlyReturns } from "./expressions/returns.js";
import { withSameTestsJoined } from "./expressions/same-tests.js";
import { withoutTestsOfCounters } from "./loops/counters.js";
import { withLoopsUpwards } from "./loops/directions.js";
import { withoutHandovers } from "./loops/handovers.js";
import { withInvariantsOutside } from "./loops/invariants.js";
import { withJoinedLoops } from "./loops/joined-loops.js";
import { withLastRoundsOutside } from "./loops/last-rounds.js";
import { withoutMirrors } from "./loops/mirrors.js";
import { withoutOwnElements } from "./loops/own-elements.js";
import { withFirstRoundsOutside } from "./loops/peel.js";
import { withPlainLoops, withUpdates } from "./loops/plain-loops.js";
import { withShortRecurrences } from "./loops/recurrences.js";
import { withoutSameCounters } from "./loops/same-counters.js";
import { withStarts } from "./loops/starts.js";
import { withComments } from "./names/comments.js";
import { named } from "./names/naming.js";
import { Renumbering } from "./names/renumber.js";
import { renameSaved } from "./names/saved-names.js";

/** The passes, any of which may be left out: the module computes the same. */
export const tidyPasses = [
  "peel",
  "counters",
  "copies",
  "fold",
  "mirrors",
  "accumulators",
  "dead",
  "directions",
  "joined-loops",
  "own-elements",
  "recurrences",
  "expressions",
  "adjacent",
  "cases",
  "same-tests",
  "scopes",
  "returns",
  "plain-loops",
  "last-rounds",
  "lengths",
  "repeated",
  "branches",
  "first-writes",
  "read-copies",
  "cells",
  "list-cells",
  "invariants",
  "same-saves",
  "handed-arrays",
  "reused-arrays",
  "swapped-arrays",
  "trajectories",
  "handovers",
  "nested-rows",
  "rows",
  "work-arrays",
  "shared-arrays",
  "rooms",
  "starts",
  "exponentials",
  "empty-cases",
  "updates",
  "narrowing",
  "casts",
  "earlier-arrays",
  "spare-rooms",
] as const;

export type TidyPass = (typeof tidyPasses)[number];

/** Told what a function is before the first pass, "sweeps", and after each pass that has changed it; `written` gives its variables names. */
export type TidyListener = (pass: TidyPass | "sweeps", written: () => TsDeclaration) => void;

export interface TidyOptions {
  /** The passes that are left out. */
  readonly without: ReadonlySet<string>;
  /** Of variables that have got numbers, because each has a name of its own in the whole program, what they are called without. */
  readonly wishes: ReadonlyMap<string, LeafName>;
  /** The cotangents that loops of the reverse sweeps carry. */
  readonly carried: ReadonlySet<string>;
  readonly onChange: TidyListener;
}

const noOptions: TidyOptions = { without: new Set(), wishes: new Map(), carried: new Set(), onChange: () => undefined };

/** The declarations of a module, tidied; `called` tells what of the runtime (`file.name`) an identifier stands for. */
export function tidied(
  declarations: readonly TsDeclaration[],
  called: ReadonlyMap<string, string>,
  options: TidyOptions = noOptions,
): readonly TsDeclaration[] {
  const names = new Map([...called].map(([name, reference]) => [reference, name]));
  const surroundings: Surroundings = {
    reference: (name) => called.get(name) ?? null,
    nameOf: (reference) => names.get(reference) ?? null,
    written: writtenIn(declarations),
    ...constructorsIn(declarations),
  };
  const renumbering = new Renumbering(options.wishes);
  return declarations.map((declaration) => {
    if (!("fn" in declaration)) return declaration;
    const isExported = declaration.kind === "function" && declaration.exported;
    const onChange: OneFunction["onChange"] = (pass, written) => {
      options.onChange(pass, () => ({ ...declaration, fn: written() }));
    };
    const { without, carried } = options;
    return { ...declaration, fn: tidiedFunction(declaration.fn, surroundings, { without, renumbering, carried, isExported, onChange }) }; // prettier-ignore
  });
}

/** What one function is tidied with. */
interface OneFunction {
  readonly without: ReadonlySet<string>;
  readonly renumbering: Renumbering;
  readonly carried: ReadonlySet<string>;
  readonly isExported: boolean;
  readonly onChange: (pass: TidyPass | "sweeps", written: () => TsFunction) => void;
}

export function tidiedFunction(
  fn: TsFunction,
  surroundings: Surroundings,
  { without, renumbering, carried, isExported, onChange }: OneFunction = {
    without: new Set(),
    renumbering: new Renumbering(new Map()),
    carried: new Set(),
    isExported: false,
    onChange: () => undefined,
  },
): TsFunction {
  const bindings = new Bindings();
  let current = separated(fn, bindings);
  const written = (): TsFunction => withComments(named(current, bindings));
  /** By pass what it has left as it was: it would do so again. */
  const settled = new Map<TidyPass, TsFunction>();
  const unfoldable = new Set<TsStmt>();
  const pass = (name: TidyPass, next: (fn: TsFunction) => TsFunction): void => {
    if (without.has(name) || settled.get(name) === current) return;
    const before = current;
    current = next(before);
    if (current === before) settled.set(name, before);
    else onChange(name, written);
  };
  onChange("sweeps", written);
  const isCarried = (name: string): boolean => isLocal(name) && carried.has(bindings.wanted(name));
  const ofLoops = hasLoops(fn.body) ? pass : () => undefined;
  const copies = (): void => {
    pass("copies", (before) => withoutCopies(before, bindings));
    pass("fold", (before) => folded(before, surroundings, unfoldable));
  };
  ofLoops("peel", (before) => withFirstRoundsOutside(before, bindings, surroundings));
  ofLoops("counters", (before) => withoutTestsOfCounters(withoutSameCounters(before, surroundings), surroundings));
  for (let round = 0; round < 2; round++) {
    copies();
    ofLoops("mirrors", (before) => withoutMirrors(before, bindings));
    pass("accumulators", (before) => withFirstContributions(before, surroundings));
    pass("dead", (before) => withoutDead(before, surroundings));
    copies();
    ofLoops("directions", (before) => withLoopsUpwards(before, surroundings));
    ofLoops("joined-loops", (before) => withJoinedLoops(before, bindings, surroundings));
    ofLoops("own-elements", (before) => withoutOwnElements(before, bindings));
    // The sums that cotangents are carried on as have been written as expressions by then
    if (round > 0) ofLoops("recurrences", (before) => withShortRecurrences(before, bindings, isCarried));
    // What the second of two choices computes again may be a constant of the first one, as long as it has not been written into an expression
    pass("same-tests", (before) => withSameTestsJoined(before, bindings, surroundings));
    pass("expressions", (before) => inlined(before, bindings, surroundings));
    pass("adjacent", (before) => withAdjacentUses(before, surroundings));
    pass("cases", withJoinedCases);
    pass("same-tests", (before) => withSameTestsJoined(before, bindings, surroundings));
    pass("scopes", (before) => withNarrowScopes(before, surroundings));
    pass("returns", withEarlyReturns);
    const before = current;
    pass("plain-loops", withPlainLoops);
    // What loops give may be one of their variables by now
    if (round > 0 && current !== before) {
      pass("accumulators", (next) => withFirstContributions(next, surroundings));
      pass("copies", (next) => withoutCopies(next, bindings));
    }
    // Loops of as many rounds are one by then
    ofLoops("last-rounds", (before) => withLastRoundsOutside(before, bindings, surroundings));
    pass("lengths", (before) => withoutKeptArrays(before, surroundings));
  }
  ofLoops("counters", (before) => withoutTestsOfCounters(before, surroundings));
  pass("repeated", (before) => withRepeatedOnce(before, bindings));
  pass("branches", (before) => withJoinedChoices(before, surroundings));
  ofLoops("first-writes", (before) => withFirstWrites(before, surroundings));
  pass("read-copies", (before) => withoutReadCopies(before, surroundings));
  pass("cells", (before) => withCellsSetOnce(before, surroundings));
  ofLoops("list-cells", (before) => withCellsOfLists(before, surroundings));
  ofLoops("invariants", (before) => withInvariantsOutside(before, bindings, surroundings));
  ofLoops("same-saves", withoutSameSaves);
  // The rounds of a loop may take turns with what is left
  ofLoops("handed-arrays", (before) => withArraysShared(before, surroundings, "handed on"));
  pass("copies", (before) => withoutCopies(before, bindings));
  ofLoops("reused-arrays", (before) => withArraysReused(before, surroundings));
  ofLoops("swapped-arrays", (before) => withArraysSwapped(before, bindings, surroundings));
  ofLoops("trajectories", (before) => withTrajectories(before, bindings, surroundings));
  ofLoops("handovers", withoutHandovers);
  ofLoops("nested-rows", (before) => withNestedRows(before, bindings, surroundings));
  pass("lengths", (before) => withoutKeptArrays(before, surroundings));
  pass("copies", (before) => withoutCopies(before, bindings));
  ofLoops("rows", (before) => withRows(before, bindings, surroundings));
  ofLoops("work-arrays", (before) => withWorkArrays(before, surroundings, isExported));
  pass("fold", (before) => folded(before, surroundings, unfoldable));
  pass("dead", (before) => withoutDead(before, surroundings));
  ofLoops("directions", (before) => withLoopsUpwards(before, surroundings));
  ofLoops("shared-arrays", (before) => withArraysShared(before, surroundings));
  ofLoops("rooms", (before) => {
    const shared = withRoomsShared(before, bindings, surroundings);
    // Of some nobody asked for more than the length
    return withRoomsGrownTogether(shared === before ? before : withoutDead(shared, surroundings), surroundings);
  });
  ofLoops("starts", (before) => withStarts(before, surroundings));
  pass("exponentials", (before) => withExponentials(before, surroundings, !isExported));
  pass("empty-cases", withoutEmptyCases);
  pass("updates", withUpdates);
  pass("narrowing", (before) => withDeclaredTypes(before, surroundings));
  pass("casts", (before) => withoutKnownCasts(before, surroundings));
  pass("earlier-arrays", (before) => withEarlierArrays(before, bindings, surroundings));
  current = withoutCallsForEarlierArrays(current, surroundings);
  // What stood behind an error, or that call, may have been all that read a variable
  pass("dead", (before) => withoutDead(before, surroundings));
  ofLoops("spare-rooms", (before) => withSpareRooms(before, surroundings));
  renameSaved(current, bindings);
  renumbering.run(current, bindings, isExported);
  nameRows(current, bindings);
  return isExported ? written() : withUnreadMarked(written());
}

/** A function whose parameters begin with `_` where nothing reads them, which TypeScript takes for intended. */
function withUnreadMarked(fn: TsFunction): TsFunction {
  const read = new Set<string>();
  visitNames(fn.body, (name) => read.add(name));
  const params = mapSame(fn.params, (param) =>
    read.has(param.name) || read.has(`_${param.name}`) ? param : { ...param, name: `_${param.name}` },
  );
  return params === fn.params ? fn : { ...fn, params };
}

/** The types of what one constructor has made, and its name; by constructor all of its data type. */
function constructorsIn(declarations: readonly TsDeclaration[]): Pick<Surroundings, "constructors" | "alternatives"> {
  const constructors = new Map<string, string>();
  const alternatives = new Map<string, readonly string[]>();
  for (const declaration of declarations) {
    const tag = declaration.kind === "type" ? tagOf(declaration.type) : null;
    if (declaration.kind === "type" && tag !== null) constructors.set(declaration.name, tag);
  }
  for (const declaration of declarations) {
    if (declaration.kind !== "type" || declaration.type.kind !== "union") continue;
    const tags = declaration.type.members.map((type) => type.kind === "name" ? (constructors.get(type.name) ?? null) : tagOf(type)); // prettier-ignore
    const all = tags.filter((tag) => tag !== null);
    if (all.length === tags.length) for (const tag of all) alternatives.set(tag, all);
  }
  return { constructors, alternatives };
}

/** The constructor that makes what has a type. */
function tagOf(type: TsType): string | null {
  const tag = type.kind === "object" ? type.fields.find(({ name }) => name === "tag")?.type : undefined;
  return tag?.kind === "literal" && typeof tag.value === "string" ? tag.value : null;
}

/** Whether there is a loop in statements, or in functions in them. */
function hasLoops(stmts: readonly TsStmt[]): boolean {
  let found = false;
  visitStatements(stmts, ({ kind }) => {
    if (kind === "for" || kind === "while" || kind === "loop") found = true;
  });
  return found;
}

/** The properties that functions assign to. */
function writtenIn(declarations: readonly TsDeclaration[]): ReadonlySet<string> {
  const written = new Set<string>();
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "assign") for (const key of keysAssigned(expr)) written.add(key);
      if (expr.kind === "call" && expr.fn.kind === "member" && expr.fn.name === "push") written.add("[]").add("length");
      visitParts(expr, visiting);
    },
    block: (body: readonly TsStmt[]) => {
      for (const stmt of body) visitStmt(stmt, visiting);
    },
  };
  for (const declaration of declarations) if ("fn" in declaration) visiting.block(declaration.fn.body);
  return written;
}
