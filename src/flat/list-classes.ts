// Which lists of a program can be arrays. What may be the same list is one class, across procedures; it can be arrays where its lists are made by loops
// cell by cell or come from outside, and where what is done is to look at cells from the first one on, as loops do that walk them, and nothing else.

import { components } from "../components.js";
import type { Uses } from "./list-loops.js";
import { ListClass, ListSets, near, rootOf, type ListGroup } from "./list-sets.js";
import type { ListType, ListTypes } from "./list-types.js";
import type { Atom, Procedure, Program, Rep, Stmt, Var } from "./program.js";

type Loop = Stmt & { readonly kind: "loop" };
type For = Stmt & { readonly kind: "for" };
type Call = Stmt & { readonly kind: "call" };

/** A loop that makes a list. */
export interface Made {
  /** Which of its parameters is the list so far, and the variable that is the new cell. */
  readonly position: number;
  readonly cell: string;
  readonly list: ListType;
  /** What the leaves of the new cell are. */
  readonly args: readonly Atom[];
  /** The list that its cells stand in front of; null for an empty one. */
  readonly rest: Atom | null;
}

/** A place in a list that can be arrays: so many cells behind the first one, or behind the one where a parameter of a loop or procedure is. */
export interface Cursor {
  readonly whole: Var;
  readonly list: ListType;
  readonly base: Var | null;
  readonly offset: number;
}

/** What is known before anything has been noted. */
interface Known {
  /** The parameters of procedures that are places in lists. */
  readonly places: ReadonlySet<string>;
  /** Variables that have been found to be expensive. */
  readonly expensive?: ReadonlySet<string>;
  /** Procedures of which all has been noted: what their callers do with lists does not matter to them. Others have their lists in common with callers. */
  readonly noted?: ReadonlySet<string>;
}

/** The place of an array's elements among the leaves of a cell. */
const element = -1;

export class ListClasses {
  readonly #variables = new Map<string, ListClass>();
  readonly #results = new Map<string, ListClass>();
  readonly #procedures: ReadonlyMap<string, Procedure>;
  /** The variables that are places in a list: the rest behind a cell, parameters of loops that go along a list, and of procedures that are given places. */
  readonly #cursors = new Map<string, Cursor>();
  readonly #made = new Map<For, Made>();
  /** The cells that such loops make. */
  readonly #cells = new Set<string>();
  readonly #sets = new ListSets();
  /** By variable, or result of a procedure, those that are given what it holds, or something of it. */
  readonly #flows = new Map<string, Set<string>>();
  /** Variables, and results of procedures, of which the whole list is looked at: loops go along it, or an entry gives it. */
  readonly #walked = new Set<string>();
  /** Lists that cells are put in front of, and the new lists. */
  readonly #longer: { readonly list: string; readonly longer: Var }[] = [];
  /** By call of a procedure of which all has been noted, its classes and what stands for them in what the call is part of. */
  readonly #seen = new Map<Call, ReadonlyMap<ListClass, ListClass>>();

  readonly places: ReadonlySet<string>;
  readonly #noted: ReadonlySet<string>;
  readonly #knownExpensive: ReadonlySet<string>;
  /** The parameters of procedures that are given places in lists, but are not among `places`. */
  readonly furtherPlaces = new Set<string>();
  /** Variables that stay lists since it would take long to copy them. */
  readonly expensive = new Set<string>();

  constructor(
    program: Program,
    private readonly lists: ListTypes,
    known: Known,
  ) {
    this.places = known.places;
    this.#noted = known.noted ?? new Set();
    this.#knownExpensive = known.expensive ?? new Set();
    this.#procedures = new Map(program.procedures.map((procedure) => [procedure.name, procedure]));
    for (const { procedure } of program.entries)
      this.#procedures.get(procedure)?.results.forEach((_, index) => this.#walked.add(resultKey(procedure, index)));
  }

  /** To be called when everything has been noted: says which lists are arrays. */
  settle(): void {
    this.#refuseDearCopies();
  }

  /** Whether some lists that loops make or go along stay lists. */
  hasOthers(): boolean {
    const all = [...this.#variables.values(), ...this.#results.values()].map((each) => this.#sets.groupOf(each));
    return all.some(({ isArrays, isOfLoops }) => isOfLoops && !isArrays);
  }

  /** Whether arrays stand for what a variable holds. */
  isArrays(variable: Var): boolean {
    const known = this.#variables.get(variable.name);
    return known !== undefined && this.#sets.groupOf(known).isArrays;
  }

  /** Whether arrays stand for a result of a procedure. */
  isArraysOf(procedure: string, index: number): boolean {
    const known = this.#results.get(resultKey(procedure, index));
    return known !== undefined && this.#sets.groupOf(known).isArrays;
  }

  /** The place in a list that a variable is, also where that is the whole list; null where no arrays stand for that. */
  cursor(variable: Var): Cursor | null {
    const known = this.#cursors.get(variable.name);
    if (known !== undefined) return this.isArrays(known.whole) ? known : null;
    const list = this.lists.of(variable.rep);
    return list !== null && this.isArrays(variable) ? { whole: variable, list, base: null, offset: 0 } : null;
  }

  /** The list in which a result of a loop is a place; null where it is none, or where no arrays stand for that. */
  placeIn(result: Var): Var | null {
    const known = this.#cursors.get(result.name);
    return known?.base?.name === result.name && this.isArrays(known.whole) ? known.whole : null;
  }

  /** Whether a parameter of a procedure is a place in a list that is arrays. */
  isPlace(param: Var): boolean {
    return this.places.has(param.name) && this.isArrays(param);
  }

  /** The list that a loop makes; null where it makes none, or one that stays a list. */
  made(stmt: For): Made | null {
    const made = this.#made.get(stmt);
    const result = made === undefined ? undefined : stmt.results[made.position];
    return made === undefined || result === undefined || !this.isArrays(result) ? null : made;
  }

  /** A procedure, before what it does. */
  enter({ name, params, results, kind }: Procedure): void {
    const classes = results.map((rep, index) => this.#result(name, index, rep));
    if (kind === "lambda") {
      for (const param of params) this.#bad(param);
      for (const result of classes) if (result !== null) rootOf(result).isBad = true;
    }
    for (const param of params) this.#param(param);
  }

  /** What a procedure gives. */
  yielded({ name, results }: Procedure, values: readonly Atom[]): void {
    values.forEach((value, index) => {
      const rep = results[index];
      this.#sets.join(rep === undefined ? null : this.#result(name, index, rep), this.#of(value));
      if (value.kind === "var") this.#flow(value.variable.name, resultKey(name, index));
    });
  }

  #param(param: Var): void {
    const list = this.places.has(param.name) ? this.lists.of(param.rep) : null;
    if (list === null) return;
    this.#cursors.set(param.name, { whole: param, list, base: param, offset: 0 });
    this.#noteLoop(param);
  }

  /** The class of a variable; null where it holds no lists, or is a place in one. */
  of(variable: Var): ListClass | null {
    return !this.lists.holdsLists(variable.rep) || this.#cursors.has(variable.name) ? null : this.#whole(variable);
  }

  /** The class of a whole list, also where a parameter that has its name is a place in it. */
  #whole(variable: Var): ListClass {
    const known = this.#variables.get(variable.name);
    if (known !== undefined) return rootOf(known);
    const made = new ListClass();
    this.#variables.set(variable.name, made);
    return made;
  }

  /** The class of what becomes of a value; where that is a place in a list, the list stays one. */
  #of(atom: Atom | undefined): ListClass | null {
    if (atom?.kind !== "var") return null;
    const cursor = this.#cursors.get(atom.variable.name);
    if (cursor !== undefined) this.#bad(cursor.whole);
    return this.of(atom.variable);
  }

  same(a: Var | undefined, b: Atom | undefined): void {
    this.#sets.join(a === undefined ? null : this.of(a), this.#of(b));
    if (a !== undefined && b?.kind === "var") this.#flow(b.variable.name, a.name);
  }

  #flow(from: string, to: string): void {
    const known = this.#flows.get(from);
    if (known === undefined) this.#flows.set(from, new Set([to]));
    else known.add(to);
  }

  /** A list ends with another one: both are arrays, or neither is. */
  endsWith(longer: Var, end: Atom): void {
    const along = this.along(end);
    if (along === null) {
      this.#bad(longer);
      this.bad(end);
      return;
    }
    const [own, other] = [this.#whole(longer), this.#whole(along.whole)];
    near(own, other);
  }

  /** The arrays of a list become a part of those of one that ends with it. */
  longer(longer: Var, end: Atom): void {
    const along = this.along(end);
    if (along === null) return;
    for (const { index, rep } of along.list.leaves)
      if (this.holdsLists(rep)) this.#sets.join(this.#sets.inside(this.#whole(longer), index), this.#sets.inside(this.#whole(along.whole), index)); // prettier-ignore
    this.look(along);
    this.#flow(along.whole.name, longer.name);
    this.#longer.push({ list: along.whole.name, longer });
    if (this.#knownExpensive.has(longer.name)) this.#bad(longer);
  }

  /** Where a list gets longer cell by cell, or where only its first cells are looked at, copies of it would take long: it stays a list. */
  #refuseDearCopies(): void {
    const names = [...new Set([...this.#flows].flatMap(([from, to]) => [from, ...to]))];
    const flowsOf = (name: string): ReadonlySet<string> => this.#flows.get(name) ?? new Set();
    const cycles = components(names, flowsOf);
    const cycleOf = new Map(cycles.flatMap((cycle) => cycle.map((name) => [name, cycle] as const)));
    // Where what is looked at as a whole comes from; components come after those that they have edges to
    const walked = new Set<string>();
    for (const cycle of cycles) {
      const isWalked = (name: string): boolean => this.#walked.has(name) || [...flowsOf(name)].some((to) => walked.has(to)); // prettier-ignore
      if (cycle.some(isWalked)) for (const name of cycle) walked.add(name);
    }
    for (const { list, longer } of this.#longer)
      if (cycleOf.get(list) === cycleOf.get(longer.name) || !walked.has(longer.name)) {
        this.expensive.add(longer.name);
        this.#bad(longer);
      }
  }

  holdsLists(rep: Rep): boolean {
    return this.lists.holdsLists(rep);
  }

  /** `part` is in what `whole` holds: in a leaf of its cells, or an element. */
  part(whole: Atom, part: Atom | undefined, leaf = element): void {
    const [outer, inner] = [this.#of(whole), this.#of(part)];
    this.#sets.join(outer === null ? null : this.#sets.inside(outer, leaf), inner);
    if (whole.kind === "var" && part?.kind === "var") this.#flowBetween(whole.variable, part.variable);
  }

  /** A field of the cell at a place, but for the rest. */
  field({ whole }: Cursor, index: number, value: Var): void {
    const known = this.of(value);
    if (known === null) return;
    this.#sets.join(this.#sets.inside(this.#whole(whole), index), known);
    this.#flowBetween(whole, value);
  }

  #flowBetween(one: Var, other: Var): void {
    this.#flow(one.name, other.name);
    this.#flow(other.name, one.name);
  }

  called(call: Call): void {
    const { fn, args, results } = call;
    const copies = new Map<ListClass, ListClass>();
    const seen = (known: ListClass): ListClass => (this.#noted.has(fn) ? this.#sets.copy(known, copies) : known);
    this.#seen.set(call, copies);
    this.#procedures.get(fn)?.params.forEach((param, index) => {
      if (this.lists.holdsLists(param.rep)) this.#passed(param, args[index], seen);
    });
    results.forEach((result, index) => {
      const known = this.#result(fn, index, result.rep);
      this.#sets.join(this.of(result), known === null ? null : seen(known));
      this.#flow(resultKey(fn, index), result.name);
    });
  }

  #passed(param: Var, arg: Atom | undefined, seen: (known: ListClass) => ListClass): void {
    const along = arg === undefined ? null : this.along(arg);
    if (!this.places.has(param.name)) {
      if (along !== null && (along.base !== null || along.offset > 0)) {
        this.furtherPlaces.add(param.name);
        return;
      }
      this.#sets.join(seen(this.#whole(param)), this.#of(arg));
      if (arg?.kind === "var") this.#flow(arg.variable.name, param.name);
    } else if (along === null) {
      seen(this.#whole(param)).isBad = true;
    } else {
      this.#sets.join(seen(this.#whole(param)), this.#whole(along.whole));
      this.#flow(along.whole.name, param.name);
    }
  }

  /** For a call of a procedure of which all had been noted, the groups of its lists, and whether they are arrays in a version of what the call is part of. */
  groupsOf(call: Call, isArrays: (group: ListGroup) => boolean): ReadonlyMap<ListGroup, boolean> {
    const seen = [...(this.#seen.get(call) ?? [])];
    return new Map(seen.map(([known, own]) => [this.#sets.groupOf(known), isArrays(this.#sets.groupOf(own))]));
  }

  captured(code: string, atoms: readonly Atom[]): void {
    this.#procedures.get(code)?.captured.forEach((variable, index) => {
      this.same(variable, atoms[index]);
    });
  }

  /** Something is done with it that is not looked into. */
  bad(atom: Atom): void {
    const known = this.#of(atom);
    if (known !== null) known.isBad = true;
  }

  #bad(variable: Var): void {
    if (this.lists.holdsLists(variable.rep)) this.#whole(variable).isBad = true;
  }

  /** Notes that a parameter goes along a list, if it does. */
  walk(stmt: Loop, index: number, uses: Uses): boolean {
    const [param, start] = [stmt.params[index], stmt.init[index]];
    const along = start === undefined ? null : this.along(start);
    if (param === undefined || along === null || !uses.advances(stmt, index, along.list)) return false;
    this.#cursors.set(param.name, { ...along, base: param, offset: 0 });
    this.#noteLoop(along.whole);
    this.#walked.add(along.whole.name);
    return true;
  }

  #noteLoop(whole: Var): void {
    this.#whole(whole).isOfLoops = true;
  }

  /** Notes that a result of a loop is some place in a list, if it is where all that it may be are places in one. */
  found(result: Var, values: readonly Atom[]): boolean {
    const places = values.map((value) => this.along(value));
    const [first] = places;
    const isOne = (place: Cursor | null): boolean => place !== null && place.whole.name === first?.whole.name;
    if (first === undefined || first === null || !places.every(isOne)) return false;
    if (places.every((place) => place?.base === null && place.offset === 0)) return false;
    this.#cursors.set(result.name, { ...first, base: result, offset: 0 });
    return true;
  }

  /** Notes that a cell is looked at, or whether there is one. */
  look({ whole, base }: Cursor): void {
    if (base === null) this.#whole(whole).isLookedInto = true;
  }

  /** The place in a list that a value is, also where that is the whole list. */
  along(atom: Atom): Cursor | null {
    if (atom.kind !== "var") return null;
    const { variable } = atom;
    const known = this.#cursors.get(variable.name);
    if (known !== undefined) return known;
    const list = this.lists.of(variable.rep);
    return list === null || this.of(variable) === null ? null : { whole: variable, list, base: null, offset: 0 };
  }

  /** Notes that a variable is the rest of the list behind a cell. */
  step(rest: Var, cell: Cursor): void {
    this.#cursors.set(rest.name, { ...cell, offset: cell.offset + 1 });
  }

  make(stmt: For, uses: Uses): Made | null {
    const { end } = stmt.body;
    if (end.kind !== "yield") return null;
    for (const [position, param] of stmt.params.entries()) {
      const [list, start, cell] = [this.lists.of(param.rep), stmt.init[position], end.values[position]];
      if (list === null || start === undefined || cell?.kind !== "var") continue;
      const op = uses.definition(cell);
      const isOwn = stmt.body.stmts.some((inner) => inner.kind === "let" && inner.op === op);
      if (op?.kind !== "object" || op.con !== list.cell || !isOwn) continue;
      const rest = op.args[list.rest];
      const isRest = rest?.kind === "var" && rest.variable.name === param.name;
      if (!isRest || uses.count(param) !== 1 || uses.count(cell.variable) !== 1) continue;
      const made: Made = {
        position,
        cell: cell.variable.name,
        list,
        args: op.args,
        rest: uses.emptyConstructor(start) === list.end ? null : start,
      };
      this.#made.set(stmt, made);
      const [result] = stmt.results.slice(position);
      if (result !== undefined) this.#noteLoop(result);
      this.#cells.add(made.cell);
      return made;
    }
    return null;
  }

  isCell({ name }: Var): boolean {
    return this.#cells.has(name);
  }

  listOf(rep: Rep): ListType | null {
    return this.lists.of(rep);
  }

  #result(procedure: string, index: number, rep: Rep): ListClass | null {
    if (!this.lists.holdsLists(rep)) return null;
    const key = resultKey(procedure, index);
    const known = this.#results.get(key);
    if (known !== undefined) return rootOf(known);
    const made = new ListClass();
    this.#results.set(key, made);
    return made;
  }
}

function resultKey(procedure: string, index: number): string {
  return JSON.stringify([procedure, index]);
}
