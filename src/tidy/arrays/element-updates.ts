// In-place updates.
//
// An array that is a copy of the one before but for some elements is that one, with other elements, where nothing needs it as it was:
//
//   const y1 = new Float64Array(n);
//   for (let j = 0; j < n; j++) {
//     if (j === i) y1[j] = x;                  =>    y[i] = x;
//     else y1[j] = y[j];
//   }
//   y = y1;
//
// and of cotangents, where the element's own is taken:
//
//   for (let j = 0; j < n; j++) {              =>    if (i >= 0 && i < n) {
//     if (j === i) x_ += y[j];                         x_ += y[i];
//     else y1[j] += y[j];                              y[i] = 0;
//   }                                                }
//
// A loop that copies several arrays does so of each by itself: that of an array of rows, and that of where the cotangents of the rows are.

import { binary, effect, id, not, number } from "../../typescript/build.js";
import { isName, isSameExpr } from "../../typescript/facts.js";
import { mapStmt, visitExpressions } from "../../typescript/traverse.js";
import type { TsExpr, TsStmt } from "../../typescript/tree.js";
import { isElement, isNewArray, iterationsOf, type ArrayMade, type For } from "../analysis/counting.js";
import { jumps, mentionsIn, namesIn } from "../analysis/mentions.js";
import { indexTested, iterationAt, replacing } from "../analysis/one-index.js";
import { isTotal, type Surroundings } from "../analysis/purity.js";

/** What is done at one index, and not where that is one of the earlier ones. */
interface Update {
  readonly at: TsExpr;
  readonly earlier: readonly TsExpr[];
  /** What else is done there. */
  readonly others: readonly TsStmt[];
  /** The new element: 0 where none is set. */
  readonly value: TsExpr;
}

type Assign = TsExpr & { readonly kind: "assign" };

/**
 * A block that makes an array and hands it over to `before`, with the elements of that changed in its place; null where other elements than some are not those of `before`,
 * or where something reads them as they were.
 */
export function updatedInPlace(
  block: readonly TsStmt[],
  made: ArrayMade,
  handed: { readonly name: string; readonly stmt: TsStmt },
  surroundings: Surroundings,
): readonly TsStmt[] | null {
  const { stmt, array, size } = made;
  const before = handed.name;
  const loop = block.find((each) => each !== stmt && mentionsIn([each], array));
  if (loop?.kind !== "for" || jumps(loop.body) || !isSameExpr(iterationsOf(loop), size)) return null;
  const isSplit = isOfCopies(loop, surroundings);
  const own = isSplit ? withStores(loop, (other) => other === array) : loop;
  const rest = isSplit ? withStores(loop, (other) => other !== array) : { ...loop, body: [] };
  if (mentionsIn(rest.body, before) || mentionsIn(rest.body, array)) return null;
  const later = block.slice(block.indexOf(loop) + 1, block.indexOf(handed.stmt));
  if (mentionsIn(later, before)) return null;
  const updates = new Updates(own, made, before, surroundings).all();
  if (updates === null) return null;
  const renaming = replacing((expr) => (isName(expr, array) ? id(before) : null));
  return block.flatMap((each) => {
    if (each === stmt || each === handed.stmt) return [];
    return each === loop
      ? [...(rest.body.length > 0 ? [rest] : []), ...updates.flatMap((update) => stmtsOf(update, before, size))]
      : [mapStmt(each, renaming)];
  });
}

/** Whether a loop does nothing but set elements at its index, to what it has computed. */
function isOfCopies({ name, body }: For, surroundings: Surroundings): boolean {
  const isOne = (stmt: TsStmt): boolean => {
    if (stmt.kind === "const") return typeof stmt.target === "string" && isTotal(stmt.init, surroundings);
    if (stmt.kind === "if") return isTotal(stmt.test, surroundings) && [...stmt.then, ...stmt.else].every(isOne);
    const set = stmt.kind === "expr" && stmt.expr.kind === "assign" && stmt.expr.op === "=" ? stmt.expr : null;
    return set?.target.kind === "index" && set.target.object.kind === "id" && isName(set.target.index, name) && isTotal(set.value, surroundings); // prettier-ignore
  };
  return body.every(isOne);
}

/** Such a loop that sets elements of some of its arrays alone. */
function withStores(loop: For, isKept: (array: string) => boolean): For {
  const kept = (body: readonly TsStmt[]): readonly TsStmt[] =>
    body.reduceRight<readonly TsStmt[]>((behind, stmt) => {
      if (stmt.kind === "if") {
        const inside = { ...stmt, then: kept(stmt.then), else: kept(stmt.else) };
        return inside.then.length + inside.else.length === 0 ? behind : [inside, ...behind];
      }
      const name = stmt.kind === "const" && typeof stmt.target === "string" ? stmt.target : null;
      return (name === null ? isKept(storedIn(stmt)) : mentionsIn(behind, name)) ? [stmt, ...behind] : behind;
    }, []);
  return { ...loop, body: kept(loop.body) };
}

/** The array that a statement sets an element of; "" where it does not. */
function storedIn(stmt: TsStmt): string {
  const target = stmt.kind === "expr" && stmt.expr.kind === "assign" ? stmt.expr.target : null;
  return target?.kind === "index" && target.object.kind === "id" ? target.object.name : "";
}

/** The updates that a loop makes which copies all other elements. */
class Updates {
  readonly #loop: For;
  readonly #array: string;
  readonly #isOfZeros: boolean;
  readonly #before: string;
  readonly #surroundings: Surroundings;
  readonly #updates: Update[] = [];

  constructor(loop: For, made: ArrayMade, before: string, surroundings: Surroundings) {
    this.#loop = loop;
    this.#array = made.array;
    this.#isOfZeros = isNewArray(made.stmt.init);
    this.#before = before;
    this.#surroundings = surroundings;
  }

  all(): readonly Update[] | null {
    return this.#walk(this.#loop.body, [], []) ? this.#updates : null;
  }

  /** Goes down the tests of the index, to where elements are copied; `prefix` is what has been computed on the way. */
  #walk(body: readonly TsStmt[], prefix: readonly TsStmt[], earlier: readonly TsExpr[]): boolean {
    const first = body.findIndex((stmt) => !this.#isComputed(stmt));
    const [last, ...more] = first < 0 ? [] : body.slice(first);
    if (last === undefined || more.length > 0) return false;
    const all = [...prefix, ...body.slice(0, first)];
    const chosen = this.#choice(last);
    if (chosen === null) return this.#isCopy(last, all);
    const update = this.#update(chosen.then, all, chosen.at, earlier);
    if (update === null) return false;
    this.#updates.push(update);
    return this.#walk(chosen.else, all, [...earlier, chosen.at]);
  }

  /** A constant that has no effect, and whose value the array has no part in. */
  #isComputed(stmt: TsStmt): boolean {
    return stmt.kind === "const" && typeof stmt.target === "string" && isTotal(stmt.init, this.#surroundings) && !mentionsIn([stmt], this.#array); // prettier-ignore
  }

  /** `if (j === i) ..`, `if (j !== i) ..`, and `y1[j] = j === i ? .. : ..`. */
  #choice(
    stmt: TsStmt,
  ): { readonly at: TsExpr; readonly then: readonly TsStmt[]; readonly else: readonly TsStmt[] } | null {
    if (stmt.kind === "if") {
      const at = indexTested(stmt.test, this.#loop);
      if (at !== null) return { at, then: stmt.then, else: stmt.else };
      const other = indexTested(not(stmt.test), this.#loop);
      return other === null ? null : { at: other, then: stmt.else, else: stmt.then };
    }
    const assign = this.#set(stmt);
    if (assign?.value.kind !== "cond") return null;
    const at = indexTested(assign.value.test, this.#loop);
    const branch = (value: TsExpr): readonly TsStmt[] => [effect({ ...assign, value })];
    return at === null ? null : { at, then: branch(assign.value.then), else: branch(assign.value.else) };
  }

  /** `y1[j] = ..`, or `y1[j] += ..`, of zeros. */
  #set(stmt: TsStmt | undefined): Assign | null {
    if (stmt?.kind !== "expr" || stmt.expr.kind !== "assign" || (stmt.expr.op !== "=" && stmt.expr.op !== "+="))
      return null;
    return isElement(stmt.expr.target, this.#array, this.#loop.name) ? stmt.expr : null;
  }

  #isCopy(stmt: TsStmt, computed: readonly TsStmt[]): boolean {
    const value = this.#set(stmt)?.value;
    if (value === undefined) return false;
    const isOld = (expr: TsExpr): boolean => isElement(expr, this.#before, this.#loop.name);
    return isOld(value) || computed.some((each) => each.kind === "const" && typeof each.target === "string" && isName(value, each.target) && isOld(each.init)); // prettier-ignore
  }

  #update(then: readonly TsStmt[], computed: readonly TsStmt[], at: TsExpr, earlier: readonly TsExpr[]): Update | null {
    const set = this.#set(then.at(-1));
    const others = [...computed, ...(set === null ? then : then.slice(0, -1))];
    const value = set?.value ?? number(0);
    const stmts = [...others, effect(value)];
    // Of the array before, the element that is set, and nothing else
    const own = elementsIn(stmts, this.#before, this.#loop.name);
    if (mentionsIn(stmts, this.#array) || namesIn(stmts, this.#before) !== own) return null;
    if (set === null && !this.#isOfZeros) return null;
    if (!isTotal(value, this.#surroundings) || !others.every((each) => this.#isOnItsOwn(each))) return null;
    const there = iterationAt(this.#loop, at);
    return { at, earlier, others: there.block(others), value: there.expr(value) };
  }

  /** A constant, or a number of which no other part of the loop knows that is set or added to. */
  #isOnItsOwn(stmt: TsStmt): boolean {
    if (this.#isComputed(stmt)) return true;
    if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.target.kind !== "id") return false;
    const { target, value } = stmt.expr;
    return isTotal(value, this.#surroundings) && namesIn(this.#loop.body, target.name) === 1;
  }
}

function stmtsOf({ at, earlier, others, value }: Update, array: string, size: TsExpr): readonly TsStmt[] {
  const set: TsStmt = effect({ kind: "assign", op: "=", target: { kind: "index", object: id(array), index: at, certain: false }, value }); // prettier-ignore
  // What is set behind the end of an array of numbers is not set
  const inside = others.length === 0 ? [] : [binary(">=", at, number(0)), binary("<", at, size)];
  const tests = [...inside, ...earlier.map((other) => binary("!==", at, other))];
  if (tests.length === 0) return [set];
  const test = tests.reduce((all, each) => binary("&&", all, each));
  return [{ kind: "if", test, then: [...others, set], else: [] }];
}

/** How often statements use the element of an array at an index. */
function elementsIn(stmts: readonly TsStmt[], array: string, index: string): number {
  let count = 0;
  visitExpressions(stmts, (expr) => {
    if (isElement(expr, array, index)) count++;
  });
  return count;
}
