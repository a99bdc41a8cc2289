// Which variables are the largest number of an array: what a search has found that goes on where there is a larger one.
//
//   at, best = for i < n (at = 0, best = a) { x = xs ! i; t = x <= best; .. }     top = xs ! at
//   top = for i < n (acc = a) { x = xs ! i; acc' = max(acc, x); yield acc' }

import { isVariable } from "./build.js";
import type { Atom, Block, Operation, Program, Stmt } from "./program.js";
import { allBlocks, endsOf } from "./traverse.js";

type For = Stmt & { readonly kind: "for" };

/** Says of numbers whether one is an element of an array, and the other the largest of them. */
export class Largest {
  /** By name of a variable that is read from an array: the array, and where. */
  readonly #cells = new Map<string, Operation & { readonly kind: "cell" }>();
  /** By name of a number or of an index that a search has found: the array. */
  readonly #found = new Map<string, string>();

  constructor(program: Program) {
    for (const { body } of program.procedures) {
      const stmts = [...allBlocks(body)].flatMap((block) => block.stmts);
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
    for (const { stmts } of allBlocks(body)) {
      for (const stmt of stmts) {
        if (stmt.kind !== "let" || stmt.op.kind !== "prim") continue;
        const { op, args: [left, right] } = stmt.op; // prettier-ignore
        if (op !== "le" && op !== "max") continue;
        const isBest = (atom: Atom | undefined): boolean => params.some((param) => isVariable(atom, param));
        const array =
          isBest(right) && left !== undefined
            ? this.#arrayRead(left)
            : op === "max" && isBest(left) && right !== undefined
              ? this.#arrayRead(right)
              : null;
        if (array !== null) for (const { name } of results) this.#found.set(name, array);
      }
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
