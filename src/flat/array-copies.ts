// Copy propagation of arrays.
//
// Arrays that are others: `[ys] = for i < n { x = xs ! i; .. x }` where n = length xs.

import { sameAtom } from "./build.js";
import { Copy } from "./copy.js";
import { freeVariables } from "./free-variables.js";
import type { Atom, Block, Operation, Procedure, Stmt } from "./program.js";
import { allStmts, mapBlocks, operationsOf } from "./traverse.js";

/** Whether an array is known to have as many elements as a number says. */
type HasSize = (array: Atom, size: Atom) => boolean;

/** The procedure, with the same meaning, in which such arrays stand for others. `hasSize`: what is known of lengths besides. */
export function withoutCopies(procedure: Procedure, hasSize: HasSize = () => false): Procedure {
  const sizes = new Map<string, Atom>();
  for (const stmt of allStmts(procedure.body))
    if (stmt.kind === "for") for (const { name } of stmt.arrays) sizes.set(name, stmt.count);
  const removal = new Removal(operationsOf(procedure.body), sizes, hasSize);
  const body = removal.block(procedure.body);
  return removal.same.size === 0 ? procedure : { ...procedure, body: new Copy(null, removal.same).block(body) };
}

class Removal {
  /** What stands for the arrays that are gone. */
  readonly same = new Map<string, Atom>();

  /** `sizes`: of arrays that counting loops make. */
  constructor(
    private readonly definitions: ReadonlyMap<string, Operation>,
    private readonly sizes: ReadonlyMap<string, Atom>,
    private readonly hasSize: HasSize,
  ) {}

  block({ stmts, end }: Block): Block {
    return { stmts: stmts.map((stmt) => this.#stmt(stmt)), end: mapBlocks(end, (inner) => this.block(inner)) };
  }

  #stmt(stmt: Stmt): Stmt {
    switch (stmt.kind) {
      case "choose":
        return { ...stmt, end: mapBlocks(stmt.end, (inner) => this.block(inner)) };
      case "loop":
        return { ...stmt, body: this.block(stmt.body) };
      case "for":
        return this.#for({ ...stmt, body: this.block(stmt.body) });
      default:
        return stmt;
    }
  }

  #for(stmt: Stmt & { readonly kind: "for" }): Stmt {
    const { arrays, body, params } = stmt;
    const { end } = body;
    if (end.kind !== "yield") return stmt;
    const gone = new Set<number>();
    arrays.forEach((array, index) => {
      const source = this.#sourceOf(end.values[params.length + index], stmt);
      if (source === null) return;
      this.same.set(array.name, this.#resolved(source));
      gone.add(index);
    });
    if (gone.size === 0) return stmt;
    const values = end.values.filter((_, index) => !gone.has(index - params.length));
    return {
      ...stmt,
      arrays: arrays.filter((_, index) => !gone.has(index)),
      body: { ...body, end: { kind: "yield", values } },
    };
  }

  /** The array that an element is read from, in each iteration at its index; null where it is made otherwise. */
  #sourceOf(element: Atom | undefined, { count, index, body }: Stmt & { readonly kind: "for" }): Atom | null {
    const op = element?.kind === "var" ? this.definitions.get(element.variable.name) : undefined;
    if (op?.kind !== "cell" || op.index.kind !== "var" || op.index.variable.name !== index.name) return null;
    const { array } = op;
    if (array.kind !== "var" || !this.#hasSize(array, count)) return null;
    const isOutside = freeVariables(body).some(({ name }) => name === array.variable.name);
    return isOutside ? array : null;
  }

  /** Whether an array has as many elements as the loop has iterations. */
  #hasSize(array: Atom & { readonly kind: "var" }, count: Atom): boolean {
    const known = this.sizes.get(array.variable.name);
    return (
      (known !== undefined && sameAtom(known, count)) || this.hasSize(array, count) || this.#isLength(count, array)
    );
  }

  /** Whether a number is the length of an array, or has been compared with it. */
  #isLength(size: Atom, array: Atom): boolean {
    const op = size.kind === "var" ? this.definitions.get(size.variable.name) : undefined;
    if (op?.kind === "prim" && op.op === "sameLength") return op.args.some((each) => this.#isLength(each, array));
    return op?.kind === "length" && sameAtom(this.#resolved(op.array), this.#resolved(array));
  }

  #resolved(atom: Atom): Atom {
    return atom.kind === "var" ? (this.same.get(atom.variable.name) ?? atom) : atom;
  }
}
