// Arrays whose cotangents the reverse sweep has for itself: the forward sweep has nothing of them, and nothing is saved. They are arrays of reals, of such
// arrays, and so on.
//
// The reverse sweep of a counted loop carries them itself, back from its last round to its first:
//
//   r = for i < n (y = u) { .. y ! i ..; [y1] = ..; y1 }
//
//   let y1_ = r_; for (i = n - 1 ..) { y_ = zeros; .. y_[i] += y1_[..] ..; y1_ = y_ }; u_ += y1_
//
// And it makes those of the rows that a loop makes all at once, when the loop is done:
//
//   [a] = for i < n { .. [row] = for ..; yield row }
//
//   a_ = zeros like a; .. for (i = n - 1 ..) { row_ = a_[i]; .. }
//
// And those of what is chosen: of the array that is made in the branch that was taken, or of the one that the iteration has got:
//
//   y2 = if c then { [y1] = ..; yield y1 } else yield y
//
//   y2_ = ..; if (c) { y_ = zeros; y1_ = y2_; .. } else y_ = y2_
//
// That is so where an iteration only reads elements of y: nothing else holds the cotangents of y then. And not where an iteration may hand on an array from outside
// of it: it does so in one step, but all the cotangents would be carried back from one array to the other.

import { freeVariables, isRecurrent } from "../flat/free-variables.js";
import { atomOf } from "../flat/build.js";
import { isOfReals } from "../flat/list-types.js";
import type { Atom, Block, End, Procedure, Stmt, Var } from "../flat/program.js";
import type { SameLengths } from "../flat/same-lengths.js";
import { allBlocks, allStmts, atomsOf, boundBy, branchesOf, endsOf, namesBoundIn, operands } from "../flat/traverse.js";

type For = Stmt & { readonly kind: "for" };
type Names = ReadonlySet<string>;

/** How many elements an array that a loop carries has: `atom` is bound in front of the loop. */
type Size = { readonly kind: "count"; readonly atom: Atom } | { readonly kind: "lengthOf"; readonly array: Var };

/** Of calls by name, whose stores only reverse sweeps have (given-back.ts): by the name of the procedure, and the index of its parameter or result. */
export interface BackStores {
  readonly isGivenBack: (procedure: string, param: number) => boolean;
  readonly isTakenBack: (procedure: string, result: number) => boolean;
}

/** What is known of the program that a procedure is one of. */
interface Known {
  /** Whether an array has cotangents. */
  readonly hasStore: (variable: Var) => boolean;
  /** Which arrays of the program are equally long. */
  readonly lengths: SameLengths;
  /** Of which arguments a call holds nothing, and which results the reverse sweep of what is called is given the stores of. */
  readonly back: BackStores;
}

export class CarriedBack {
  /** The parameters of loops, by name. */
  readonly params: ReadonlySet<string>;
  /** The arrays of rows that loops make, by name. */
  readonly made: ReadonlySet<string>;
  /** The arrays that are chosen, by name. */
  readonly chosen: ReadonlySet<string>;
  /** The variables, by name, that something else than a read of an element holds. */
  readonly held: ReadonlySet<string>;
  /** The arrays, by name, whose stores the procedure makes, each as one that is not part of another. */
  readonly own: ReadonlySet<string>;
  readonly #choices: ReadonlyMap<string, Choice>;
  readonly #lengths: SameLengths;
  /** The counts of the loops that make arrays. */
  readonly #counts: ReadonlyMap<string, Atom>;

  constructor(procedure: Procedure, { hasStore, lengths, back }: Known) {
    const taken = takenIn(procedure, back);
    this.#choices = choicesIn(procedure, taken);
    const found = carriedBackIn(procedure, hasStore, back, taken, this.#choices);
    this.params = found.params;
    this.made = found.made;
    this.chosen = found.chosen;
    this.held = heldIn(procedure, found, back);
    this.own = storesMadeIn(procedure, found, taken);
    const stmts = allStmts(procedure.body);
    this.#lengths = lengths;
    this.#counts = new Map(
      stmts.flatMap((stmt) =>
        stmt.kind === "for" ? stmt.arrays.map(({ name }): [string, Atom] => [name, stmt.count]) : [],
      ),
    );
  }

  /**
   * The sizes that parameter `index` of a loop has in one iteration or another, all known in front of the loop, and none of them twice; none where one must
   * look at it in each iteration.
   */
  sizesOf(loop: For, index: number): readonly Size[] {
    const { init, body, params } = loop;
    const { [index]: own } = params;
    if (body.end.kind !== "yield" || own === undefined || !isRealArray(own)) return [];
    const bound = namesBoundIn(loop);
    const { values } = body.end;
    const sizes: Size[] = [];
    // What an iteration hands on may be another one of its parameters
    const places = new Set([index]);
    for (const at of places) {
      const first = init[at];
      if (first?.kind !== "var") return [];
      sizes.push({ kind: "lengthOf", array: first.variable });
      for (const name of this.#whatIs(values[at])) {
        const atom = this.#counts.get(name);
        const param = params.findIndex((each) => each.name === name);
        if (param !== -1) places.add(param);
        else if (atom === undefined || bound.has(nameOf(atom))) return [];
        else sizes.push({ kind: "count", atom });
      }
    }
    return this.#different(sizes);
  }

  /** The names of what a value may be: of what it is chosen among. */
  #whatIs(value: Atom | undefined): readonly string[] {
    const choice = this.#choices.get(nameOf(value));
    return choice === undefined ? [nameOf(value)] : choice.values.flatMap((each) => this.#whatIs(each));
  }

  /** One of each length, a count where there is one. */
  #different(sizes: readonly Size[]): readonly Size[] {
    const counts = sizes.filter((size) => size.kind === "count");
    const different = new Map<string, Size>();
    for (const size of [...counts, ...sizes]) {
      const text = this.#lengths.textOf(size.kind === "count" ? size.atom : atomOf(size.array));
      if (!different.has(text)) different.set(text, size);
    }
    return [...different.values()];
  }
}

/** By name, the parameters of loops that are carried back, the arrays of rows that loops make whose stores the reverse sweep makes, and what is chosen among these. */
interface Found {
  readonly params: Set<string>;
  readonly made: Set<string>;
  readonly chosen: Set<string>;
}

/** An array that is chosen. */
interface Choice {
  /** What it is in each branch. */
  readonly values: readonly Atom[];
  /** What its branches, and those of the choices around it in the same iteration, may choose without a copy: what the iteration makes, and what it gets and does not use afterwards. */
  readonly isAtHand: (name: string) => boolean;
}

/** By name, the arrays of reals, or of such arrays, that are chosen. */
function choicesIn({ body }: Procedure, taken: Names): ReadonlyMap<string, Choice> {
  const choices = new Map<string, Choice>();
  const visit = (block: Block, made: ReadonlySet<string>, params: readonly Var[]): void => {
    const here = new Set([...made, ...block.stmts.flatMap((stmt) => namesMadeBy(stmt, taken))]);
    block.stmts.forEach((stmt, place) => {
      if (stmt.kind === "for" || stmt.kind === "loop")
        visit(stmt.body, new Set(), stmt.kind === "for" ? stmt.params : []);
      if (stmt.kind !== "choose") return;
      for (const branch of branchesOf(stmt.end)) visit(branch, here, []);
      const rest: Block = { stmts: block.stmts.slice(place + 1), end: block.end };
      const later = params.length === 0 ? null : new Set(freeVariables(rest).map(({ name }) => name));
      const own = new Set(branchesOf(stmt.end).flatMap((branch) => madeIn(branch, taken)));
      const isAtHand = (name: string): boolean =>
        here.has(name) || own.has(name) || (later?.has(name) === false && params.some((param) => param.name === name));
      const ends = [...endsOf({ stmts: [], end: stmt.end })];
      stmt.results.forEach((result, index) => {
        const values = ends.flatMap((end) => end.values.slice(index, index + 1));
        if (isOfArrays(result)) choices.set(result.name, { values, isAtHand });
      });
    });
    for (const branch of branchesOf(block.end)) visit(branch, here, []);
  };
  visit(body, new Set(), []);
  return choices;
}

/** The names of what a block makes or gets by loops, or one that it branches into. */
function madeIn({ stmts, end }: Block, taken: Names): readonly string[] {
  const results = stmts.flatMap((stmt) => (stmt.kind === "for" ? stmt.results.map(({ name }) => name) : []));
  return [...results, ...stmts.flatMap((stmt) => namesMadeBy(stmt, taken)), ...branchesOf(end).flatMap((branch) => madeIn(branch, taken))]; // prettier-ignore
}

/** The names of what a statement makes, in a time that grows with it, or chooses. */
function namesMadeBy(stmt: Stmt, taken: Names): readonly string[] {
  if (stmt.kind === "for") return stmt.arrays.map(({ name }) => name);
  if (stmt.kind === "call") return stmt.results.map(({ name }) => name).filter((name) => taken.has(name));
  return stmt.kind === "choose" || (stmt.kind === "let" && stmt.op.kind === "array")
    ? boundBy(stmt).map(({ name }) => name)
    : [];
}

/** The names of what calls give without its stores. */
function takenIn(procedure: Procedure, { isTakenBack }: BackStores): Names {
  const taken = (stmt: Stmt): readonly Var[] => stmt.kind === "call" ? stmt.results.filter((_, index) => isTakenBack(stmt.fn, index)) : []; // prettier-ignore
  return new Set(allStmts(procedure.body).flatMap((stmt) => taken(stmt).map(({ name }) => name)));
}

function carriedBackIn(
  procedure: Procedure,
  hasStore: (variable: Var) => boolean,
  back: BackStores,
  taken: Names,
  choices: ReadonlyMap<string, Choice>,
): Found {
  const loops = allStmts(procedure.body).filter((stmt) => stmt.kind === "for");
  const found: Found = { params: new Set(), made: new Set(), chosen: new Set() };
  for (const result of allStmts(procedure.body).flatMap((stmt) => (stmt.kind === "choose" ? stmt.results : []))) {
    const choice = choices.get(result.name);
    if (choice?.values.every((value) => choice.isAtHand(nameOf(value))) === true && hasStore(result))
      found.chosen.add(result.name);
  }
  for (const loop of loops) {
    loop.arrays.forEach((array, index) => {
      if (isRows(array) && hasStore(array) && rowOf(loop, index, taken) !== null && !isRecurrent(loop))
        found.made.add(array.name);
    });
    loop.params.forEach((param, index) => {
      const isOne = isRealArray(param) || (isRows(param) && loop.body.end.kind === "yield");
      if (isOne && hasStore(param) && isMadeAnew(loop, index, taken)) found.params.add(param.name);
    });
  }
  // What a loop in an iteration carries on is held where that loop does not carry it back
  /** By the names of parameters of loops, and of what these become, those of the parameters. */
  const params = new Map(
    loops.flatMap((loop) =>
      loop.params.flatMap(({ name }, index) =>
        [name, loop.results[index]?.name ?? name].map((key): [string, string] => [key, name]),
      ),
    ),
  );
  const isLostChoice = (name: string): boolean => {
    const param = params.get(name);
    return (choices.has(name) && !found.chosen.has(name)) || (param !== undefined && !found.params.has(param));
  };
  for (let size = -1; size !== found.params.size + found.made.size + found.chosen.size;) {
    size = found.params.size + found.made.size + found.chosen.size;
    const held = heldIn(procedure, found, back);
    const own = storesMadeIn(procedure, found, taken);
    for (const name of found.chosen) {
      // To the cotangents of rows that something else has made they would be added one by one
      const isLost = (value: Atom): boolean => isLostChoice(nameOf(value)) || (isRows(value) && !isOwn(value, own, hasStore)); // prettier-ignore
      if (held.has(name) || choices.get(name)?.values.some(isLost) === true) found.chosen.delete(name);
    }
    for (const loop of loops) {
      loop.arrays.forEach((array, index) => {
        const row = rowOf(loop, index, taken);
        const isKnown = row !== null && (isRealArray(row) || found.made.has(row.name));
        if (held.has(array.name) || (row !== null && held.has(row.name)) || !isKnown) found.made.delete(array.name);
      });
      loop.params.forEach((param, index) => {
        const isOther = [...endsOf(loop.body)].some(({ values }) => isLostChoice(nameOf(values[index])));
        const isLost =
          held.has(param.name) || isOther || (isRows(param) && !isRowsAnew(loop, index, held, found, taken));
        if (isLost) found.params.delete(param.name);
      });
    }
  }
  return found;
}

/** The array that each iteration of a loop makes by a loop or call of its own, and adds to array `index`; null where it does otherwise. */
function rowOf({ params, body }: For, index: number, taken: Names): Var | null {
  const value = body.end.kind === "yield" ? body.end.values[params.length + index] : undefined;
  if (value?.kind !== "var") return null;
  const made = body.stmts.some((stmt) => (stmt.kind === "for" || stmt.kind === "call") && namesMadeBy(stmt, taken).includes(value.variable.name)); // prettier-ignore
  return made ? value.variable : null;
}

/** Whether each iteration hands on rows that a loop has made, or a call has given without stores, or a parameter, and nothing holds the last ones. */
function isRowsAnew(
  { params, results, body }: For,
  index: number,
  held: ReadonlySet<string>,
  { made }: Found,
  taken: Names,
): boolean {
  const result = results[index];
  const value = body.end.kind === "yield" ? body.end.values[index] : undefined;
  const next = nameOf(value);
  return (
    result !== undefined &&
    !held.has(result.name) &&
    (made.has(next) || taken.has(next) || params.some(({ name }) => name === next))
  );
}

/**
 * Whether each iteration hands on at an index what it has made or chosen, or one of its parameters. What a call gives may have a store of the forward sweep, which
 * goes with it.
 */
function isMadeAnew({ params, body }: For, index: number, taken: Names): boolean {
  const stmts = allStmts(body);
  const isMade = ({ kind }: Stmt, name: string): boolean => kind !== "apply" && (kind !== "call" || taken.has(name));
  const made = new Set(
    stmts.flatMap((stmt) => boundBy(stmt).flatMap(({ name }) => (isMade(stmt, name) ? [name] : []))),
  );
  for (const { name } of params) made.add(name);
  return [...endsOf(body)].every(({ values }) => values.slice(index, index + 1).every((value) => made.has(nameOf(value)))); // prettier-ignore
}

/** The variables that something else than a read of an element holds, given what is carried back. */
function heldIn(procedure: Procedure, { params, made, chosen }: Found, back: BackStores): ReadonlySet<string> {
  const held = new Set<string>();
  /** By the name of a row the array that it is in. */
  const wholes = new Map<string, string>();
  const hold = (atom: Atom): void => {
    if (atom.kind === "var") held.add(atom.variable.name);
  };
  const isHeld = (stmt: For) => (_: Atom, index: number) => {
    const array = stmt.arrays[index - stmt.params.length];
    return array === undefined ? !params.has(stmt.params[index]?.name ?? "") : !made.has(array.name);
  };
  const visit = (stmt: Stmt): void => {
    switch (stmt.kind) {
      case "let":
        if (stmt.op.kind === "cell" && isRows(stmt.op.array)) wholes.set(stmt.result.name, nameOf(stmt.op.array));
        else if (stmt.op.kind !== "cell" && stmt.op.kind !== "length") operands(stmt.op).forEach(hold);
        return;
      case "for":
        stmt.init.filter(isHeld(stmt)).forEach(hold);
        return;
      case "check":
        return;
      case "call":
        stmt.args.filter((_, index) => !back.isGivenBack(stmt.fn, index)).forEach(hold);
        return;
      default:
        atomsOf(stmt).forEach(hold);
    }
  };
  const isHeldBy = new Map<End, (atom: Atom, index: number) => boolean>();
  for (const end of endsOf(procedure.body)) isHeldBy.set(end, (_, index) => !back.isTakenBack(procedure.name, index));
  for (const block of allBlocks(procedure.body)) {
    for (const stmt of block.stmts) {
      visit(stmt);
      if (stmt.kind === "for") for (const end of endsOf(stmt.body)) isHeldBy.set(end, isHeld(stmt));
      if (stmt.kind !== "choose") continue;
      const isOutside = (_: Atom, index: number): boolean => !chosen.has(stmt.results[index]?.name ?? "");
      for (const end of endsOf({ stmts: [], end: stmt.end })) isHeldBy.set(end, isOutside);
    }
    const { end } = block;
    if (end.kind !== "yield" && end.kind !== "next") continue;
    end.values.filter(isHeldBy.get(end) ?? (() => true)).forEach(hold);
  }
  for (const start of [...held]) {
    for (let name = wholes.get(start); name !== undefined && !held.has(name); name = wholes.get(name)) held.add(name);
  }
  return held;
}

/** The arrays, by name, whose stores are statements of their own. */
function storesMadeIn(procedure: Procedure, { params, made, chosen }: Found, taken: Names): Names {
  const names = (stmt: Stmt): readonly string[] => {
    if (stmt.kind === "let") return stmt.op.kind === "array" && isRealArray(stmt.result) ? [stmt.result.name] : [];
    if (stmt.kind !== "for" && stmt.kind !== "loop") return [];
    const results = stmt.results.filter((_, index) => params.has(stmt.params[index]?.name ?? ""));
    return [...results, ...stmt.arrays.filter(isRealArray)].map(({ name }) => name);
  };
  return new Set([...params, ...made, ...chosen, ...taken, ...allStmts(procedure.body).flatMap(names)]);
}

/** Whether a value has a store that is one of a procedure's own, or none. */
export function isOwn(value: Atom | undefined, own: Names, hasStore: Known["hasStore"]): boolean {
  return value?.kind === "var" && (own.has(value.variable.name) || !hasStore(value.variable));
}

/** Whether a variable is an array of reals, or of such arrays, and so on. */
export function isOfArrays(variable: Pick<Var, "rep">): boolean {
  return isRealArray(variable) || isRows(variable);
}

/** Whether a variable is an array of reals. */
function isRealArray({ rep }: Pick<Var, "rep">): boolean {
  return rep.kind === "array" && rep.element.kind === "real";
}

/** Whether a value is an array of arrays of reals, or of such arrays in turn. */
function isRows(value: Atom | Pick<Var, "rep">): boolean {
  const rep = "rep" in value ? value.rep : value.kind === "var" ? value.variable.rep : null;
  return rep?.kind === "array" && rep.element.kind === "array" && isOfReals(rep.element);
}

/** What an atom is called; a literal by its value. */
function nameOf(atom: Atom | undefined): string {
  if (atom === undefined) return "";
  return atom.kind === "var" ? atom.variable.name : `${atom.kind} ${atom.value}`;
}
