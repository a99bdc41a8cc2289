// The layout of arrays of arrays of known sizes: one array of numbers, in which counters and sizes tell where each of them begins.

import { binary, id, number } from "../../typescript/build.js";
import type { TsExpr, TsStmt } from "../../typescript/tree.js";
import { heldBy, type ArrayClass } from "../analysis/array-classes.js";
import type { Bindings } from "../analysis/bindings.js";
import type { Level, Like, RegularNest } from "../analysis/regular-nests.js";
import { savedOnce } from "../../typescript/called.js";
import { rowsTogether } from "./row-offsets.js";

/** Where the arrays of a class are that has a block of its own: their elements are so far from each other, and they begin at a place that counters tell. */
export interface Rows {
  readonly store: string;
  readonly size: TsExpr;
  /** 1 where the elements are numbers. */
  readonly stride: TsExpr;
  /** Whether this is the array that holds all others, which begins with the block. */
  readonly isWhole: boolean;
  /** Null where none is made by itself. */
  readonly begin: TsExpr | null;
}

export class RowPlan {
  readonly #bindings: Bindings;
  readonly #rows = new Map<ArrayClass, Rows>();
  readonly #inFront = new Map<TsStmt, readonly TsStmt[]>();
  readonly #inPlace = new Map<TsStmt, TsStmt>();

  constructor(nests: readonly RegularNest[], bindings: Bindings) {
    this.#bindings = bindings;
    for (const nest of nests) this.#plan(nest);
  }

  /** Where the arrays of a class are; null where they are not parts of one. */
  of(array: ArrayClass): Rows | null {
    return this.#rows.get(array) ?? null;
  }

  /** What is made in front of an outermost loop. */
  inFrontOf(loop: TsStmt): readonly TsStmt[] {
    return this.#inFront.get(loop) ?? [];
  }

  /** What a statement becomes that has made an array of arrays. */
  inPlaceOf(stmt: TsStmt): readonly TsStmt[] {
    const made = this.#inPlace.get(stmt);
    return made === undefined ? [] : [made];
  }

  /** What holds the arrays of a nest, and where each of them begins in it. */
  #plan({ loops: [outermost, ...loops], levels: [whole, ...levels], likes, isTested }: RegularNest): void {
    if (outermost === undefined || whole === undefined) return;
    const store = whole.name;
    const times = (some: readonly TsExpr[]): TsExpr => {
      const [first = number(1), ...others] = some;
      return others.reduce((product, each) => binary("*", product, each), first);
    };
    const strideOf = (depth: number): TsExpr => times(levels.slice(depth).map(({ size }) => size));
    this.#rows.set(whole.array, { store, size: whole.size, stride: strideOf(0), isWhole: true, begin: null });
    levels.forEach(({ array, size }, depth) => {
      const [holder, counter] = [levels[depth - 1]?.name, [outermost, ...loops][depth]?.name ?? ""];
      const at = binary("*", id(counter), strideOf(depth));
      const begin = holder === undefined ? at : binary("+", id(holder), at);
      this.#rows.set(array, { store, size, stride: strideOf(depth + 1), isWhole: false, begin });
    });
    const [row] = levels;
    if (row !== undefined) for (const like of likes) this.#planLike(like, whole, row);
    this.#bindings.rename(store, savedOnce(this.#bindings.wanted(store)));
    const made = rowsTogether(store, whole.size, strideOf(0), isTested);
    const comment: TsStmt = { kind: "comment", on: "rows", text: "each iteration, row by row" };
    this.#inFront.set(outermost, [...this.inFrontOf(outermost), comment, made]);
  }

  /** Stores of zeros for the rows of a nest are rows of one array, too. */
  #planLike({ array, name, stmt }: Like, whole: Level, row: Level): void {
    const rows = { store: name, begin: null };
    this.#rows.set(array, { ...rows, size: whole.size, stride: row.size, isWhole: true });
    this.#rows.set(heldBy(array), { ...rows, size: row.size, stride: number(1), isWhole: false });
    this.#inPlace.set(stmt, rowsTogether(name, whole.size, row.size));
  }
}
