// Jacobians, in one array row by row, or of each row what its element reads.

import * as b from "../core/build.js";
import type { Names } from "../core/names.js";
import type { Derivative, Site, Term } from "../core/term.js";
import type { Type } from "../core/type.js";
import { copyTerm } from "../optimise/copy.js";
import { at } from "./by-type.js";
import type { Elements, ReadPlace, SizedElements, SparseElements } from "./elements.js";
import type { Values } from "./values.js";

/** So many numbers of a row are written out one by one. */
const mostWrittenOut = 64;

/** So many directions stand side by side, where they share what they compute. */
export const mostTogether = 8;

/** Where a Jacobian is taken. */
export interface Shape {
  readonly from: Type;
  readonly to: Type;
  readonly x: Term;
  readonly value: Term;
  readonly rows: Term;
  readonly columns: Term;
  readonly site: Site;
}

/** What is there around them. */
export interface JacobianSetting {
  readonly names: Names;
  readonly values: Values;
  readonly derivative: (kind: Derivative["kind"], from: Type, to: Type, site: Site) => string;
}

export class Jacobians {
  readonly #names: Names;
  readonly #values: Values;
  readonly #derivative: JacobianSetting["derivative"];

  constructor({ names, values, derivative }: JacobianSetting) {
    this.#names = names;
    this.#values = values;
    this.#derivative = derivative;
  }

  /** The places at which rows begin, and columns and numbers one row after the other: those of each read after those of the ones before. */
  compressed(
    elements: SparseElements,
    value: Term,
    rows: Term,
    site: Site,
    whole: (...parts: readonly Term[]) => Term,
  ): Term {
    const { width, point, places } = elements;
    const count = places(b.intLit(0)).reduce((sum, each) => sum + each.size, 0);
    const size = b.intLit(count);
    const columns = (i: Term): Term => {
      const own = places(i);
      return this.#values.bindAll("start", b.int, own.map(({ start }) => start), (starts) => {
        const row = own.flatMap((place, index) => columnsOf(at(starts, index), place));
        return b.array(b.int, Array.from({ length: width }, () => row).flat());
      }); // prettier-ignore
    };
    const r = this.#names.fresh("r");
    const starts = b.build(b.op("addZ", [rows, b.intLit(1)], null), r, b.int, b.op("mulZ", [b.variable(r), size], null), null); // prettier-ignore
    const numbers = (i: Term): Term => this.#gradients(elements, i, elements.at(i), point(i), value, site);
    const inRow = b.intLit(width * count);
    return this.#values.bind("y", b.arrayType(b.real), this.matrix(b.real, b.length(value), inRow, numbers), (values) =>
      whole(starts, this.matrix(b.int, b.length(value), inRow, columns), values),
    );
  }

  /** The gradients of all numbers of an element, one after the other. */
  #gradients({ width, element, from }: SizedElements, i: Term, fn: Term, x: Term, value: Term, site: Site): Term {
    return this.#values.bind("y", element, b.indexOf(value, i, null), (item) =>
      this.#values.bind("y", from, x, (point) => {
        const parts = Array.from({ length: width }, (_, n): readonly [Type, Term] => {
          const unit = this.#values.unit(element, item, b.intLit(0), b.intLit(n));
          const own = copyTerm(fn, this.#names);
          return [from, b.call(this.#derivative("pullback", from, element, site), [own, point, unit])];
        });
        return this.#values.ofReals(parts, (reals) => b.array(b.real, reals));
      }),
    );
  }

  // One pass: row r is the gradient of number r mod width of element r div width
  #jacobianByElement(elements: Elements, { from, x, value, rows, columns, site }: Shape): Term {
    const { width, element, around, at } = elements;
    const size = this.#values.sizeOf(from);
    if (size !== null && size * width <= mostWrittenOut)
      return around(this.matrix(b.real, b.length(value), b.intLit(size * width), (i) => this.#gradients({ ...elements, from }, i, at(i), x, value, site))); // prettier-ignore
    const place = (op: "divZ" | "modZ", r: Term): Term => (width > 1 ? b.op(op, [r, b.intLit(width)], null) : op === "divZ" ? r : b.intLit(0)); // prettier-ignore
    const row = (r: Term): Term =>
      this.#values.bind("y", b.int, place("divZ", r), (i) =>
        this.#values.bind("y", element, b.indexOf(value, i, null), (item) => {
          const unit = this.#values.unit(element, item, b.intLit(0), place("modZ", r));
          return this.#values.packed(from, b.call(this.#derivative("pullback", from, element, site), [at(i), x, unit]));
        }),
      );
    return around(this.matrix(b.real, rows, columns, row));
  }

  dense(fn: () => Term, elements: Elements | null, shape: Shape): Term {
    if (elements !== null) return this.#jacobianByElement(elements, shape);
    const { from, to, x, value, rows, columns, site } = shape;
    const written = this.#writtenOut(fn, shape);
    if (written !== null) return written;
    const numbers = b.arrayType(b.real);
    const count = this.#values.sizeOf(from);
    if (count !== null && count > 0 && count <= mostTogether) return this.#columnsTogether(fn, count, shape);
    const byRow = this.matrix(b.real, rows, columns, (i) => this.#values.packed(from, b.call(this.#derivative("pullback", from, to, site), [fn(), x, this.#values.unit(to, value, b.intLit(0), i)]))); // prettier-ignore
    const column = (j: Term): Term => this.#values.packed(to, b.proj(1, b.call(this.#derivative("jvp", from, to, site), [fn(), x, this.#values.unit(from, x, b.intLit(0), j)]))); // prettier-ignore
    const j = this.#names.fresh("j");
    const byColumn = this.#values.bind("y", b.arrayType(numbers), b.build(columns, j, numbers, column(b.variable(j)), null), (all) => this.#flat(b.real, rows, columns, (r, c) => b.indexOf(b.indexOf(all, c, null), r, null))); // prettier-ignore
    return b.ifThenElse(b.op("leZ", [columns, rows], null), byColumn, byRow);
  }

  /** A Jacobian of few numbers, one by one; null where it has more, or nobody knows how many. */
  #writtenOut(fn: () => Term, { from, to, x, value, site }: Shape): Term | null {
    const [rows, columns] = [this.#values.sizeOf(to), this.#values.sizeOf(from)];
    if (rows === null || columns === null || rows * columns > mostWrittenOut) return null;
    const zero = b.intLit(0);
    if (rows <= columns) {
      const parts = Array.from({ length: rows }, (_, i): readonly [Type, Term] => [from, b.call(this.#derivative("pullback", from, to, site), [fn(), x, this.#values.unit(to, value, zero, b.intLit(i))])]); // prettier-ignore
      return this.#values.ofReals(parts, (reals) => b.array(b.real, reals));
    }
    const parts = Array.from({ length: columns }, (_, j): readonly [Type, Term] => [to, b.proj(1, b.call(this.#derivative("jvp", from, to, site), [fn(), x, this.#values.unit(from, x, zero, b.intLit(j))]))]); // prettier-ignore
    return this.#values.ofReals(parts, (reals) => b.array(b.real, reals.map((_, k) => at(reals, (k % columns) * rows + Math.floor(k / columns))))); // prettier-ignore
  }

  /** Directional derivatives along all numbers of the point, side by side: they share what they compute. */
  #columnsTogether(fn: () => Term, count: number, { from, to, x, rows, site }: Shape): Term {
    const numbers = b.arrayType(b.real);
    const along = (j: number): Term => this.#values.packed(to, b.proj(1, b.call(this.#derivative("jvp", from, to, site), [fn(), x, this.#values.unit(from, x, b.intLit(0), b.intLit(j))]))); // prettier-ignore
    const all = Array.from({ length: count }, (_, j) => along(j));
    return this.#values.bindAll(
      "column",
      numbers,
      all,
      (columns) =>
      this.matrix(b.real, rows, b.intLit(count), (r) => b.array(b.real, columns.map((column) => b.indexOf(column, r, null)))), // prettier-ignore
    );
  }

  /** A matrix in one array, row by row. */
  matrix(type: Type, rows: Term, columns: Term, row: (index: Term) => Term): Term {
    const line = b.arrayType(type);
    const i = this.#names.fresh("i");
    return this.#values.bind("y", b.arrayType(line), b.build(rows, i, line, row(b.variable(i)), null), (all) =>
      this.#flat(type, rows, columns, (r, c) => b.indexOf(b.indexOf(all, r, null), c, null)),
    );
  }

  #flat(type: Type, rows: Term, columns: Term, cell: (row: Term, column: Term) => Term): Term {
    const k = this.#names.fresh("k");
    const size = b.op("mulZ", [rows, columns], null);
    const place = (op: "divZ" | "modZ"): Term => b.op(op, [b.variable(k), columns], null);
    return b.build(size, k, type, cell(place("divZ"), place("modZ")), null);
  }
}

/** The columns of what a row reads, from a place on; all below zero where it is not read. */
function columnsOf(start: Term, { size, isAlways }: ReadPlace): readonly Term[] {
  const isRead = b.op("leZ", [b.intLit(0), start], null);
  return Array.from({ length: size }, (_, k) => {
    if (k === 0) return start;
    const column = b.op("addZ", [start, b.intLit(k)], null);
    return isAlways ? column : b.ifThenElse(isRead, column, b.intLit(-1));
  });
}
