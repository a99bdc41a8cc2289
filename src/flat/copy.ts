// Copies of code: other names for what it binds, other atoms for what it uses.

import { inPlaceOf } from "../location.js";
import { isRecurrent } from "./free-variables.js";
import type { FlatNames } from "./naming.js";
import { atomOf, letOf } from "./build.js";
import type { Atom, Block, End, Stmt, Var } from "./program.js";
import { mapCheck, mapOperands } from "./traverse.js";

/** Copies statements and blocks, in the order of evaluation: what a statement binds is renamed in those that are copied after it. */
export class Copy {
  readonly #atoms: Map<string, Atom>;

  /** `names` gives what is bound new names; null: what is bound keeps its name. `atoms` says what variables become. */
  constructor(
    private readonly names: Pick<FlatNames, "fresh"> | null,
    atoms: ReadonlyMap<string, Atom>,
  ) {
    this.#atoms = new Map(atoms);
  }

  readonly atom = (atom: Atom): Atom => (atom.kind === "var" ? (this.#atoms.get(atom.variable.name) ?? atom) : atom);

  readonly bind = (variable: Var): Var => {
    if (this.names === null) return variable;
    const copied: Var = { name: this.names.fresh({ stem: variable.name, suffix: "" }), rep: variable.rep };
    this.#atoms.set(variable.name, atomOf(copied));
    return copied;
  };

  block({ stmts, end }: Block): Block {
    const copied = this.stmts(stmts);
    return { stmts: copied, end: this.end(end) };
  }

  stmts(stmts: readonly Stmt[]): readonly Stmt[] {
    return stmts.map((stmt) => this.#stmt(stmt));
  }

  end(end: End): End {
    switch (end.kind) {
      case "yield":
      case "next":
        return { ...end, values: end.values.map(this.atom) };
      case "if":
        return { ...end, cond: this.atom(end.cond), then: this.block(end.then), else: this.block(end.else) };
      case "switch": {
        const branches = end.branches.map(({ con, body }) => ({ con, body: this.block(body) }));
        return { ...end, object: this.atom(end.object), branches };
      }
    }
  }

  #stmt(stmt: Stmt): Stmt {
    switch (stmt.kind) {
      case "let": {
        const op = mapOperands(stmt.op, this.atom);
        return inPlaceOf(letOf(this.bind(stmt.result), op), stmt);
      }
      case "check":
        return { ...stmt, check: mapCheck(stmt.check, this.atom) };
      case "choose": {
        const end = this.end(stmt.end);
        return inPlaceOf<Stmt>({ kind: "choose", results: stmt.results.map(this.bind), end }, stmt);
      }
      case "call": {
        const args = stmt.args.map(this.atom);
        return { ...stmt, args, results: stmt.results.map(this.bind) };
      }
      case "apply": {
        const [fn, args] = [this.atom(stmt.fn), stmt.args.map(this.atom)];
        return inPlaceOf<Stmt>({ kind: "apply", fn, args, results: stmt.results.map(this.bind) }, stmt);
      }
      case "loop": {
        const init = stmt.init.map(this.atom);
        const params = stmt.params.map(this.bind);
        const body = this.block(stmt.body);
        return {
          ...stmt,
          init,
          params,
          body,
          results: stmt.results.map(this.bind),
          arrays: stmt.arrays.map(this.bind),
        };
      }
      case "for": {
        const [count, init] = [this.atom(stmt.count), stmt.init.map(this.atom)];
        const [index, params] = [this.bind(stmt.index), stmt.params.map(this.bind)];
        const own = isRecurrent(stmt) ? stmt.arrays.map(this.bind) : null;
        const body = this.block(stmt.body);
        const [results, arrays] = [stmt.results.map(this.bind), own ?? stmt.arrays.map(this.bind)];
        return inPlaceOf<Stmt>({ kind: "for", index, count, init, params, body, results, arrays }, stmt);
      }
    }
  }
}
