// Arrays of one size that an inner loop makes and keeps for the reverse sweep are rows of one array for each round of the loop around it, and no objects:
// where a row begins is enough to read and write its elements.
//
//   const saved = new Array(n);
//   for (let i = 0; i < n; i++) {
//     const inner = new Array(m); saved[i] = inner;
//     for (let j = 0; j < m; j++) { const a = new Float64Array(size); inner[j] = a; .. a[k] = e .. }
//   }
//   ..
//   const again = saved[i]; .. const b = again[j]; .. b[k] ..
//     =>
//   const saved = new Array(n);
//   for (let i = 0; i < n; i++) {
//     const inner = new Float64Array(m * size); saved[i] = inner;
//     for (let j = 0; j < m; j++) { const row = j * size; .. inner[row + k] = e .. }
//   }
//   ..
//   const again = saved[i]; .. const row = j * size; .. again[row + k] ..
//
// The size is known in front of all loops: both sweeps need it.

import { constant } from "../../typescript/build.js";
import { isName, isSameExpr } from "../../typescript/facts.js";
import { mapBlocks, visitStatements } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt, TsType } from "../../typescript/tree.js";
import type { Bindings } from "../analysis/bindings.js";
import { arrayMadeBy, countsUpTo, type ArrayMade, type For } from "../analysis/counting.js";
import { jumps } from "../analysis/mentions.js";
import { saveOf } from "../analysis/own-arrays.js";
import { partsIn, type Parts } from "../analysis/parts.js";
import type { Surroundings } from "../analysis/purity.js";
import { sizesOf } from "../analysis/sizes.js";
import { surveyed } from "../analysis/survey.js";
import { rowComment } from "../names/comments.js";
import { commentOn, rowsTogether, withRowOffsets, withoutTwins, type Row } from "./row-offsets.js";

type Const = TsStmt & { readonly kind: "const" };

/** What the rounds of an inner loop keep. */
interface Nested {
  readonly loop: For;
  readonly made: ArrayMade;
  /** Where a round keeps its array, and what makes the array of these. */
  readonly keeping: TsStmt;
  readonly inner: Const;
  readonly store: string;
  readonly count: TsExpr;
  /** The arrays that hold the array of these, from the innermost on. */
  readonly holders: readonly Const[];
  /** By statement that takes a row out, the array that it takes it from, and its number. */
  readonly taken: ReadonlyMap<TsStmt, Taken>;
  /** What is said of the arrays. */
  readonly comments: Record<"made" | "inner", TsStmt | undefined>;
}

interface Taken {
  readonly name: string;
  readonly from: string;
  readonly index: TsExpr;
}

export function withNestedRows(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  const found = nestedIn(fn, surroundings);
  if (found.length === 0) return fn;
  const rows = new Map<string, Row>();
  const changed = new Map<TsStmt, TsStmt | null>();
  for (const nested of found) rewrite(nested, bindings, rows, changed);
  const body = withRowOffsets(fn.body, rows, (stmt) => {
    const next = changed.get(stmt);
    return next === null ? [] : (next ?? stmt);
  });
  return withoutTwins({ ...fn, body }, new Set([...rows.values()].map(({ start }) => start)));
}

/** Notes what is to become of the statements that make, keep and take the arrays of an inner loop. */
function rewrite(
  { loop, made, keeping, inner, store, count, holders, taken, comments }: Nested,
  bindings: Bindings,
  rows: Map<string, Row>,
  changed: Map<TsStmt, TsStmt | null>,
): void {
  const { size } = made;
  const beginning = (name: string, from: string, index: TsExpr): TsStmt => {
    const start = bindings.fresh("row");
    rows.set(name, { store: from, start, size });
    return constant(start, null, { kind: "binary", op: "*", left: index, right: size });
  };
  changed.set(made.stmt, beginning(made.array, store, { kind: "id", name: loop.name }));
  changed.set(keeping, null);
  changed.set(inner, rowsTogether(store, count, size));
  for (const [stmt, { name, from, index }] of taken) changed.set(stmt, beginning(name, from, index));
  for (const holder of holders) changed.set(holder, { ...holder, type: holder.type && withRowsInside(holder.type) });
  const shorter = (name: string): void => {
    bindings.rename(name, bindings.wanted(name).replace(/SavedSaved(\d*)$/, "Saved$1"));
  };
  const places = [store, ...[...taken.values()].map(({ from }) => from), ...holders.map(({ target }) => target)];
  for (const name of new Set(places)) if (typeof name === "string") shorter(name);
  if (comments.made !== undefined) changed.set(comments.made, null);
  if (comments.inner !== undefined) changed.set(comments.inner, { kind: "comment", text: rowComment(store, "each round") }); // prettier-ignore
}

/** The type of what holds rows that are no arrays any more. */
function withRowsInside(type: TsType): TsType {
  const element = type.kind === "array" ? type.element : type.kind === "name" ? type.args[0] : undefined;
  if (element === undefined) return type;
  const isRows = element.kind === "name" && element.name === "Float64Array";
  if (isRows) return element;
  if (type.kind === "array") return { ...type, element: withRowsInside(element) };
  return type.kind === "name" ? { ...type, args: [withRowsInside(element)] } : type;
}

function nestedIn(fn: TsFunction, surroundings: Surroundings): readonly Nested[] {
  const { variables } = surveyed(fn);
  const isSize = sizesOf(fn, surroundings);
  let known: Holding | null = null;
  const holding = (): Holding => (known ??= new Holding(fn));
  const inFront = new Set(fn.body.map((stmt) => (stmt.kind === "const" ? stmt.target : null)));
  const isKnownInFront = (size: TsExpr): boolean => size.kind === "number" || (size.kind === "id" && inFront.has(size.name)); // prettier-ignore

  const nestedOf = (stmt: TsStmt, loop: For, body: readonly TsStmt[]): Nested | null => {
    const made = arrayMadeBy(stmt);
    if (made === null || !isSize(made.size) || !isKnownInFront(made.size)) return null;
    const save = loop.body
      .map((each) => saveOf(each, loop.name))
      .find((each) => each !== null && isName(each.value, made.array));
    if (save == null) return null;
    const { array: store, stmt: keeping } = save;
    const inner = body.find((each): each is Const => each.kind === "const" && each.target === store);
    if (inner === undefined) return null;
    const [count, rounds] = [arraysMadeBy(inner), countsUpTo(loop)];
    if (count === null || rounds === null || !isSize(count) || !isSameExpr(count, rounds)) return null;
    if (holding().parts(made.array).others !== 1 || holding().parts(store).others !== 1) return null;
    const held = holding().of(store);
    const comments = { made: commentOn(made.stmt, loop.body), inner: commentOn(inner, body) };
    return held === null ? null : { loop, made, keeping, inner, store, count, ...held, comments };
  };

  const found: Nested[] = [];
  mapBlocks(fn, (body) => {
    if (body === fn.body) return body;
    for (const loop of body) {
      if (loop.kind !== "for" || countsUpTo(loop) === null || variables.get(loop.name)?.writes !== 1) continue;
      const made = loop.body.filter((stmt) => arrayMadeBy(stmt) !== null);
      if (made.length === 0 || jumps(loop.body)) continue;
      for (const stmt of made) {
        const nested = nestedOf(stmt, loop, body);
        if (nested !== null && !found.some(({ store }) => store === nested.store)) found.push(nested);
      }
    }
    return body;
  });
  return found;
}

/** Where arrays are held by others, and taken out of these again. */
class Holding {
  readonly parts: (array: string) => Parts;
  /** By array the constants that are elements of it, the arrays that it becomes an element of, and what makes it. */
  readonly #taken = new Map<string, Map<TsStmt, Taken>>();
  readonly #holders = new Map<string, string>();
  readonly #made = new Map<string, Const>();

  constructor(fn: TsFunction) {
    this.parts = partsIn(fn.body);
    visitStatements(fn.body, (stmt) => {
      if (stmt.kind === "const" && typeof stmt.target === "string") this.#constant(stmt, stmt.target);
      if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op !== "=") return;
      const { target, value } = stmt.expr;
      if (target.kind === "index" && target.object.kind === "id" && value.kind === "id")
        this.#holders.set(value.name, target.object.name);
    });
  }

  #constant(stmt: Const, name: string): void {
    if (arraysMadeBy(stmt) !== null) this.#made.set(name, stmt);
    if (stmt.init.kind !== "index" || stmt.init.object.kind !== "id") return;
    const from = stmt.init.object.name;
    const taken = this.#taken.get(from) ?? new Map<TsStmt, Taken>();
    this.#taken.set(from, taken.set(stmt, { name, from, index: stmt.init.index }));
  }

  /** The arrays that hold an array of rows, and what takes rows out of it by any of its names; null where something else is done with them. */
  of(store: string): Pick<Nested, "holders" | "taken"> | null {
    const holders: Const[] = [];
    for (let at = this.#holders.get(store); at !== undefined; at = this.#holders.get(at)) {
      const made = this.#made.get(at);
      if (made === undefined || holders.includes(made)) return null;
      holders.push(made);
    }
    if (holders.length === 0) return null;
    /** The names of the arrays at one depth, of all rounds together. */
    let names: readonly string[] = [];
    for (const holder of [...holders].reverse()) {
      const own = typeof holder.target === "string" ? holder.target : "";
      const isOutermost = holder === holders.at(-1);
      if (!this.#isHeld(own, isOutermost ? 0 : 1)) return null;
      const all = [...names, own];
      if (!names.every((name) => this.#isTaken(name)) || this.#takenFrom(own).size !== this.parts(own).reads)
        return null;
      names = all.flatMap((name) => [...this.#takenFrom(name).values()].map((taken) => taken.name));
    }
    if (this.parts(store).writes !== 1 || this.#takenFrom(store).size !== this.parts(store).reads) return null;
    if (!names.every((name) => this.#isTaken(name))) return null;
    const taken = new Map([store, ...names].flatMap((name) => [...this.#takenFrom(name)]));
    const isRead = ({ name }: Taken): boolean => this.parts(name).others === 0 && this.parts(name).writes === 0;
    return [...taken.values()].every(isRead) ? { holders, taken } : null;
  }

  /** Whether an array gets its elements from one statement, and is put into others so often. */
  #isHeld(name: string, times: number): boolean {
    const { writes, others } = this.parts(name);
    return writes === 1 && others === times;
  }

  /** Whether nothing is done with an array but to take elements out of it. */
  #isTaken(name: string): boolean {
    const { reads, writes, others } = this.parts(name);
    return writes === 0 && others === 0 && reads === this.#takenFrom(name).size;
  }

  #takenFrom(name: string): ReadonlyMap<TsStmt, Taken> {
    return this.#taken.get(name) ?? new Map<TsStmt, Taken>();
  }
}

/** How many elements an array of arrays has that a statement makes. */
function arraysMadeBy(stmt: Const): TsExpr | null {
  const { init } = stmt;
  const [count, ...others] = init.kind === "new" && isName(init.fn, "Array") ? init.args : [];
  return count === undefined || others.length > 0 ? null : count;
}
