// Finds lists that a loop makes cell by cell, and that loops only walk from the first cell on.

import { isVariable, sameAtom } from "./build.js";
import type { ListType } from "./list-types.js";
import type { Atom, Block, End, Operation, Procedure, Stmt, Var } from "./program.js";
import { allBlocks, atomsOf, boundBy, endsOf } from "./traverse.js";

type Loop = Stmt & { readonly kind: "loop" };
type For = Stmt & { readonly kind: "for" };
type ObjectOperation = Operation & { readonly kind: "object" };

/** The constructor of the cells of a list, and which leaf of a cell is the rest. */
type Cells = Pick<ListType, "cell" | "rest">;

/** Where a field of the cells is found. */
export type Column =
  /** The same in all cells. */
  | { readonly kind: "same"; readonly value: Atom }
  /** In an array that is there, from the first cell on. */
  | { readonly kind: "array"; readonly array: Atom }
  /** Each round makes one; the last round makes the first cell. */
  | { readonly kind: "made"; readonly value: Atom };

export interface ListLoops {
  /** The loop that makes the list; which of its parameters is the list so far, and the variable that is the new cell. */
  readonly made: For;
  readonly position: number;
  readonly variable: string;
  /** The constructors of the cells and of the end; which leaf of a cell is the rest. */
  readonly cell: string;
  readonly end: string;
  readonly rest: number;
  /** For each leaf that is read. */
  readonly columns: ReadonlyMap<number, Column>;
  /** The loops that walk the list, with the positions of the parameters that do. */
  readonly walks: ReadonlyMap<Loop, readonly number[]>;
}

/** The first list of this kind in a procedure; null where there is none. */
export function findList({ body }: Procedure): ListLoops | null {
  const uses = new Uses(body);
  for (const { stmts } of allBlocks(body)) {
    for (const stmt of stmts) {
      if (stmt.kind !== "for") continue;
      for (const position of stmt.params.keys()) {
        const found = listOf(stmt, position, uses);
        if (found !== null) return found;
      }
    }
  }
  return null;
}

function listOf(made: For, position: number, uses: Uses): ListLoops | null {
  const [param, start, result] = [made.params[position], made.init[position], made.results[position]];
  const { stmts, end } = made.body;
  if (param?.rep.kind !== "object" || start === undefined || result === undefined || end.kind !== "yield") return null;
  const cell = end.values[position];
  if (cell?.kind !== "var" || uses.count(cell.variable) !== 1 || uses.count(param) !== 1) return null;
  const op = uses.definition(cell);
  if (op?.kind !== "object" || !stmts.some((stmt) => stmt.kind === "let" && stmt.op === op)) return null;
  const rest = op.args.findIndex((arg) => arg.kind === "var" && arg.variable.name === param.name);
  const last = uses.emptyConstructor(start);
  if (rest === -1 || last === null || last === op.con) return null;
  const walks = new Map<Loop, readonly number[]>();
  const read = new Set<number>();
  let count = 0;
  for (const loop of uses.loops) {
    const positions = [...loop.init.keys()].filter((index) => isVariable(loop.init[index], result));
    if (positions.length === 0) continue;
    for (const index of positions) if (!uses.isWalk(loop, index, op.con, rest, read)) return null;
    walks.set(loop, positions);
    count += positions.length;
  }
  if (count === 0 || count !== uses.count(result)) return null;
  const columns = new Map([...read].map((index) => [index, columnOf(op.args[index], made, uses)] as const));
  const kept = new Map<number, Column>();
  for (const [index, column] of columns) {
    // An array has as many elements as there are rounds: the count must not be negative
    if (column === null || (column.kind === "made" && !uses.isLength(made.count))) return null;
    kept.set(index, column);
  }
  return { made, position, variable: cell.variable.name, cell: op.con, end: last, rest, columns: kept, walks };
}

function columnOf(value: Atom | undefined, { params, body, count, index }: For, uses: Uses): Column | null {
  if (value === undefined) return null;
  const inside = boundIn(body);
  for (const { name } of [index, ...params]) inside.add(name);
  const isOutside = (atom: Atom): boolean => atom.kind !== "var" || !inside.has(atom.variable.name);
  const op = uses.definition(value);
  if (isOutside(value)) return { kind: "same", value };
  if (op?.kind === "cell" && isOutside(op.array) && uses.isFromTheEnd(op.index, count, index))
    return { kind: "array", array: op.array };
  return { kind: "made", value };
}

function boundIn(body: Block): Set<string> {
  const names = new Set<string>();
  for (const { stmts } of allBlocks(body)) {
    for (const stmt of stmts) {
      for (const { name } of boundBy(stmt)) names.add(name);
      if (stmt.kind === "loop" || stmt.kind === "for") for (const { name } of stmt.params) names.add(name);
      if (stmt.kind === "for") names.add(stmt.index.name);
    }
  }
  return names;
}

/** What is known of the variables of a procedure. */
export class Uses {
  readonly loops: Loop[] = [];
  readonly #counts = new Map<string, number>();
  readonly #definitions = new Map<string, Operation>();
  /** For variables that are arguments of an object: the last one. */
  readonly #holders = new Map<string, ObjectOperation>();
  /** For the results of choices and loops: what they may be. */
  readonly #yielded = new Map<string, readonly Atom[]>();
  /** For the results of loops: which of them. */
  readonly #loopOf = new Map<string, { readonly loop: Loop; readonly index: number }>();
  /** The variables that are switched on, once for each time. */
  readonly #switched = new Map<string, number>();

  constructor(body: Block) {
    for (const { stmts, end } of allBlocks(body)) {
      for (const stmt of stmts) this.#stmt(stmt);
      this.#end(end);
    }
  }

  count({ name }: Var): number {
    return this.#counts.get(name) ?? 0;
  }

  definition(atom: Atom): Operation | null {
    return atom.kind === "var" ? (this.#definitions.get(atom.variable.name) ?? null) : null;
  }

  isLength(atom: Atom): boolean {
    if (atom.kind === "int") return atom.value >= 0;
    const op = this.definition(atom);
    if (op?.kind === "prim") return op.op === "maxZ" && op.args.some((arg) => arg.kind === "int" && arg.value >= 0);
    return op?.kind === "length";
  }

  /** Whether an atom is `count - 1 - index`. */
  isFromTheEnd(atom: Atom, count: Atom, index: Var): boolean {
    const whole = this.definition(atom);
    if (whole?.kind !== "prim" || whole.op !== "subZ") return false;
    const [last, by] = whole.args;
    const before = last === undefined ? null : this.definition(last);
    if (before?.kind !== "prim" || before.op !== "subZ" || !isVariable(by, index)) return false;
    const [from, one] = before.args;
    return from !== undefined && sameAtom(from, count) && one?.kind === "int" && one.value === 1;
  }

  /** The constructor without fields that makes a value; null where that is not known. */
  emptyConstructor(atom: Atom): string | null {
    if (atom.kind !== "var") return null;
    const op = this.definition(atom);
    if (op !== null) return op.kind === "object" && op.args.length === 0 ? op.con : null;
    const made = this.#yielded.get(atom.variable.name)?.map((each) => this.emptyConstructor(each)) ?? [];
    const [first] = made;
    return first !== undefined && made.every((each) => each === first) ? first : null;
  }

  /** The cells in front of a list that an object is, by their arguments, and the list behind them; null for an empty one. */
  cellsOf(
    object: ObjectOperation,
    list: ListType,
  ): { readonly cells: readonly (readonly Atom[])[]; readonly rest: Atom | null } {
    const cells: (readonly Atom[])[] = [];
    for (let { args } = object; ;) {
      cells.push(args);
      const rest = args[list.rest];
      if (rest === undefined || this.emptyConstructor(rest) === list.end) return { cells, rest: null };
      const op = this.definition(rest);
      if (op?.kind !== "object") return { cells, rest };
      ({ args } = op);
    }
  }

  /** Whether all that is done with a list is to put cells in front of it. */
  isBehindCell(variable: Var, { cell, rest }: Cells): boolean {
    const holder = this.#holders.get(variable.name);
    return this.count(variable) === 1 && holder?.con === cell && isVariable(holder.args[rest], variable);
  }

  /** Whether each round leaves a parameter of a loop at its cell of a list or takes it to a later one, and some do that. */
  advances({ params, body }: Loop, position: number, list: Cells): boolean {
    const param = params[position];
    if (param === undefined) return false;
    const steps = [...endsOf(body)].flatMap(({ kind, values }) =>
      kind === "next" ? [this.#stepsFrom(param, values[position], list)] : [],
    );
    return steps.every((step) => step !== null) && steps.some((step) => step !== 0);
  }

  /** How many cells a value is behind a place in a list, at least; null where that is not known. */
  #stepsFrom(place: Var, value: Atom | undefined, { cell, rest }: Cells): number | null {
    let steps = 0;
    for (let at = value; !isVariable(at, place);) {
      const op = at === undefined ? null : this.definition(at);
      if (op?.kind === "field" && op.con === cell && op.index === rest) {
        steps += 1;
        at = op.object;
      } else {
        const start = at?.kind === "var" ? this.#searchedFrom(at.variable, { cell, rest }) : null;
        if (start === null) return null;
        at = start;
      }
    }
    return steps;
  }

  /** Where a loop begins of which a result is some place in the list behind; null where it is none. */
  #searchedFrom({ name }: Var, list: Cells): Atom | null {
    const search = this.#loopOf.get(name);
    if (search === undefined) return null;
    const { loop, index } = search;
    const yields = [...endsOf(loop.body)].filter(({ kind }) => kind === "yield");
    const position = loop.params.findIndex(
      (param, at) =>
        yields.every(({ values }) => this.#stepsFrom(param, values[index], list) !== null) &&
        this.advances(loop, at, list),
    );
    return loop.init[position] ?? null;
  }

  /** Whether a parameter of a loop goes from cell to cell, and nothing else is done with it; notes the leaves that are read. */
  isWalk({ params, body }: Loop, position: number, con: string, rest: number, read: Set<number>): boolean {
    const param = params[position];
    if (param === undefined) return false;
    const rests = new Map<string, Var>();
    let known = this.#switched.get(param.name) ?? 0;
    for (const { stmts } of allBlocks(body)) {
      for (const stmt of stmts) {
        if (stmt.kind !== "let" || stmt.op.kind !== "field" || !isVariable(stmt.op.object, param)) continue;
        if (stmt.op.con !== con) return false;
        if (stmt.op.index === rest) rests.set(stmt.result.name, stmt.result);
        else read.add(stmt.op.index);
        known += 1;
      }
    }
    if (known !== this.count(param)) return false;
    let steps = 0;
    for (const { kind, values } of endsOf(body)) {
      if (kind !== "next") continue;
      const value = values[position];
      if (value?.kind !== "var" || !rests.has(value.variable.name)) return false;
      steps += 1;
    }
    return [...rests.values()].reduce((sum, variable) => sum + this.count(variable), 0) === steps;
  }

  #stmt(stmt: Stmt): void {
    this.#note(atomsOf(stmt));
    if (stmt.kind === "let") this.#define(stmt.result, stmt.op);
    if (stmt.kind === "choose") {
      this.#end(stmt.end);
      this.#results(stmt.results, { stmts: [], end: stmt.end });
    }
    if (stmt.kind === "loop") {
      this.loops.push(stmt);
      stmt.results.forEach(({ name }, index) => this.#loopOf.set(name, { loop: stmt, index }));
      this.#results(stmt.results, stmt.body);
    }
  }

  #define({ name }: Var, op: Operation): void {
    this.#definitions.set(name, op);
    if (op.kind !== "object") return;
    for (const arg of op.args) if (arg.kind === "var") this.#holders.set(arg.variable.name, op);
  }

  #results(results: readonly Var[], body: Block): void {
    const ends = [...endsOf(body)].filter(({ kind }) => kind === "yield");
    results.forEach(({ name }, index) => {
      this.#yielded.set(name, ends.flatMap(({ values }) => values[index] ?? [])); // prettier-ignore
    });
  }

  #end(end: End): void {
    switch (end.kind) {
      case "yield":
      case "next":
        this.#note(end.values);
        return;
      case "if":
        this.#note([end.cond]);
        return;
      case "switch":
        this.#note([end.object]);
        if (end.object.kind === "var") {
          const { name } = end.object.variable;
          this.#switched.set(name, (this.#switched.get(name) ?? 0) + 1);
        }
    }
  }

  #note(atoms: readonly Atom[]): void {
    for (const atom of atoms)
      if (atom.kind === "var") this.#counts.set(atom.variable.name, (this.#counts.get(atom.variable.name) ?? 0) + 1);
  }
}
