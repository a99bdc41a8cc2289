// Data-structure selection.
//
// Lists of numbers, or of what is made of them and of truth values, become arrays in the whole program where loops make them and walk them: parameters, results
// and what is carried along. Entries are given arrays, too; `list-conversions.ts` makes what turns lists into them and back.
//
//   function f(l : List R) = r = loop (m = l) switch m { Nil -> yield a; Cons -> y = m.Cons.0; ys = m.Cons.1; ..; next ys }
//     =>   function f(l : [R]) = n = length l; r = loop (at = 0) more = at < n; if more then y = l ! at; ..; at1 = at + 1; next at1 else yield a
//
// The rest behind a cell is a number beside the arrays; procedures that are given one have a parameter for it (`list-callees.ts`).
//
// A list that a loop makes cell by cell from the last one on is made from the first one on, or turned around where iterations need the one before.

import { InternalError } from "../internal-error.js";
import { atomOf, intAtom, letOf, repOf, sameAtom, yieldOf } from "./build.js";
import { Leaves } from "./leaves.js";
import { ListCallees } from "./list-callees.js";
import type { ListClasses, Made } from "./list-classes.js";
import { ListConversions } from "./list-conversions.js";
import { Uses } from "./list-loops.js";
import { ListTypes } from "./list-types.js";
import { listClasses } from "./list-visits.js";
import { FlatNames } from "./naming.js";
import { bool, int, type ArraysForList, type Atom, type Block, type Check, type End, type FlatEntry, type Operation, type Procedure, type Program, type Rep, type Stmt, type Var } from "./program.js"; // prettier-ignore
import { allNames, endsOf } from "./traverse.js";

/** The program, with the same meaning. `names` are those of the program. */
export function listArrays(program: Program, names = new FlatNames(allNames(program))): Program {
  const lists = new ListTypes(new Leaves(program.data));
  const classes = listClasses(program, lists);
  const conversions = new ListConversions(lists, names);
  const entries = program.entries.map((entry) => withArrays(entry, program, classes, conversions));
  const changed = new Set<string>();
  const callees = new ListCallees(program, classes, names);
  const procedures = program.procedures.flatMap((procedure) => {
    const rewriting = new Rewriting(procedure, lists, classes, callees, names);
    const rewritten = rewriting.procedure();
    if (!rewriting.hasChanged) return [procedure];
    changed.add(procedure.name);
    return callees.withFront(rewritten, rewriting.numbers);
  });
  if (changed.size === 0) return program;
  return { ...program, procedures: [...procedures, ...conversions.procedures], entries };
}

function withArrays(entry: FlatEntry, program: Program, classes: ListClasses, conversions: ListConversions): FlatEntry {
  const procedure = program.procedures.find(({ name }) => name === entry.procedure);
  if (procedure === undefined) return entry;
  const params = procedure.params.map((param) => (classes.isArrays(param) ? conversions.of(param.rep) : null));
  const results = procedure.results.map((rep, index): ArraysForList | null =>
    classes.isArraysOf(procedure.name, index) ? conversions.of(rep) : null,
  );
  return [...params, ...results].some((each) => each !== null) ? { ...entry, arrays: { params, results } } : entry;
}

/** A place in arrays that stand for a list. */
interface Place {
  readonly columns: readonly Atom[];
  /** How many cells the list has; null where that has not been asked for. */
  readonly length: Atom | null;
  /** The number of the cell: so many behind the one where a loop is, or behind the first one where that is null. */
  readonly base: Atom | null;
  readonly offset: number;
}

/** A number that counts up where a loop goes along lists, and the parameters that are at that cell. */
interface Counter {
  readonly at: Var;
  readonly start: Atom;
  /** Whether each iteration is one cell further. */
  readonly isInStep: boolean;
  readonly positions: number[];
}

class Rewriting {
  hasChanged = false;
  /** The parameters that are numbers of cells. */
  readonly numbers = new Set<string>();
  readonly #arrays = new Map<string, readonly Var[]>();
  /** For variables that are places in lists behind the first cell, or may be. */
  readonly #places = new Map<string, Place>();
  readonly #uses: Uses;
  /** The cells that are not made. */
  readonly #cells = new Set<string>();

  constructor(
    private readonly original: Procedure,
    private readonly lists: ListTypes,
    private readonly classes: ListClasses,
    private readonly callees: ListCallees,
    private readonly names: FlatNames,
  ) {
    this.#uses = new Uses(original.body);
  }

  procedure(): Procedure {
    const procedure = this.original;
    const results = procedure.results.flatMap((rep, index) =>
      this.classes.isArraysOf(procedure.name, index) ? this.#changed(this.lists.columns(rep)) : [rep],
    );
    return {
      ...procedure,
      results,
      captured: this.#variables(procedure.captured),
      params: procedure.params.flatMap((param) => this.#param(param)),
      body: this.#block(procedure.body, {}),
    };
  }

  #param(param: Var): readonly Var[] {
    const columns = this.#of(param);
    if (!this.classes.isPlace(param)) return columns;
    const at = this.#fresh("at", int);
    this.numbers.add(at.name);
    this.#places.set(param.name, { columns: columns.map(atomOf), length: null, base: atomOf(at), offset: 0 });
    return [...columns, at];
  }

  #changed<T>(value: T): T {
    this.hasChanged = true;
    return value;
  }

  /** The variables that stand for one. */
  #of(variable: Var): readonly Var[] {
    const known = this.#arrays.get(variable.name);
    if (known !== undefined) return known;
    const made = this.classes.isArrays(variable) ? this.#changed(this.#columnsOf(variable)) : [variable];
    this.#arrays.set(variable.name, made);
    return made;
  }

  #columnsOf({ name, rep }: Var): readonly Var[] {
    const [only, ...others] = this.lists.columns(rep);
    if (only !== undefined && others.length === 0) return [{ name, rep: only }];
    const suffixes = this.lists.suffixes(rep);
    return this.lists
      .columns(rep)
      .map((column, index) => ({ name: this.names.fresh({ stem: name, suffix: suffixes[index] ?? "" }), rep: column }));
  }

  #variables(variables: readonly Var[]): readonly Var[] {
    return variables.flatMap((variable) => this.#of(variable));
  }

  #atoms(atoms: readonly Atom[]): readonly Atom[] {
    return atoms.flatMap((atom) => (atom.kind === "var" ? this.#of(atom.variable).map(atomOf) : [atom]));
  }

  /** The one atom that stands for what holds no lists, and the first array where it does. */
  #atom(atom: Atom): Atom {
    const [first] = this.#atoms([atom]);
    if (first === undefined) throw new InternalError("flat", "no array stands for a list");
    return first;
  }

  /** `ends`: what is yielded, or the values of the next iteration of the loop that the block is the body of, where that is not what the values are. */
  #block({ stmts, end }: Block, ends: Ends): Block {
    const out: Stmt[] = [];
    for (const stmt of stmts) this.#stmt(stmt, out);
    const last = this.#end(end, ends, out);
    return { stmts: out, end: last };
  }

  #end(end: End, ends: Ends, out: Stmt[]): End {
    switch (end.kind) {
      case "yield":
      case "next":
        return { ...end, values: ends[end.kind]?.(end.values, out) ?? this.#atoms(end.values) };
      case "if":
        return { ...end, then: this.#block(end.then, ends), else: this.#block(end.else, ends) };
      case "switch": {
        const place = this.#placeOf(end.object);
        const branch = (con: string | undefined): Block =>
          this.#block(end.branches.find((each) => each.con === con)?.body ?? nothing(), ends);
        if (place === null) return { ...end, branches: end.branches.map(({ con }) => ({ con, body: branch(con) })) };
        const list = end.object.kind === "var" ? this.lists.of(end.object.variable.rep) : null;
        const more = this.#fresh("more", bool);
        const at = this.#numberOf(place, out);
        out.push(letOf(more, primitive("ltZ", at, this.#lengthOf(place, out))));
        return { kind: "if", cond: atomOf(more), then: branch(list?.cell), else: branch(list?.end) };
      }
    }
  }

  #stmt(stmt: Stmt, out: Stmt[]): void {
    switch (stmt.kind) {
      case "let":
        this.#let(stmt, out);
        return;
      case "check":
        out.push({ ...stmt, check: this.#check(stmt.check) });
        return;
      case "choose":
        out.push({ ...stmt, results: this.#variables(stmt.results), end: this.#end(stmt.end, {}, out) });
        return;
      case "call": {
        const args = stmt.args.flatMap((arg, index) => this.#arg(stmt.fn, index, arg, out));
        out.push({ ...stmt, fn: this.callees.nameOf(stmt.fn), args, results: this.#variables(stmt.results) });
        return;
      }
      case "apply":
        out.push({ ...stmt, args: this.#atoms(stmt.args), results: this.#variables(stmt.results) });
        return;
      case "loop":
        this.#loop(stmt, out);
        return;
      case "for":
        this.#for(stmt, out);
    }
  }

  #arg(fn: string, index: number, arg: Atom, out: Stmt[]): readonly Atom[] {
    const place = this.callees.isPlace(fn, index) ? this.#placeOf(arg) : null;
    return place === null ? this.#atoms([arg]) : [...place.columns, this.#changed(this.#numberOf(place, out))];
  }

  #check(check: Check): Check {
    return check.kind === "size" ? check : { ...check, array: this.#atom(check.array) };
  }

  #let(stmt: Stmt & { readonly kind: "let" }, out: Stmt[]): void {
    const { result, op } = stmt;
    if (op.kind === "field") {
      const place = this.#placeOf(op.object);
      if (place === null) out.push(stmt);
      else this.#field(result, op, place, out);
      return;
    }
    if (op.kind === "closure") {
      out.push({ ...stmt, op: { ...op, captured: this.#atoms(op.captured) } });
      return;
    }
    if (op.kind === "length") {
      out.push({ ...stmt, op: { ...op, array: this.#atom(op.array) } });
      return;
    }
    if (this.#cells.has(result.name)) return;
    if (op.kind === "object" && this.classes.isArrays(result)) {
      this.#list(result, op, out);
      return;
    }
    if (!this.classes.isArrays(result)) {
      out.push(stmt);
      return;
    }
    this.#of(result).forEach((column, index) => {
      const each = (atom: Atom): Atom => this.#atoms([atom])[index] ?? atom;
      out.push(letOf(column, columnOf(op, column, each)));
    });
  }

  /** A list is made: an empty one, or cells in front of one. */
  #list(result: Var, op: Operation & { readonly kind: "object" }, out: Stmt[]): void {
    const list = this.lists.of(result.rep);
    if (list === null || (op.con !== list.end && this.#uses.isBehindCell(result, list))) return;
    const { cells, rest } = op.con === list.end ? { cells: [], rest: null } : this.#uses.cellsOf(op, list);
    const leaves = cells.map((args) => list.leaves.flatMap(({ index }) => this.#atoms(args.slice(index, index + 1))));
    const columns = this.#of(result);
    const [cell = [], ...others] = leaves;
    const isOne = rest !== null && others.length === 0;
    const arrays = isOne
      ? []
      : columns.map((column) => (rest === null ? column : this.#fresh(column.name, column.rep)));
    arrays.forEach((column, index) => {
      const items = leaves.flatMap((each) => each.slice(index, index + 1));
      out.push(letOf(column, { kind: "array", element: elementOf(column), items }));
    });
    if (rest === null) return;
    const front = (at: Atom): Block => (isOne ? yieldOf([], cell) : this.#read(arrays.map(atomOf), at));
    this.#join(front, intAtom(cells.length), rest, columns, out);
  }

  /** Puts so many items in front of those of the arrays that stand for a list. */
  #join(front: (at: Atom) => Block, count: Atom, list: Atom, to: readonly Var[], out: Stmt[]): void {
    const place = this.#placeOf(list) ?? nothing();
    const start = this.#numberOf(place, out);
    const computed = (stem: string, op: "addZ" | "subZ", left: Atom, right: Atom, into: Stmt[]): Atom => {
      const result: Var = { name: this.names.own(stem), rep: int };
      into.push(letOf(result, primitive(op, left, right)));
      return atomOf(result);
    };
    const size = computed("size", "addZ", count, computed("behind", "subZ", this.#lengthOf(place, out), start, out), out); // prettier-ignore
    const [index, isFront] = [this.#fresh("at", int), this.#fresh("isFront", bool)];
    const items = to.map((column) => this.#fresh("item", elementOf(column)));
    const further: Stmt[] = [];
    const at = computed("at", "addZ", start, computed("at", "subZ", atomOf(index), count, further), further);
    const behind = this.#read(place.columns, at);
    const end: End = {
      kind: "if",
      cond: atomOf(isFront),
      then: front(atomOf(index)),
      else: { ...behind, stmts: [...further, ...behind.stmts] },
    };
    const test = letOf(isFront, primitive("ltZ", atomOf(index), count));
    const body = yieldOf([test, { kind: "choose", results: items, end }], items.map(atomOf));
    out.push({ kind: "for", index, count: size, params: [], init: [], body, results: [], arrays: to });
  }

  /** Yields the elements of arrays. */
  #read(arrays: readonly Atom[], index: Atom): Block {
    const stmts: Stmt[] = [];
    const values = arrays.map((array): Atom => {
      const item = this.#fresh("item", elementOf({ rep: repOf(array) }));
      stmts.push(letOf(item, { kind: "cell", array, index }));
      return atomOf(item);
    });
    return yieldOf(stmts, values);
  }

  #field(result: Var, op: Operation & { readonly kind: "field" }, place: Place, out: Stmt[]): void {
    const list = op.object.kind === "var" ? this.lists.of(op.object.variable.rep) : null;
    if (list === null) return;
    if (op.index === list.rest) {
      this.#places.set(result.name, { ...place, offset: place.offset + 1 });
      return;
    }
    const before = list.leaves.filter(({ index }) => index < op.index);
    const first = before.reduce((sum, { rep }) => sum + this.lists.columns(rep).length, 0);
    const index = this.#numberOf(place, out);
    this.#of(result).forEach((variable, at) => {
      const array = place.columns[first + at];
      if (array !== undefined) out.push(letOf(variable, { kind: "cell", array, index }));
    });
  }

  /** The place that a value is in a list that is arrays, also where that is the whole list. */
  #placeOf(atom: Atom): Place | null {
    if (atom.kind !== "var") return null;
    const known = this.#places.get(atom.variable.name);
    if (known !== undefined) return known;
    if (this.classes.cursor(atom.variable) === null) return null;
    return { columns: this.#atoms([atom]), length: null, base: null, offset: 0 };
  }

  /** The number of the cell at a place. */
  #numberOf({ base, offset }: Place, out: Stmt[]): Atom {
    if (base === null) return intAtom(offset);
    if (offset === 0) return base;
    const at = this.#fresh("at", int);
    out.push(letOf(at, primitive("addZ", base, intAtom(offset))));
    return atomOf(at);
  }

  #lengthOf({ columns: [array], length: known }: Place, out: Stmt[]): Atom {
    if (known !== null) return known;
    if (array === undefined) return nothing();
    const length = this.#fresh("length", int);
    out.push(letOf(length, { kind: "length", array }));
    return atomOf(length);
  }

  #loop(stmt: Stmt & { readonly kind: "loop" }, out: Stmt[]): void {
    const counters = this.#counters(stmt, out);
    const walks = new Set(counters.flatMap(({ positions }) => positions));
    const kept = <T>(list: readonly T[]): readonly T[] => list.filter((_, index) => !walks.has(index));
    const found = stmt.results.map((result) => this.#found(result));
    const iterations: Ends = {
      next: (values, inner) => {
        const next = counters.map(({ positions: [position = 0] }): Atom => {
          const value = values[position];
          const place = value === undefined ? null : this.#placeOf(value);
          return place === null ? nothing() : this.#numberOf(place, inner);
        });
        return [...next, ...this.#atoms(kept(values))];
      },
      yield: (values, inner) => {
        return values.flatMap((value, index): readonly Atom[] => {
          const place = (found[index] ?? null) === null ? null : this.#placeOf(value);
          return place === null ? this.#atoms([value]) : [this.#numberOf(place, inner)];
        });
      },
    };
    out.push({
      ...stmt,
      params: [...counters.map(({ at }) => at), ...this.#variables(kept(stmt.params))],
      init: [...counters.map(({ start }) => start), ...this.#atoms(kept(stmt.init))],
      body: this.#block(stmt.body, iterations),
      results: stmt.results.flatMap((result, index) => found[index] ?? this.#of(result)),
      arrays: this.#variables(stmt.arrays),
    });
  }

  /** The number of the cell that a loop has found, if that is what a result of it is. */
  #found(result: Var): Var | null {
    const whole = this.classes.placeIn(result);
    if (whole === null) return null;
    const at = this.#fresh("at", int);
    this.#places.set(result.name, { columns: this.#of(whole).map(atomOf), length: null, base: atomOf(at), offset: 0 });
    return at;
  }

  /** The counters of a loop for the lists that it goes along; there is one for all that it begins at the same cell and goes along in step. */
  #counters({ params, init, body }: Stmt & { readonly kind: "loop" }, out: Stmt[]): readonly Counter[] {
    const counters: Counter[] = [];
    params.forEach((param, position) => {
      const begin = init[position];
      const place = this.classes.cursor(param)?.base?.name === param.name && begin !== undefined ? this.#placeOf(begin) : null; // prettier-ignore
      if (place === null) return;
      const start = this.#changed(this.#numberOf(place, out));
      const isInStep = [...endsOf(body)].every(
        (end) => end.kind !== "next" || this.#stepFrom(param, end.values[position]) === 1,
      );
      const known = counters.find((counter) => isInStep && counter.isInStep && sameAtom(counter.start, start));
      const counter = known ?? { at: this.#fresh("at", int), start, positions: [], isInStep };
      if (known === undefined) counters.push(counter);
      counter.positions.push(position);
      this.#places.set(param.name, {
        columns: place.columns,
        length: this.#lengthOf(place, out),
        base: atomOf(counter.at),
        offset: 0,
      });
    });
    return counters;
  }

  /** By how many cells a value is behind the one where a loop is; null where that is not known. */
  #stepFrom(param: Var, value: Atom | undefined): number | null {
    const cursor = value?.kind === "var" ? this.classes.cursor(value.variable) : null;
    return cursor?.base?.name === param.name ? cursor.offset : null;
  }

  #for(stmt: Stmt & { readonly kind: "for" }, out: Stmt[]): void {
    const made = this.classes.made(stmt);
    if (made !== null) {
      this.#making(stmt, made, out);
      return;
    }
    out.push({
      ...stmt,
      params: this.#variables(stmt.params),
      init: this.#atoms(stmt.init),
      body: this.#block(stmt.body, {}),
      results: this.#variables(stmt.results),
      arrays: this.#variables(stmt.arrays),
    });
  }

  /** A loop that makes a list, the last cell first. */
  #making(stmt: Stmt & { readonly kind: "for" }, made: Made, out: Stmt[]): void {
    const others = <T>(list: readonly T[]): readonly T[] => list.filter((_, index) => index !== made.position);
    const whole = stmt.results[made.position];
    if (whole === undefined) throw new InternalError("flat", "a loop lacks a result");
    this.#cells.add(made.cell);
    const columns = this.#of(whole).map((column) =>
      made.rest === null ? column : this.#fresh(column.name, column.rep),
    );
    const args = made.list.leaves.flatMap(({ index }) => this.#atoms(made.args.slice(index, index + 1)));
    const [count, last] = [this.#fresh("count", int), this.#fresh("last", int)];
    out.push(letOf(count, primitive("maxZ", stmt.count, intAtom(0))));
    out.push(letOf(last, primitive("subZ", atomOf(count), intAtom(1))));
    const isFree = stmt.params.length === 1 && stmt.arrays.length === 0 && stmt.body.stmts.every(isInAnyOrder);
    const index = isFree ? this.#fresh("at", int) : stmt.index;
    const reversed = isFree ? columns : columns.map(({ name, rep }) => this.#fresh(name, rep));
    const body = this.#block(stmt.body, { yield: (values) => [...this.#atoms(others(values)), ...args] });
    const place = letOf(stmt.index, primitive("subZ", atomOf(last), atomOf(index)));
    out.push({
      ...stmt,
      index,
      count: atomOf(count),
      params: this.#variables(others(stmt.params)),
      init: this.#atoms(others(stmt.init)),
      results: this.#variables(others(stmt.results)),
      arrays: [...this.#variables(stmt.arrays), ...reversed],
      body: isFree ? { ...body, stmts: [place, ...body.stmts] } : body,
    });
    if (!isFree) out.push(this.#turnedAround(reversed, columns, atomOf(count), atomOf(last)));
    if (made.rest !== null)
      this.#join((at) => this.#read(columns.map(atomOf), at), atomOf(count), made.rest, this.#of(whole), out);
  }

  #turnedAround(from: readonly Var[], to: readonly Var[], count: Atom, last: Atom): Stmt {
    const [index, place] = [this.#fresh("at", int), this.#fresh("place", int)];
    const stmts: Stmt[] = [letOf(place, primitive("subZ", last, atomOf(index)))];
    const values = from.map((array): Atom => {
      const item = this.#fresh(`${array.name}At`, elementOf(array));
      stmts.push(letOf(item, { kind: "cell", array: atomOf(array), index: atomOf(place) }));
      return atomOf(item);
    });
    const body: Block = { stmts, end: { kind: "yield", values } };
    return { kind: "for", index, count, params: [], init: [], body, results: [], arrays: to };
  }

  #fresh(stem: string, rep: Rep): Var {
    return { name: this.names.fresh({ stem, suffix: "" }), rep };
  }
}

/** What becomes of the values at the ends of a block; `out` is given what computes them. */
type Ends = { readonly [kind in "next" | "yield"]?: (values: readonly Atom[], out: Stmt[]) => readonly Atom[] };

function nothing(): never {
  throw new InternalError("flat", "a list lacks an array, or a switch a branch");
}

function elementOf({ rep }: Pick<Var, "rep">): Rep {
  return rep.kind === "array" ? rep.element : nothing();
}

function primitive(op: "ltZ" | "addZ" | "subZ" | "maxZ", left: Atom, right: Atom): Operation {
  return { kind: "prim", op, args: [left, right], site: null };
}

/** Whether a statement does the same whatever iterations come before. */
function isInAnyOrder(stmt: Stmt): boolean {
  return stmt.kind === "let" && (stmt.op.kind !== "prim" || stmt.op.site === null);
}

/** The operation for one of the arrays that stand for its result; `each` is that one of another list's. */
function columnOf(op: Operation, { rep }: Var, each: (atom: Atom) => Atom): Operation {
  switch (op.kind) {
    case "copy":
      return { ...op, value: each(op.value) };
    case "cell":
      return { ...op, array: each(op.array) };
    case "array":
    case "object":
      if (rep.kind !== "array") break;
      return { kind: "array", element: rep.element, items: op.kind === "array" ? op.items.map(each) : [] };
    default:
  }
  throw new InternalError("flat", `arrays cannot stand for what ${op.kind} makes`);
}
