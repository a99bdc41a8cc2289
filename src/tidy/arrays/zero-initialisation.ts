// Zero-initialisation elision.
//
// A new array of zeros is set where it is first added to, and copied into where that makes it a copy.
//
//   const x_ = new Float64Array(n);                    const x_ = new Float64Array(n);
//   for (..) x_[i] += e                                for (..) x_[i] = e
//
//   for (..) x_[i] = 0                                 (nothing)
//
//   for (..) { x_[i] += y[i]; .. }                     for (..) ..; x_.set(y)             where the loop goes to the end of y

import { withParts } from "../../same.js";
import { callOf, id, member } from "../../typescript/build.js";
import { isName } from "../../typescript/facts.js";
import {
  hasStatements,
  mapParts,
  mapStmt,
  replaced,
  visitExpressions,
  visitNames,
  visitStatements,
  withBody,
  type Rewriting,
} from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { ArrayLengths } from "../analysis/array-lengths.js";
import { countsUpTo, isNewArray, type For } from "../analysis/counting.js";
import { assigns } from "../analysis/mentions.js";
import { Memory } from "../analysis/memory.js";
import { isCallOf, type Surroundings } from "../analysis/purity.js";
import { sizesOf } from "../analysis/array-sizes.js";

/** What has just been made: zeros, or rows of zeros. */
type Fresh = "zeros" | "rows";

export function withFirstWrites(fn: TsFunction, surroundings: Surroundings): TsFunction {
  const writes = new FirstWrites(fn, new Memory(fn, surroundings), surroundings);
  return withBody(fn, writes.block(fn.body));
}

class FirstWrites {
  readonly #memory: Memory;
  readonly #surroundings: Surroundings;
  readonly #lengths: ArrayLengths;
  readonly #isSize: (size: TsExpr) => boolean;

  constructor(fn: TsFunction, memory: Memory, surroundings: Surroundings) {
    this.#memory = memory;
    this.#surroundings = surroundings;
    this.#lengths = new ArrayLengths(fn, surroundings);
    this.#isSize = sizesOf(fn, surroundings);
  }

  readonly block = (body: readonly TsStmt[]): readonly TsStmt[] => this.#block(body, new Map());

  #block(body: readonly TsStmt[], fresh: Map<string, Fresh>): readonly TsStmt[] {
    return replaced(body, (stmt) => this.#written(stmt, fresh));
  }

  #written(stmt: TsStmt, fresh: Map<string, Fresh>): TsStmt | readonly TsStmt[] {
    const written = this.#statement(stmt, fresh);
    if (fresh.size > 0) visitNames([stmt], (name) => fresh.delete(name));
    const name = stmt.kind === "const" ? stmt.target : stmt.kind === "let" ? stmt.name : null;
    const init = stmt.kind === "const" || stmt.kind === "let" ? stmt.init : null;
    const made = init === null ? null : this.#madeBy(init);
    if (typeof name === "string" && made !== null) fresh.set(name, made);
    return written;
  }

  #madeBy(init: TsExpr): Fresh | null {
    if (isCallOf(init, "adjoint.zeroRows", this.#surroundings)) return "rows";
    if (!isNewArray(init)) return null;
    const [size] = init.args;
    const isSize =
      size !== undefined &&
      (size.kind === "number" || this.#lengths.arraysAsLongAs(size) !== null || this.#isSize(size));
    return isSize ? "zeros" : null;
  }

  #statement(stmt: TsStmt, fresh: ReadonlyMap<string, Fresh>): TsStmt | readonly TsStmt[] {
    if (stmt.kind === "for" && isByOne(stmt)) return this.#loop(stmt, fresh);
    if (stmt.kind === "if" && fresh.size > 0) {
      const [then, otherwise] = [stmt.then, stmt.else].map((body) => this.#block(body, new Map(fresh)));
      const isSame = then === stmt.then && otherwise === stmt.else;
      return isSame || then === undefined || otherwise === undefined ? stmt : { ...stmt, then, else: otherwise };
    }
    return mapStmt(stmt, this.#inside);
  }

  readonly #inside: Rewriting = {
    expr: (expr) => (hasStatements(expr) ? mapParts(expr, this.#inside) : expr),
    block: this.block,
  };

  #loop(loop: For, fresh: ReadonlyMap<string, Fresh>): TsStmt | readonly TsStmt[] {
    const counts = new Map<string, number>();
    visitNames(loop.body, (name) => counts.set(name, (counts.get(name) ?? 0) + 1));
    const isFirst = (name: string): boolean => fresh.get(name) === "zeros" && counts.get(name) === 1;
    const values = new Map(
      loop.body.flatMap((stmt): [string, TsExpr][] =>
        stmt.kind === "const" && typeof stmt.target === "string" ? [[stmt.target, stmt.init]] : [],
      ),
    );
    const copies: TsStmt[] = [];
    const body = replaced(loop.body, (stmt) => {
      if (setsZero(stmt, loop.name, isFirst)) return [];
      const set = setting(stmt, loop.name, isFirst);
      if (set === null) return stmt;
      const source = set.value.kind === "id" ? (values.get(set.value.name) ?? set.value) : set.value;
      if (!this.#isWhole(loop, source)) return set.stmt;
      copies.push({ kind: "expr", expr: callOf(member(id(set.array), "set"), source.object) });
      return [];
    });
    // A row of new rows is new in every iteration
    const rows = new Map<string, Fresh>();
    for (const [name, init] of values) {
      const { object, index } = init.kind === "index" ? init : { object: null, index: null };
      if (object?.kind !== "id" || index?.kind !== "id" || index.name !== loop.name) continue;
      if (fresh.get(object.name) === "rows" && counts.get(object.name) === 1) rows.set(name, "zeros");
    }
    const inner = this.#rows(body, rows);
    if (inner.length === 0) return copies;
    const rest = withParts(loop, { body: inner });
    return copies.length === 0 ? rest : [rest, ...copies];
  }

  /** A body in which some variables are new arrays where they are declared. */
  #rows(body: readonly TsStmt[], rows: ReadonlyMap<string, Fresh>): readonly TsStmt[] {
    const fresh = new Map<string, Fresh>();
    return replaced(body, (stmt) => {
      const written = this.#written(stmt, fresh);
      if (stmt.kind === "const" && typeof stmt.target === "string" && rows.has(stmt.target)) fresh.set(stmt.target, "zeros"); // prettier-ignore
      return written;
    });
  }

  /** Whether a value is the element of an array that the loop goes through from beginning to end, and does not change. */
  #isWhole(loop: For, value: TsExpr): value is TsExpr & { readonly kind: "index" } {
    if (value.kind !== "index" || value.object.kind !== "id" || value.index.kind !== "id") return false;
    const count = value.index.name === loop.name ? countsUpTo(loop) : null;
    if (count === null || this.#lengths.arraysAsLongAs(count)?.has(value.object.name) !== true) return false;
    const read = this.#memory.reads(value).map(({ of }) => of);
    let isKept = true;
    visitExpressions(loop.body, (expr) => {
      const changes = expr.kind === "assign" ? this.#memory.assigned(expr) : expr.kind === "call" ? this.#memory.called(expr.fn, expr.args) : []; // prettier-ignore
      if (changes.some(({ of }) => read.includes(of) && of !== loop.name)) isKept = false;
    });
    // An iteration that ends early, or is the last one, leaves elements out
    visitStatements(loop.body, ({ kind }) => {
      if (jumps.has(kind)) isKept = false;
    });
    return isKept;
  }
}

const jumps: ReadonlySet<TsStmt["kind"]> = new Set(["break", "continue", "return", "throw"] as const);

/** Whether a loop counts upwards or downwards by one, so that no iteration has the index of another. */
function isByOne({ name, step, body }: For): boolean {
  if (step.kind !== "assign" || step.op === "=" || step.target.kind !== "id" || step.target.name !== name) return false;
  return step.value.kind === "number" && step.value.value === 1 && !assigns(body, name);
}

/** `x_[i] = e` in place of `x_[i] += e`, where `isFirst` says so of x_. */
function setting(
  stmt: TsStmt,
  index: string,
  isFirst: (array: string) => boolean,
): { readonly array: string; readonly value: TsExpr; readonly stmt: TsStmt } | null {
  const written = writtenAt(stmt, index, isFirst);
  // What is subtracted from zero is never -0, as a value with another sign may be
  if (written?.expr.op !== "+=") return null;
  const { array, expr } = written;
  return { array, value: expr.value, stmt: { kind: "expr", expr: { ...expr, op: "=" } } };
}

/** Whether a statement is `x_[i] = 0`, where `isFirst` says that x_ holds zeros. */
function setsZero(stmt: TsStmt, index: string, isFirst: (array: string) => boolean): boolean {
  const expr = writtenAt(stmt, index, isFirst)?.expr;
  return expr?.op === "=" && expr.value.kind === "number" && Object.is(expr.value.value, 0);
}

/** The assignment to the element of an array at the index of a loop that a statement is, where `isFirst` says so of the array. */
function writtenAt(
  stmt: TsStmt,
  index: string,
  isFirst: (array: string) => boolean,
): { readonly array: string; readonly expr: TsExpr & { readonly kind: "assign" } } | null {
  if (stmt.kind !== "expr" || stmt.expr.kind !== "assign") return null;
  const { target } = stmt.expr;
  if (target.kind !== "index" || target.object.kind !== "id" || !isName(target.index, index)) return null;
  return isFirst(target.object.name) ? { array: target.object.name, expr: stmt.expr } : null;
}
