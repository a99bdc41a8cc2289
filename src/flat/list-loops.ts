// What is known of the variables of a procedure, for lists that loops make cell by cell and walk.

import { isVariable } from "./build.js";
import type { ListType } from "./list-types.js";
import type { Atom, Block, End, Operation, Stmt, Var } from "./program.js";
import { allBlocks, atomsOf, endsOf } from "./traverse.js";

type Loop = Stmt & { readonly kind: "loop" };
type ObjectOperation = Operation & { readonly kind: "object" };

/** The constructor of the cells of a list, and which leaf of a cell is the rest. */
type Cells = Pick<ListType, "cell" | "rest">;

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

  /** Whether each iteration leaves a parameter of a loop at its cell of a list or takes it to a later one, and some do that. */
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
