// Lists of reals become arrays in the whole program where loops make them and walk them: parameters, results and what is carried along. Entries are
// given arrays, too; `list-conversions.ts` makes what turns lists into them and back.
//
//   function f(l : List R) = r = loop (m = l) switch m { Nil -> yield a; Cons -> y = m.Cons.0; ys = m.Cons.1; ..; next ys }
//     =>   function f(l : [R]) = n = length l; r = loop (at = 0) more = at < n; if more then y = l ! at; ..; at1 = at + 1; next at1 else yield a
//
// A list that a loop makes cell by cell from the last one on is made from the first one on, or turned around where rounds need the one before.

import { InternalError } from "../internal-error.js";
import { withoutCopies } from "./array-copies.js";
import { atomOf, intAtom, letOf } from "./build.js";
import { withoutDeadCode } from "./dead-code.js";
import { withJointExits } from "./joint-exits.js";
import { Leaves } from "./leaves.js";
import { ListClasses, type Made } from "./list-classes.js";
import { ListConversions } from "./list-conversions.js";
import { ListTypes } from "./list-types.js";
import { FlatNames } from "./naming.js";
import { bool, int, type ArraysForList, type Atom, type Block, type Check, type End, type FlatEntry, type Operation, type Procedure, type Program, type Rep, type Stmt, type Var } from "./program.js"; // prettier-ignore
import { refine } from "./refine.js";
import { allNames } from "./traverse.js";

/** The program, with the same meaning. `names` are those of the program. */
export function listArrays(program: Program, names = new FlatNames(allNames(program))): Program {
  const lists = new ListTypes(new Leaves(program.data));
  const classes = new ListClasses(program, lists);
  const conversions = new ListConversions(lists, names);
  const entries = program.entries.map((entry) => withArrays(entry, program, classes, conversions));
  const changed = new Set<string>();
  const procedures = program.procedures.map((procedure) => {
    const rewriting = new Rewriting(procedure.name, lists, classes, names);
    const rewritten = rewriting.procedure(procedure);
    if (!rewriting.hasChanged) return procedure;
    changed.add(procedure.name);
    // Loops that walk several lists count to the least of their lengths; then arrays that are others, then lengths that are others
    const joint = withJointExits(withoutDeadCode(refine(rewritten, names)), names);
    const counted = withoutCopies(withoutDeadCode(refine(joint, names)));
    return withoutDeadCode(refine(counted, names));
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

/** A parameter of a loop that goes along arrays. */
interface Walk {
  /** How many cells there are, and the number of the one that it is at. */
  readonly count: Var;
  readonly at: Var;
  readonly columns: readonly Atom[];
}

class Rewriting {
  hasChanged = false;
  readonly #arrays = new Map<string, readonly Var[]>();
  readonly #walks = new Map<string, Walk>();
  /** The cells that are not made. */
  readonly #cells = new Set<string>();

  constructor(
    private readonly name: string,
    private readonly lists: ListTypes,
    private readonly classes: ListClasses,
    private readonly names: FlatNames,
  ) {}

  procedure(procedure: Procedure): Procedure {
    const results = procedure.results.flatMap((rep, index) =>
      this.classes.isArraysOf(this.name, index) ? this.#changed(this.lists.columns(rep)) : [rep],
    );
    return {
      ...procedure,
      results,
      captured: this.#variables(procedure.captured),
      params: this.#variables(procedure.params),
      body: this.#block(procedure.body, null),
    };
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
    return this.lists
      .columns(rep)
      .map((column, index) => (index === 0 ? { name, rep: column } : this.#fresh(name, column)));
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

  /** `next`: the values of the next round of the loop that the block is the body of, and what computes them. */
  #block({ stmts, end }: Block, next: Next | null): Block {
    const out: Stmt[] = [];
    for (const stmt of stmts) this.#stmt(stmt, out);
    const last = this.#end(end, next, out);
    return { stmts: out, end: last };
  }

  #end(end: End, next: Next | null, out: Stmt[]): End {
    switch (end.kind) {
      case "yield":
      case "next":
        return { ...end, values: next?.kind === end.kind ? next.values(end.values, out) : this.#atoms(end.values) };
      case "if":
        return { ...end, then: this.#block(end.then, next), else: this.#block(end.else, next) };
      case "switch": {
        const walk = end.object.kind === "var" ? this.#walks.get(end.object.variable.name) : undefined;
        const branch = (con: string | undefined): Block =>
          this.#block(end.branches.find((each) => each.con === con)?.body ?? nothing(), next);
        if (walk === undefined)
          return { ...end, branches: end.branches.map(({ con }) => ({ con, body: branch(con) })) };
        const list = end.object.kind === "var" ? this.lists.of(end.object.variable.rep) : null;
        const more = this.#fresh("more", bool);
        out.push(letOf(more, primitive("ltZ", atomOf(walk.at), atomOf(walk.count))));
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
        out.push({ ...stmt, results: this.#variables(stmt.results), end: this.#end(stmt.end, null, out) });
        return;
      case "call":
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

  #check(check: Check): Check {
    return check.kind === "size" ? check : { ...check, array: this.#atom(check.array) };
  }

  #let(stmt: Stmt & { readonly kind: "let" }, out: Stmt[]): void {
    const { result, op } = stmt;
    if (op.kind === "field") {
      const walk = op.object.kind === "var" ? this.#walks.get(op.object.variable.name) : undefined;
      if (walk === undefined) out.push(stmt);
      else this.#field(result, op, walk, out);
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
    if (!this.classes.isArrays(result)) {
      out.push(stmt);
      return;
    }
    this.#of(result).forEach((column, index) => {
      const each = (atom: Atom): Atom => this.#atoms([atom])[index] ?? atom;
      out.push(letOf(column, columnOf(op, column, each)));
    });
  }

  #field(result: Var, op: Operation & { readonly kind: "field" }, walk: Walk, out: Stmt[]): void {
    const list = op.object.kind === "var" ? this.lists.of(op.object.variable.rep) : null;
    if (list === null || op.index === list.rest) return;
    const before = list.leaves.filter(({ index }) => index < op.index);
    const first = before.reduce((sum, { rep }) => sum + this.lists.columns(rep).length, 0);
    this.#of(result).forEach((variable, index) => {
      const array = walk.columns[first + index];
      if (array !== undefined) out.push(letOf(variable, { kind: "cell", array, index: atomOf(walk.at) }));
    });
  }

  #loop(stmt: Stmt & { readonly kind: "loop" }, out: Stmt[]): void {
    const at = this.#fresh("at", int);
    const walks = new Set<number>();
    stmt.params.forEach((param, index) => {
      const list = this.classes.walked(param);
      if (list === null) return;
      const columns = this.#of(list).map(atomOf);
      const [array] = columns;
      if (array === undefined) return;
      const count = this.#fresh("length", int);
      out.push(letOf(count, { kind: "length", array }));
      this.#walks.set(param.name, { count, at, columns });
      walks.add(index);
    });
    const kept = <T>(list: readonly T[]): readonly T[] => list.filter((_, index) => !walks.has(index));
    const counter = walks.size > 0 ? this.#changed([at]) : [];
    const rounds: Next = {
      kind: "next",
      values: (values, inner) => {
        const next = counter.map((): Atom => {
          const further = this.#fresh("at", int);
          inner.push(letOf(further, primitive("addZ", atomOf(at), intAtom(1))));
          return atomOf(further);
        });
        return [...next, ...this.#atoms(kept(values))];
      },
    };
    out.push({
      ...stmt,
      params: [...counter, ...this.#variables(kept(stmt.params))],
      init: [...counter.map(() => intAtom(0)), ...this.#atoms(kept(stmt.init))],
      body: this.#block(stmt.body, rounds),
      results: this.#variables(stmt.results),
      arrays: this.#variables(stmt.arrays),
    });
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
      body: this.#block(stmt.body, null),
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
    const columns = this.#of(whole);
    const args = made.list.leaves.flatMap(({ index }) => this.#atoms(made.args.slice(index, index + 1)));
    const [count, last] = [this.#fresh("count", int), this.#fresh("last", int)];
    out.push(letOf(count, primitive("maxZ", stmt.count, intAtom(0))));
    out.push(letOf(last, primitive("subZ", atomOf(count), intAtom(1))));
    const isFree = stmt.params.length === 1 && stmt.arrays.length === 0 && stmt.body.stmts.every(isInAnyOrder);
    const index = isFree ? this.#fresh("at", int) : stmt.index;
    const reversed = isFree ? columns : columns.map(({ name, rep }) => this.#fresh(name, rep));
    const body = this.#block(stmt.body, {
      kind: "yield",
      values: (values) => [...this.#atoms(others(values)), ...args],
    });
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
  }

  #turnedAround(from: readonly Var[], to: readonly Var[], count: Atom, last: Atom): Stmt {
    const [index, place] = [this.#fresh("at", int), this.#fresh("place", int)];
    const stmts: Stmt[] = [letOf(place, primitive("subZ", last, atomOf(index)))];
    const values = from.map((array): Atom => {
      const item = this.#fresh(`${array.name}At`, array.rep.kind === "array" ? array.rep.element : array.rep);
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

interface Next {
  readonly kind: "next" | "yield";
  readonly values: (values: readonly Atom[], out: Stmt[]) => readonly Atom[];
}

function nothing(): never {
  throw new InternalError("flat", "a switch lacks a branch");
}

function primitive(op: "ltZ" | "addZ" | "subZ" | "maxZ", left: Atom, right: Atom): Operation {
  return { kind: "prim", op, args: [left, right], site: null };
}

/** Whether a statement does the same whatever rounds come before. */
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
