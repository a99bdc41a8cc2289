// Lists that a loop makes cell by cell, and that loops only walk, become the arrays of their fields: no cell is made.
//
//   l = for up < n (rest = end) { x = ..; cell = Cons(x, rest); yield cell }           where end = Nil()
//   r = loop (m = l) switch m { Nil -> yield a; Cons -> y = m.Cons.0; ys = m.Cons.1; ..; next ys }
//     =>   [xs] = for up < n { x = ..; yield x }
//          r = loop (at = 0) more = at < n; if more then y = xs ! (n - 1 - at); at1 = at + 1; ..; next at1 else yield a
//
// A field that is read from an array in the same order needs no array of its own. What remains is a loop that counts, for `refine`.

import { atomOf, intAtom, letOf, repOf } from "./build.js";
import { withoutCopies } from "./array-copies.js";
import { withoutDeadCode } from "./dead-code.js";
import { findList, type Column, type ListLoops } from "./list-loops.js";
import { FlatNames } from "./naming.js";
import { bool, int, type Atom, type Block, type End, type Program, type Stmt, type Var } from "./program.js"; // prettier-ignore
import { refine } from "./refine.js";
import { allNames } from "./traverse.js";

/** A procedure is searched anew for each list: not more often than this. */
const most = 100;

/** The program, with the same meaning. `names` are those of the program. */
export function listColumns(program: Program, names = new FlatNames(allNames(program))): Program {
  const procedures = program.procedures.map((procedure) => {
    let current = procedure;
    for (let count = 0; count < most; count += 1) {
      const list = findList(current);
      if (list === null) break;
      current = { ...current, body: new Rewriting(list, names).block(current.body) };
    }
    if (current === procedure) return procedure;
    // Loops that count, then arrays that are others, then lengths that are others
    const counted = withoutCopies(withoutDeadCode(refine(current, names)));
    return withoutDeadCode(refine(counted, names));
  });
  return { ...program, procedures };
}

class Rewriting {
  /** The arrays of the fields that have one of their own. */
  readonly #arrays = new Map<number, Var>();
  /** The last index of the arrays. */
  readonly #last: Var;
  /** For each variable that goes along the list, where it is. */
  readonly #positions = new Map<string, Var>();
  /** What stands for the rests of the list. */
  readonly #rests = new Map<string, Atom>();

  constructor(
    private readonly list: ListLoops,
    private readonly names: FlatNames,
  ) {
    this.#last = this.#fresh("last", int);
    for (const [index, column] of list.columns) {
      if (column.kind !== "made") continue;
      const array = this.#fresh(stemOf(column.value), { kind: "array", element: repOf(column.value) });
      this.#arrays.set(index, array);
    }
  }

  block({ stmts, end }: Block): Block {
    const out: Stmt[] = [];
    for (const stmt of stmts) this.#stmt(stmt, out);
    return { end: this.#end(end, out), stmts: out };
  }

  #end(end: End, out: Stmt[]): End {
    switch (end.kind) {
      case "yield":
      case "next":
        return { ...end, values: end.values.map((value) => this.#atom(value)) };
      case "if":
        return { ...end, then: this.block(end.then), else: this.block(end.else) };
      case "switch": {
        const at = this.#positionOf(end.object);
        const branches = end.branches.map(({ con, body }) => ({ con, body }));
        const cell = branches.find(({ con }) => con === this.list.cell);
        const last = branches.find(({ con }) => con === this.list.end);
        if (at === null || cell === undefined || last === undefined)
          return { ...end, branches: branches.map(({ con, body }) => ({ con, body: this.block(body) })) };
        const more = this.#fresh("more", bool);
        out.push(letOf(more, { kind: "prim", op: "ltZ", args: [atomOf(at), this.list.made.count], site: null }));
        return { kind: "if", cond: atomOf(more), then: this.block(cell.body), else: this.block(last.body) };
      }
    }
  }

  #stmt(stmt: Stmt, out: Stmt[]): void {
    switch (stmt.kind) {
      case "let":
        this.#let(stmt, out);
        return;
      case "choose": {
        const end = this.#end(stmt.end, out);
        out.push({ ...stmt, end });
        return;
      }
      case "for":
        if (stmt === this.list.made) this.#made(stmt, out);
        else out.push({ ...stmt, body: this.block(stmt.body) });
        return;
      case "loop": {
        const position = this.list.walks.get(stmt);
        if (position === undefined) {
          out.push({ ...stmt, body: this.block(stmt.body) });
          return;
        }
        const [params, init] = [[...stmt.params], [...stmt.init]];
        for (const index of position) {
          const param = params[index];
          if (param === undefined) continue;
          const at = this.#fresh("at", int);
          this.#positions.set(param.name, at);
          params[index] = at;
          init[index] = intAtom(0);
        }
        out.push({ ...stmt, params, init, body: this.block(stmt.body) });
        return;
      }
      default:
        out.push(stmt);
    }
  }

  #let(stmt: Stmt & { readonly kind: "let" }, out: Stmt[]): void {
    const { result, op } = stmt;
    const at = op.kind === "field" ? this.#positionOf(op.object) : null;
    if (op.kind !== "field" || at === null) {
      out.push(stmt);
      return;
    }
    if (op.index === this.list.rest) {
      const next = this.#fresh("at", int);
      out.push(letOf(next, { kind: "prim", op: "addZ", args: [atomOf(at), intAtom(1)], site: null }));
      this.#rests.set(result.name, atomOf(next));
      return;
    }
    const column = this.list.columns.get(op.index);
    if (column !== undefined) this.#read(result, column, this.#arrays.get(op.index), at, out);
  }

  #read(result: Var, column: Column, made: Var | undefined, at: Var, out: Stmt[]): void {
    switch (column.kind) {
      case "same":
        out.push(letOf(result, { kind: "copy", value: column.value }));
        return;
      case "array":
        out.push(letOf(result, { kind: "cell", array: column.array, index: atomOf(at) }));
        return;
      case "made": {
        if (made === undefined) return;
        const index = this.#fresh("index", int);
        out.push(
          letOf(index, { kind: "prim", op: "subZ", args: [atomOf(this.#last), atomOf(at)], site: null }),
          letOf(result, { kind: "cell", array: atomOf(made), index: atomOf(index) }),
        );
        return;
      }
    }
  }

  /** The loop that makes the list, without it. */
  #made(stmt: Stmt & { readonly kind: "for" }, out: Stmt[]): void {
    const { position, variable } = this.list;
    const isOther = (_: unknown, index: number): boolean => index !== position;
    const elements = [...this.#arrays.keys()].flatMap((index) => {
      const column = this.list.columns.get(index);
      return column?.kind === "made" ? [column.value] : [];
    });
    const stmts = stmt.body.stmts.filter((each) => each.kind !== "let" || each.result.name !== variable);
    const values = stmt.body.end.kind === "yield" ? stmt.body.end.values.filter(isOther) : [];
    out.push(
      {
        ...stmt,
        params: stmt.params.filter(isOther),
        init: stmt.init.filter(isOther),
        results: stmt.results.filter(isOther),
        arrays: [...stmt.arrays, ...this.#arrays.values()],
        body: { stmts, end: { kind: "yield", values: [...values, ...elements] } },
      },
      letOf(this.#last, { kind: "prim", op: "subZ", args: [stmt.count, intAtom(1)], site: null }),
    );
  }

  #positionOf(atom: Atom): Var | null {
    return atom.kind === "var" ? (this.#positions.get(atom.variable.name) ?? null) : null;
  }

  #atom(atom: Atom): Atom {
    return atom.kind === "var" ? (this.#rests.get(atom.variable.name) ?? atom) : atom;
  }

  #fresh(stem: string, rep: Var["rep"]): Var {
    return { name: this.names.fresh({ stem, suffix: "" }), rep };
  }
}

function stemOf(value: Atom): string {
  return `${value.kind === "var" ? value.variable.name : "value"}s`;
}
