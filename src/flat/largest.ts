// Which variables are the largest number of an array: what a search has found that goes on where there is a larger one.
//
//   at, best = for i < n (at = 0, best = a) { x = xs ! i; t = x <= best; .. }     top = xs ! at
//   top = for i < n (acc = a) { x = xs ! i; acc' = max(acc, x); yield acc' }

import { isVariable } from "./build.js";
import type { Atom, Block, Operation, Program, Stmt, Var } from "./program.js";
import { allBlocks, allStmts, endsOf } from "./traverse.js";

type For = Stmt & { readonly kind: "for" };

/** Says of numbers whether one is an element of an array, and the other the largest of them. */
export class Largest {
  /** By name of a variable that is read from an array: the array, and where. */
  readonly #cells = new Map<string, Operation & { readonly kind: "cell" }>();
  /** By name of a number or of an index that a search has found: the array. */
  readonly #found = new Map<string, string>();

  constructor(program: Program) {
    for (const { body } of program.procedures) {
      const stmts = allStmts(body);
      for (const stmt of stmts)
        if (stmt.kind === "let" && stmt.op.kind === "cell") this.#cells.set(stmt.result.name, stmt.op);
      for (const stmt of stmts) if (stmt.kind === "for") this.#search(stmt);
      for (const stmt of stmts) if (stmt.kind === "choose") this.#choice(stmt);
    }
  }

  /** Whether `element` is read from the array of which `largest` is the largest number. */
  isOf(largest: Atom | undefined, element: Atom | undefined): boolean {
    const array = largest === undefined ? null : this.#arrayOf(largest);
    return array !== null && element?.kind === "var" && this.#arrayRead(element) === array;
  }

  /** The array of which a number is the largest. */
  #arrayOf(atom: Atom): string | null {
    if (atom.kind !== "var") return null;
    const cell = this.#cells.get(atom.variable.name);
    const isFound = cell?.index.kind === "var" && this.#found.get(cell.index.variable.name) === this.#arrayRead(atom);
    return isFound ? this.#arrayRead(atom) : (this.#found.get(atom.variable.name) ?? null);
  }

  #arrayRead(atom: Atom): string | null {
    const cell = atom.kind === "var" ? this.#cells.get(atom.variable.name) : undefined;
    return cell?.array.kind === "var" ? cell.array.variable.name : null;
  }

  #search({ params, results, body }: For): void {
    const isOf = (at: number, array: string): void => {
      const result = results[at];
      if (result !== undefined) this.#found.set(result.name, array);
    };
    for (const stmt of allStmts(body)) {
      if (stmt.kind !== "let" || stmt.op.kind !== "prim") continue;
      const { op, args } = stmt.op;
      const at = params.findIndex((param) => args.some((arg) => isVariable(arg, param)));
      const best = params[at];
      const array = args.map((arg) => this.#arrayRead(arg)).find((found) => found !== null) ?? null;
      if (best === undefined || array === null) continue;
      if (op === "max" && yieldsAt(body, at, stmt.result)) isOf(at, array);
      if (op !== "le" || !isVariable(args[1], best) || !keepsWhere(stmt.result, best, body)) continue;
      params.forEach((param, place) => { if (place === at || param.rep.kind === "int") isOf(place, array); }); // prettier-ignore
    }
  }

  /** The largest number of nothing may be chosen by itself. */
  #choice({ results, end }: Stmt & { readonly kind: "choose" }): void {
    const block: Block = { stmts: [], end };
    results.forEach(({ name }, index) => {
      const arrays = [...endsOf(block)].flatMap(({ values }) => {
        const value = values[index];
        return value?.kind === "var" ? [this.#arrayOf(value)] : [];
      });
      const [array = null] = arrays;
      if (array !== null && arrays.every((other) => other === array)) this.#found.set(name, array);
    });
  }
}

/** Whether iterations hand on a variable at a place. */
function yieldsAt(body: Block, place: number, variable: Var): boolean {
  return [...endsOf(body)].every(({ values }) => isVariable(values[place], variable));
}

/** Whether iterations in which a condition holds keep what has been found before. */
function keepsWhere(condition: Var, best: Var, body: Block): boolean {
  const ends = [...allBlocks(body)].flatMap(({ stmts, end }) => [
    end,
    ...stmts.flatMap((stmt) => (stmt.kind === "choose" ? [stmt.end] : [])),
  ]);
  return ends.some(
    (end) =>
      end.kind === "if" &&
      isVariable(end.cond, condition) &&
      [...endsOf(end.then)].every(({ values }) => values.some((value) => isVariable(value, best))),
  );
}
