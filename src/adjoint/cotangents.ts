// The cotangents of a block's real variables while its reverse sweep is written. Contributions are collected; what they add up to is written where
// the variable's definition is reached, as one sum. What belongs to a variable of a block further out is added to it at the end of this block.

import type { Rep, Var } from "../flat/program.js";
import { binary, id, member, number } from "../typescript/build.js";
import type { TsExpr, TsStmt } from "../typescript/tree.js";
import { cellOf, countingUp } from "./code.js";
import type { BlockPlace, Places } from "./places.js";

/** Sums of more terms are written in several statements: passes go as deep into an expression as it has operators. */
const mostTerms = 50;

export class Cotangents {
  readonly stmts: TsStmt[] = [];
  /** Variables of blocks further out that something has been contributed to. */
  readonly touched = new Set<Var>();
  readonly block: BlockPlace;
  readonly #places: Places;
  readonly #name: (variable: Var) => string;
  readonly #pending = new Map<Var, TsExpr[]>();
  /** Own variables whose cotangents are in mutable variables, since blocks further in contribute to them. */
  readonly #accumulators = new Set<Var>();

  constructor(block: BlockPlace, places: Places, name: (variable: Var) => string) {
    this.block = block;
    this.#places = places;
    this.#name = name;
  }

  add(of: Var, contribution: TsExpr): void {
    const { variable } = this.#places.definition(of);
    if (this.#pending.get(variable)?.length === mostTerms) this.#write(variable);
    const pending = this.#pending.get(variable) ?? [];
    pending.push(contribution);
    this.#pending.set(variable, pending);
    if (!this.#isOwn(variable)) this.touched.add(variable);
  }

  /** What an own variable's cotangent is, all of it, as an expression that may be written several times; null where it is zero. */
  take(of: Var): TsExpr | null {
    const { variable } = this.#places.definition(of);
    if (this.#accumulators.has(variable)) {
      this.#accumulate(variable);
      return id(this.#name(variable));
    }
    const sum = this.takeSum(variable);
    if (sum === null || isAtom(sum)) return sum;
    const name = this.#name(variable);
    this.stmts.push({ kind: "const", target: name, type: null, init: sum });
    return id(name);
  }

  /** The same, to be written once. */
  takeSum(of: Var): TsExpr | null {
    const { variable } = this.#places.definition(of);
    const pending = this.#pending.get(variable) ?? [];
    this.#pending.delete(variable);
    if (this.#accumulators.has(variable)) return sumOf([id(this.#name(variable)), ...pending]);
    return pending.length === 0 ? null : sumOf(pending);
  }

  /** To be called before a statement is written whose blocks have contributed to variables out here. */
  open(touched: Iterable<Var>): void {
    for (const variable of touched) {
      if (this.#isOwn(variable)) this.#accumulate(variable);
      else this.touched.add(variable);
    }
  }

  /** The same, where what has been contributed so far is added behind that statement: it may not be there yet. */
  openEmpty(touched: Iterable<Var>): void {
    for (const variable of touched) {
      if (!this.#isOwn(variable)) this.touched.add(variable);
      else if (!this.#accumulators.has(variable)) {
        this.#accumulators.add(variable);
        this.stmts.push({ kind: "let", name: this.#name(variable), type: null, init: number(0) });
      }
    }
  }

  /** Adds what is left to the cotangents further out. */
  flush(): void {
    for (const variable of this.#pending.keys()) if (!this.#isOwn(variable)) this.#write(variable);
  }

  /** Writes what has been contributed so far. */
  #write(variable: Var): void {
    if (this.#isOwn(variable)) {
      this.#accumulate(variable);
      return;
    }
    this.stmts.push(addTo(id(this.#name(variable)), sumOf(this.#pending.get(variable) ?? [])));
    this.#pending.delete(variable);
  }

  #isOwn(variable: Var): boolean {
    return this.#places.definition(variable).block === this.block;
  }

  #accumulate(variable: Var): void {
    const pending = this.#pending.get(variable) ?? [];
    this.#pending.delete(variable);
    const name = this.#name(variable);
    if (!this.#accumulators.has(variable)) {
      this.#accumulators.add(variable);
      const init = pending.length === 0 ? number(0) : sumOf(pending);
      this.stmts.push({ kind: "let", name, type: null, init });
    } else if (pending.length > 0) {
      this.stmts.push(addTo(id(name), sumOf(pending)));
    }
  }
}

/** `target += value`. */
export function addTo(target: TsExpr, value: TsExpr): TsStmt {
  if (value.kind === "unary" && value.op === "-") {
    return { kind: "expr", expr: { kind: "assign", op: "-=", target, value: value.arg } };
  }
  return { kind: "expr", expr: { kind: "assign", op: "+=", target, value } };
}

/** Adds the elements of an array, of type `rep`, to those of another one: reals, or rows. */
export function addArray(target: TsExpr, source: TsExpr, rep: Rep, fresh: (hint: string) => string): TsStmt {
  const index = fresh("i");
  const [to, from] = [cellOf(target, id(index)), cellOf(source, id(index))];
  const up = (body: readonly TsStmt[]): TsStmt => countingUp(index, member(target, "length"), body);
  if (rep.kind !== "array" || rep.element.kind === "real") return up([addTo(to, from)]);
  const [row, added] = [fresh("row"), fresh("row")];
  return up([
    { kind: "const", target: row, type: null, init: to },
    { kind: "const", target: added, type: null, init: from },
    addArray(id(row), id(added), rep.element, fresh),
  ]);
}

/** The sum of at least one expression. */
export function sumOf(terms: readonly TsExpr[]): TsExpr {
  const [first = number(0), ...rest] = terms;
  return rest.reduce(
    (sum, term) => (term.kind === "unary" && term.op === "-" ? binary("-", sum, term.arg) : binary("+", sum, term)),
    first,
  );
}

function isAtom(expr: TsExpr): boolean {
  return expr.kind === "id" || expr.kind === "number";
}
