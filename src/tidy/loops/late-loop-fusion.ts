// Loop fusion, of the two sweeps.
//
// Two loops of as many iterations, one behind the other, are one loop where no iteration needs another one of the other loop: what one saves for the other is not
// saved, what both read is read once. So a sum over data has its forward and its reverse sweep in one loop.
//
//   for (i < n) { s[i] = p; p = p * t }  for (j < n) { x_[j] += d * s[j] }
//     =>
//   for (i < n) { const q = p; p = p * t; x_[i] += d * q }

import { keyOf } from "../../key.js";
import { mapSame } from "../../same.js";
import { id } from "../../typescript/build.js";
import { withoutLast } from "../../typescript/called.js";
import { isName, isSameExpr } from "../../typescript/facts.js";
import { mapBlocks, mapParts, mapStmt, visitExpressions, type Rewriting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import {
  AccessReader,
  Accesses,
  conflict,
  conflictsWithIterations,
  noArrays,
  iterationsConflict,
  type OwnArrays,
  type Iterations,
} from "../analysis/accesses.js";
import { ArrayLengths } from "../analysis/array-lengths.js";
import type { Bindings } from "../analysis/bindings.js";
import { counting, countsUpTo, iterationsOf, type For } from "../analysis/counting.js";
import { Constants } from "../analysis/constants.js";
import { Memory, type Location } from "../analysis/memory.js";
import { ownArrays, saveOf, type Save } from "../analysis/own-arrays.js";
import { isFresh, isNumberCall, isTotal, type Surroundings } from "../analysis/purity.js";
import { isSeparate } from "../analysis/separate-iterations.js";
import { surveyed, type Variable } from "../analysis/survey.js";

export function withJoinedLoops(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  const { variables } = surveyed(fn);
  const lengths = new ArrayLengths(fn, surroundings);
  const joining = new Joining(variables, new Memory(fn, surroundings), lengths, bindings, surroundings);
  return mapBlocks(fn, (body) => joining.block(body));
}

/** So many loops are looked at behind one. */
const mostLoops = 4;

class Joining {
  readonly #reader: AccessReader;
  /** Bodies of loops that have been looked at: what is joined to one is added to what is known of it. */
  readonly #bodies = new WeakMap<readonly TsStmt[], Body>();
  /** How often variables are mentioned that have come to stand for others. */
  readonly #counts = new Map<string, number>();

  constructor(
    private readonly variables: ReadonlyMap<string, Variable>,
    private readonly memory: Memory,
    private readonly lengths: ArrayLengths,
    private readonly bindings: Bindings,
    private readonly surroundings: Surroundings,
  ) {
    this.#reader = new AccessReader(memory, surroundings);
  }

  block(body: readonly TsStmt[]): readonly TsStmt[] {
    if (body.filter((stmt) => stmt.kind === "for").length < 2) return body;
    const out = [...body];
    for (let at = 0; at < out.length; at++) {
      const first = out[at];
      if (first === undefined || !this.#isCounting(first)) continue;
      for (let [next, loops] = [at + 1, 0]; next < out.length && loops < mostLoops; next++) {
        const second = out[next];
        if (second === undefined || this.#isPassed(second)) continue;
        if (second.kind !== "for") break;
        loops++;
        const joined = this.#isCounting(second) ? this.#joined(first, second, out.slice(at + 1, next)) : null;
        if (joined === null) continue;
        out.splice(at, next - at + 1, ...joined);
        break;
      }
    }
    return out;
  }

  /** Whether a statement between two loops can be made one in front of them or behind them, as far as it alone says so. */
  #isPassed(stmt: TsStmt): boolean {
    const isGood = (expr: TsExpr): boolean =>
      isTotal(expr, this.surroundings) ||
      isFresh(expr, this.surroundings) ||
      (expr.kind === "call" && isNumberCall(expr.fn, this.surroundings));
    switch (stmt.kind) {
      case "comment":
      case "if":
        return true;
      case "const":
        return isGood(stmt.init);
      case "let":
        return stmt.init === null || isGood(stmt.init);
      case "expr":
        return stmt.expr.kind === "assign" && isGood(stmt.expr.value);
      default:
        return false;
    }
  }

  /** What takes the place of two loops and of what is between them; null where they stay two. */
  #joined(first: For, second: For, between: readonly TsStmt[]): readonly TsStmt[] | null {
    const head = this.#head(first, second);
    if (head === null) return null;
    const [body, other] = [this.#bodyOf(first), this.#reader.of(second.body)];
    if (body === null || other === null || other.mayFail) return null;
    const own = body.accesses;
    const saved = savesOf(first).filter(
      ({ array }) => other.names.has(array) && this.#mentions(array) === 1 + readsOf(second, array),
    );
    if (saved.length === 0 && !other.arrays.some((name) => own.hasElementsOf(name))) return null;
    const isBefore = (name: string): boolean =>
      this.variables.get(name)?.writes === 0 && name !== first.name && !own.declared.has(name);
    const isAlone = (name: string): boolean => saved.some(({ array }) => array === name);
    const holdsNumbers = (name: string): boolean => this.memory.holdsNumbers(name);
    const arrays = own.mayHoldArrays ? ownArrays(first, second, { isBefore, isAlone, holdsNumbers }) : noArrays;
    const iterations = { loop: first, accesses: own };
    if (iterationsConflict(iterations, { loop: second, accesses: other }, arrays)) return null;
    const around = this.#moved(iterations, { loop: second, accesses: other }, arrays, between);
    if (around === null) return null;
    const merged =
      saved.length === 0 ? this.#grown(first, second, body, other) : this.#merged(first, second, saved, [own, other]);
    return [...around.before, { ...head, body: this.block(merged) }, ...around.after];
  }

  /** Of two loops of as many iterations the one whose direction is right for both; null where none is. */
  #head(first: For, second: For): For | null {
    const [count, other] = [iterationsOf(first), iterationsOf(second)];
    if (count === null || other === null) return null;
    if (!isSameExpr(count, other) && !this.lengths.areSame(count, other)) return null;
    const isUp = (loop: For): boolean => countsUpTo(loop) !== null;
    if (isUp(first) === isUp(second) || isSeparate(second, this.surroundings)) return first;
    if (!isSeparate(first, this.surroundings)) return null;
    return { ...first, ...counting(first.name, count, isUp(second) ? "up" : "down") };
  }

  /** What of the statements between two loops goes in front of the first, and what behind the second; null where neither is right for one. */
  #moved(first: Iterations, second: Iterations, arrays: OwnArrays, between: readonly TsStmt[]): Around | null {
    const [before, after]: [TsStmt[], TsStmt[]] = [[], []];
    const moved = new Accesses([]);
    for (const [at, stmt] of between.entries()) {
      // A comment goes with what it stands above
      const subject = stmt.kind === "comment" ? between.slice(at).find(({ kind }) => kind !== "comment") : stmt;
      const accesses = subject === undefined ? new Accesses([]) : this.#reader.ofOne(subject);
      if (accesses === null) return null;
      const isFreeOf = (passed: Accesses): boolean => !mentions(accesses, passed) && !isNameOfElements(subject, passed);
      const passesFirst = isFreeOf(first.accesses) && !conflictsWithIterations(accesses, first, arrays);
      if (passesFirst && isFreeOf(moved) && !conflict(accesses, moved)) before.push(stmt);
      // The second loop may rely on what fails
      else if (accesses.mayFail || conflictsWithIterations(accesses, second, noArrays)) return null;
      else if (mentions(second.accesses, accesses)) return null;
      else {
        after.push(stmt);
        moved.add(accesses);
      }
    }
    return { before, after };
  }

  /** How often a variable is mentioned, what stands for others by now included. */
  #mentions(name: string): number {
    const variable = this.variables.get(name);
    return this.#counts.get(name) ?? (variable === undefined ? 0 : variable.reads + variable.writes);
  }

  #mentioned(name: string, more: number): void {
    this.#counts.set(name, this.#mentions(name) + more);
  }

  /** Whether a statement is a loop that counts by one, and has as many iterations whenever it is reached. */
  #isCounting(stmt: TsStmt): stmt is For {
    const iterations = stmt.kind === "for" ? iterationsOf(stmt) : null;
    if (iterations === null || stmt.kind !== "for" || this.variables.get(stmt.name)?.writes !== 1) return false;
    const name = iterations.kind === "member" && iterations.name === "length" ? iterations.object : iterations;
    return name.kind === "number" || (name.kind === "id" && this.variables.get(name.name)?.writes === 0);
  }

  #bodyOf({ body }: For): Body | null {
    const known = this.#bodies.get(body);
    if (known !== undefined && known.links === this.memory.links) return known;
    const accesses = this.#reader.of(body);
    if (accesses === null) return null;
    const constants = new Constants(this.memory, this.surroundings);
    constants.add(body);
    const found = { accesses, constants, links: this.memory.links };
    this.#bodies.set(body, found);
    return found;
  }

  /** The body of a loop with that of another one behind it, which needs nothing that it saves. */
  #grown(first: For, second: For, body: Body, other: Accesses): readonly TsStmt[] {
    const added = this.#behind(first, second, [body.accesses, other], body.constants, new Map());
    const accesses = this.#reader.of(added);
    const at = this.#stepsOf(first, accesses);
    const merged = [...first.body.slice(0, at), ...added, ...first.body.slice(at)];
    if (accesses === null) return merged;
    body.accesses.add(accesses);
    body.constants.add(added);
    this.#bodies.set(merged, body);
    return merged;
  }

  /** Where the steps to the next iteration begin that a body ends with, if others may stand in front of them and one changes what has just been put in an array. */
  #stepsOf({ name, body }: For, others: Accesses | null): number {
    const stored = new Set(body.flatMap((stmt) => storedAt(stmt, name) ?? []));
    let [at, isStep] = [body.length, false];
    for (; at > 0; at--) {
      const stmt = body[at - 1];
      const target = stmt?.kind === "expr" && stmt.expr.kind === "assign" ? stmt.expr.target : null;
      const step = stmt === undefined ? null : this.#reader.ofOne(stmt);
      if (target?.kind !== "id" || step === null || others === null || conflict(step, others)) break;
      isStep ||= stored.has(target.name);
    }
    return isStep ? at : body.length;
  }

  #merged(first: For, second: For, saved: readonly Save[], pair: Pair): readonly TsStmt[] {
    const names = new Map(saved.map((save) => [save.array, this.#nameOf(save)]));
    const at = this.#placeIn(first, second, saved);
    const constants = new Constants(this.memory, this.surroundings);
    constants.add(first.body.slice(0, at));
    const added = this.#behind(first, second, pair, constants, names);
    const saves = new Map(saved.map((save) => [save.stmt, save]));
    const kept = (stmts: readonly TsStmt[]): readonly TsStmt[] =>
      stmts.flatMap((stmt): readonly TsStmt[] => {
        const save = saves.get(stmt);
        const name = save === undefined ? undefined : names.get(save.array);
        if (save === undefined || name === undefined) return [stmt];
        if (isName(save.value, name)) this.#mentioned(name, -1);
        return isName(save.value, name) ? [] : [{ kind: "const", target: name, type: null, init: save.value }];
      });
    return [...kept(first.body.slice(0, at)), ...added, ...kept(first.body.slice(at))];
  }

  /** The body of a loop as it stands behind that of another one: in place of elements of some arrays variables, in place of constants the other's. */
  #behind(
    first: For,
    second: For,
    pair: Pair,
    constants: Constants,
    names: ReadonlyMap<string, string>,
  ): readonly TsStmt[] {
    const renamed = new Map([[second.name, first.name]]);
    const rewriting: Rewriting = {
      expr: (expr) => {
        const name = expr.kind === "index" && expr.object.kind === "id" ? names.get(expr.object.name) : undefined;
        if (name !== undefined) return id(name);
        const same = expr.kind === "id" ? renamed.get(expr.name) : undefined;
        return same === undefined ? mapParts(expr, rewriting) : id(same);
      },
      block: (body) => mapSame(body, (stmt) => mapStmt(stmt, rewriting)),
    };
    const saved = new Map([...names.values()].map((name) => [keyOf(id(name)), name]));
    const isKept = ({ of, key }: Location): boolean =>
      of === first.name || !pair.some((accesses) => accesses.changes(of, key));
    return second.body.flatMap((stmt): readonly TsStmt[] => {
      const rewritten = mapStmt(stmt, rewriting);
      if (rewritten.kind !== "const" || typeof rewritten.target !== "string") return [rewritten];
      const key = keyOf(rewritten.init);
      const same = saved.get(key) ?? constants.with(key, isKept);
      if (same === undefined) return [rewritten];
      renamed.set(rewritten.target, same);
      this.#mentioned(same, this.#mentions(rewritten.target));
      return [];
    });
  }

  /** The variable that takes the place of an array: the one that is saved, where that stays the same in an iteration. */
  #nameOf({ array, value }: Save): string {
    if (value.kind === "id" && this.variables.get(value.name)?.kind === "const") return value.name;
    return this.bindings.fresh(withoutLast(this.bindings.wanted(array), "saved"));
  }

  /** How much of a loop's body comes before that of another one: all of it, but for steps at the end that change what has just been saved. */
  #placeIn(first: For, second: For, saved: readonly Save[]): number {
    const place = 1 + Math.max(-1, ...saved.map(({ stmt }) => first.body.indexOf(stmt)));
    const [steps, body] = [first.body.slice(place), second.body].map((stmts) => this.#reader.of(stmts));
    const isStep = saved.some(({ value }) => value.kind === "id" && steps?.changes(value.name, null) === true);
    const isFree = steps && body && !conflict(steps, body);
    return isStep && isFree ? place : Math.max(place, this.#stepsOf(first, body ?? null));
  }
}

/** What is known of the body of a loop. */
interface Body {
  readonly accesses: Accesses;
  readonly constants: Constants;
  /** How many regions the memory had joined then. */
  readonly links: number;
}

/** What two loops read and change. */
type Pair = readonly [Accesses, Accesses];

interface Around {
  readonly before: readonly TsStmt[];
  readonly after: readonly TsStmt[];
}

/** Whether a statement gives another name to an array that is being filled: passes that copy the array there rely on what stands before. */
function isNameOfElements(stmt: TsStmt | undefined, filling: Accesses): boolean {
  const value = stmt?.kind === "const" || stmt?.kind === "let" ? stmt.init : null;
  return value?.kind === "id" && filling.hasElementsOf(value.name);
}

function mentions({ names }: Accesses, { declared }: Accesses): boolean {
  return [...names].some((name) => declared.has(name));
}

/** The variable that a statement puts in an array at an index; null where it does something else. */
function storedAt(stmt: TsStmt, index: string): string | null {
  if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op !== "=") return null;
  const { target, value } = stmt.expr;
  return target.kind === "index" && isName(target.index, index) && value.kind === "id" ? value.name : null;
}

function savesOf({ name, body }: For): readonly Save[] {
  return body.flatMap((stmt) => saveOf(stmt, name) ?? []);
}

/** How often a loop reads an array, where it does so only at its index; infinitely often otherwise. */
function readsOf({ name, body }: For, array: string): number {
  let [elements, all] = [0, 0];
  visitExpressions(body, (expr) => {
    if (expr.kind === "index" && isName(expr.object, array) && isName(expr.index, name)) elements++;
    if (expr.kind === "assign" && expr.target.kind === "index" && isName(expr.target.object, array)) all = Infinity;
    if (isName(expr, array)) all++;
  });
  return elements === all && all > 0 ? all : Infinity;
}
