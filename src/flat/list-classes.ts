// Which lists of a program can be arrays. What may be the same list is one class, across procedures; it can be arrays where its lists are made by loops
// cell by cell or come from outside, and where what is done is to look at cells from the first one on, as loops do that walk them, and nothing else.

import { components } from "../components.js";
import type { Uses } from "./list-loops.js";
import type { ListType, ListTypes } from "./list-types.js";
import type { Atom, Procedure, Program, Rep, Stmt, Var } from "./program.js";

type Loop = Stmt & { readonly kind: "loop" };
type For = Stmt & { readonly kind: "for" };

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

/** What may be the same list. */
class ListClass {
  isBad = false;
  /** Whether cells are looked at, or put in front, outside of loops that go along it, and whether loops make it or go along it. */
  isLookedInto = false;
  isOfLoops = false;
  /** Which class it has become part of. */
  into: ListClass | null = null;
  /** The classes of what its cells or elements hold, by leaf. */
  readonly inside = new Map<number, ListClass>();
  /** Others that are arrays if it is: what holds it, and lists that begin or end with it. */
  readonly near: ListClass[] = [];
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
  readonly #all: ListClass[] = [];
  /** By variable, or result of a procedure, those that are given what it holds, or something of it. */
  readonly #flows = new Map<string, Set<string>>();
  /** Variables, and results of procedures, of which the whole list is looked at: loops go along it, or an entry gives it. */
  readonly #walked = new Set<string>();
  /** Lists that cells are put in front of, and the new lists. */
  readonly #longer: { readonly list: string; readonly longer: Var }[] = [];
  /** Those that are arrays. */
  #arrays: ReadonlySet<ListClass> = new Set();

  /** The parameters of procedures that are given places in lists, but are not among `places`. */
  readonly furtherPlaces = new Set<string>();

  /** `places`: the parameters of procedures that are places in lists. */
  constructor(
    program: Program,
    private readonly lists: ListTypes,
    private readonly places: ReadonlySet<string>,
  ) {
    this.#procedures = new Map(program.procedures.map((procedure) => [procedure.name, procedure]));
    for (const { procedure } of program.entries)
      this.#procedures.get(procedure)?.results.forEach((_, index) => this.#walked.add(resultKey(procedure, index)));
  }

  /** To be called when everything has been noted: says which lists are arrays. */
  settle(): void {
    this.#refuseDearCopies();
    const ofLoops = together(this.#all.filter(({ isOfLoops }) => isOfLoops));
    // To make an array in order to read the first number takes longer
    const isList = (each: ListClass): boolean => each.isBad || (each.isLookedInto && !ofLoops.has(rootOf(each)));
    const stay = together(this.#all.filter(isList));
    this.#arrays = new Set(this.#all.map(rootOf).filter((each) => !stay.has(each)));
  }

  /** Whether arrays stand for what a variable holds. */
  isArrays(variable: Var): boolean {
    const known = this.#variables.get(variable.name);
    return known !== undefined && this.#arrays.has(rootOf(known));
  }

  /** Whether arrays stand for a result of a procedure. */
  isArraysOf(procedure: string, index: number): boolean {
    const known = this.#results.get(resultKey(procedure, index));
    return known !== undefined && this.#arrays.has(rootOf(known));
  }

  /** The place in a list that a variable is, also where that is the whole list; null where no arrays stand for that. */
  cursor(variable: Var): Cursor | null {
    const known = this.#cursors.get(variable.name);
    if (known !== undefined) return this.isArrays(known.whole) ? known : null;
    const list = this.lists.of(variable.rep);
    return list !== null && this.isArrays(variable) ? { whole: variable, list, base: null, offset: 0 } : null;
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
      this.#join(rep === undefined ? null : this.#result(name, index, rep), this.#of(value));
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
    const made = this.#new();
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
    this.#join(a === undefined ? null : this.of(a), this.#of(b));
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
    own.near.push(other);
    other.near.push(own);
  }

  /** The arrays of a list become a part of those of one that ends with it. */
  longer(longer: Var, end: Atom): void {
    const along = this.along(end);
    if (along === null) return;
    for (const { index, rep } of along.list.leaves)
      if (this.holdsLists(rep)) this.#join(this.#inside(this.#whole(longer), index), this.#inside(this.#whole(along.whole), index)); // prettier-ignore
    this.look(along);
    this.#flow(along.whole.name, longer.name);
    this.#longer.push({ list: along.whole.name, longer });
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
      if (cycleOf.get(list) === cycleOf.get(longer.name) || !walked.has(longer.name)) this.#bad(longer);
  }

  holdsLists(rep: Rep): boolean {
    return this.lists.holdsLists(rep);
  }

  /** `part` is in what `whole` holds: in a leaf of its cells, or an element. */
  part(whole: Atom, part: Atom | undefined, leaf = element): void {
    const [outer, inner] = [this.#of(whole), this.#of(part)];
    this.#join(outer === null ? null : this.#inside(outer, leaf), inner);
    if (whole.kind === "var" && part?.kind === "var") this.#flowBetween(whole.variable, part.variable);
  }

  /** A field of the cell at a place, but for the rest. */
  field({ whole }: Cursor, index: number, value: Var): void {
    const known = this.of(value);
    if (known === null) return;
    this.#join(this.#inside(this.#whole(whole), index), known);
    this.#flowBetween(whole, value);
  }

  #flowBetween(one: Var, other: Var): void {
    this.#flow(one.name, other.name);
    this.#flow(other.name, one.name);
  }

  called(fn: string, args: readonly Atom[], results: readonly Var[]): void {
    this.#procedures.get(fn)?.params.forEach((param, index) => {
      this.#passed(param, args[index]);
    });
    results.forEach((result, index) => {
      this.#join(this.of(result), this.#result(fn, index, result.rep));
      this.#flow(resultKey(fn, index), result.name);
    });
  }

  #passed(param: Var, arg: Atom | undefined): void {
    const along = arg === undefined ? null : this.along(arg);
    if (!this.places.has(param.name)) {
      if (along === null || (along.base === null && along.offset === 0)) this.same(param, arg);
      else this.furtherPlaces.add(param.name);
    } else if (along === null) {
      this.#bad(param);
    } else {
      this.#join(this.#whole(param), this.#whole(along.whole));
      this.#flow(along.whole.name, param.name);
    }
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
    const made = this.#new();
    this.#results.set(key, made);
    return made;
  }

  #new(): ListClass {
    const made = new ListClass();
    this.#all.push(made);
    return made;
  }

  #inside(outer: ListClass, leaf: number): ListClass {
    const known = outer.inside.get(leaf);
    if (known !== undefined) return rootOf(known);
    const made = this.#new();
    outer.inside.set(leaf, made);
    made.near.push(outer);
    return made;
  }

  #join(first: ListClass | null, second: ListClass | null): void {
    const pairs = [[first, second] as const];
    for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
      const [a, b] = [pair[0] === null ? null : rootOf(pair[0]), pair[1] === null ? null : rootOf(pair[1])];
      if (a === null || b === null) {
        const one = a ?? b;
        if (one !== null) one.isBad = true;
        continue;
      }
      if (a === b) continue;
      b.into = a;
      a.isBad ||= b.isBad;
      a.isLookedInto ||= b.isLookedInto;
      a.isOfLoops ||= b.isOfLoops;
      a.near.push(...b.near);
      for (const [leaf, inner] of b.inside) {
        const own = a.inside.get(leaf);
        if (own === undefined) a.inside.set(leaf, inner);
        else pairs.push([own, inner]);
      }
    }
  }
}

/** Some classes with those of what they hold, and those near them: lists of lists are arrays of arrays, or neither of them is. */
function together(some: readonly ListClass[]): ReadonlySet<ListClass> {
  const found = new Set<ListClass>();
  const pending = some.map(rootOf);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    pending.push(...[...next.inside.values(), ...next.near].map(rootOf));
  }
  return found;
}

function rootOf(list: ListClass): ListClass {
  let root = list;
  while (root.into !== null) root = root.into;
  return root;
}

function resultKey(procedure: string, index: number): string {
  return JSON.stringify([procedure, index]);
}
