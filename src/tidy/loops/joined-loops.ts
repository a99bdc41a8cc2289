// Two loops of as many rounds, one behind the other, are one loop where no round needs another one of the other loop: what one saves for the other is not
// saved, what both read is read once. So a sum over data has its forward and its reverse sweep in one loop.
//
//   for (i < n) { s[i] = p; p = p * t }  for (j < n) { x_[j] += d * s[j] }
//     =>
//   for (i < n) { const q = p; p = p * t; x_[i] += d * q }

import { keyOf } from "../../key.js";
import { mapSame, sameItems } from "../../same.js";
import { id } from "../../typescript/build.js";
import { isName, isSameExpr } from "../../typescript/facts.js";
import {
  mapBlocks,
  mapParts,
  mapStmt,
  replaced,
  visitParts,
  visitStmt,
  type Rewriting,
  type Visiting,
} from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { accessesOf, conflict, type Accesses, type OwnArrays } from "../analysis/accesses.js";
import type { Bindings } from "../analysis/bindings.js";
import { counting, countsUpTo, roundsOf, type For } from "../analysis/counting.js";
import { Memory } from "../analysis/memory.js";
import { declares } from "../analysis/mentions.js";
import { ownArrays, saveOf, type Save } from "../analysis/own-arrays.js";
import { isFresh, isNumberCall, isTotal, type Surroundings } from "../analysis/purity.js";
import { surveyed, type Variable } from "../analysis/survey.js";
import { isSeparate } from "./directions.js";

export function withJoinedLoops(fn: TsFunction, bindings: Bindings, surroundings: Surroundings): TsFunction {
  const { variables } = surveyed(fn);
  const joining = new Joining(variables, new Memory(fn, surroundings), bindings, surroundings);
  return mapBlocks(fn, (body) => joining.block(body));
}

/** So many loops are looked at behind one. */
const mostLoops = 4;

class Joining {
  constructor(
    private readonly variables: ReadonlyMap<string, Variable>,
    private readonly memory: Memory,
    private readonly bindings: Bindings,
    private readonly surroundings: Surroundings,
  ) {}

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
    return sameItems(body, out);
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
    const saved = savesOf(first).filter(({ array }) => this.#mentions(array) === 1 + readsOf(second, array));
    const isBefore = (name: string): boolean => this.variables.get(name)?.writes === 0 && !declares(first, name);
    const arrays = ownArrays(first, second, isBefore);
    const [own, other] = [this.#accesses(first.body, first, arrays), this.#accesses(second.body, second, arrays)];
    if (own === null || other === null || other.mayFail || conflict(own, other)) return null;
    if (saved.length === 0 && !shareElements(first, second)) return null;
    const around = this.#moved(own, other, between);
    return around === null
      ? null
      : [...around.before, { ...head, body: this.block(this.#merged(first, second, saved)) }, ...around.after];
  }

  /** Of two loops of as many rounds the one whose direction is right for both; null where none is. */
  #head(first: For, second: For): For | null {
    if (!isSameExpr(roundsOf(first), roundsOf(second))) return null;
    const isUp = (loop: For): boolean => countsUpTo(loop) !== null;
    if (isUp(first) === isUp(second) || isSeparate(second, this.surroundings)) return first;
    const rounds = roundsOf(first);
    if (rounds === null || !isSeparate(first, this.surroundings)) return null;
    return { ...first, ...counting(first.name, rounds, isUp(second) ? "up" : "down") };
  }

  #accesses(stmts: readonly TsStmt[], loop: For | null, own?: OwnArrays): Accesses | null {
    return accessesOf(stmts, loop, this.memory, this.surroundings, own);
  }

  /** What of the statements between two loops goes in front of the first, and what behind the second; null where neither is right for one. */
  #moved(first: Accesses, second: Accesses, between: readonly TsStmt[]): Around | null {
    const [before, after]: [TsStmt[], TsStmt[]] = [[], []];
    const passed: Accesses[] = [first];
    for (const [at, stmt] of between.entries()) {
      // A comment goes with what it stands above
      const subject = stmt.kind === "comment" ? between.slice(at).find(({ kind }) => kind !== "comment") : stmt;
      const accesses = this.#accesses(subject === undefined ? [] : [subject], null);
      if (accesses === null) return null;
      if (passed.every((other) => !conflict(other, accesses) && !mentions(accesses, other))) before.push(stmt);
      // The second loop may rely on what fails
      else if (accesses.mayFail || conflict(accesses, second) || mentions(second, accesses)) return null;
      else {
        after.push(stmt);
        passed.push(accesses);
      }
    }
    return { before, after };
  }

  #mentions(name: string): number {
    const variable = this.variables.get(name);
    return variable === undefined ? 0 : variable.reads + variable.writes;
  }

  /** Whether a statement is a loop that counts by one, and has as many rounds whenever it is reached. */
  #isCounting(stmt: TsStmt): stmt is For {
    const rounds = stmt.kind === "for" ? roundsOf(stmt) : null;
    if (rounds === null || stmt.kind !== "for" || this.variables.get(stmt.name)?.writes !== 1) return false;
    const name = rounds.kind === "member" && rounds.name === "length" ? rounds.object : rounds;
    return name.kind === "number" || (name.kind === "id" && this.variables.get(name.name)?.writes === 0);
  }

  #merged(first: For, second: For, saved: readonly Save[]): readonly TsStmt[] {
    const names = new Map(saved.map((save) => [save.array, this.#nameOf(save)]));
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
    const at = this.#placeIn(first, second, saved);
    const known = this.#valuesOf(first.body.slice(0, at), first, second);
    for (const name of names.values()) known.set(keyOf(id(name)), name);
    const own = second.body.flatMap((stmt): readonly TsStmt[] => {
      const rewritten = mapStmt(stmt, rewriting);
      const same = rewritten.kind === "const" ? known.get(keyOf(rewritten.init)) : undefined;
      if (same === undefined || rewritten.kind !== "const" || typeof rewritten.target !== "string") return [rewritten];
      renamed.set(rewritten.target, same);
      return [];
    });
    const kept = (stmts: readonly TsStmt[]): readonly TsStmt[] =>
      replaced(stmts, (stmt) => {
        const save = saved.find((one) => one.stmt === stmt);
        const name = save === undefined ? undefined : names.get(save.array);
        if (save === undefined || name === undefined) return stmt;
        return isName(save.value, name) ? [] : { kind: "const", target: name, type: null, init: save.value };
      });
    return [...kept(first.body.slice(0, at)), ...own, ...kept(first.body.slice(at))];
  }

  /** The variable that takes the place of an array: the one that is saved, where that stays the same in a round. */
  #nameOf({ array, value }: Save): string {
    if (value.kind === "id" && this.variables.get(value.name)?.kind === "const") return value.name;
    return this.bindings.fresh(this.bindings.wanted(array).replace(/Saved$/, ""));
  }

  /** How much of a loop's body comes before that of another one: all of it, but for steps at the end that change what has just been saved. */
  #placeIn(first: For, second: For, saved: readonly Save[]): number {
    const place = 1 + Math.max(-1, ...saved.map(({ stmt }) => first.body.indexOf(stmt)));
    const [steps, body] = [first.body.slice(place), second.body].map((stmts) => this.#accesses(stmts, null));
    const isStep = saved.some(
      ({ value }) => steps?.all.some(({ of, isChange }) => isChange && isName(value, of)) === true,
    );
    const isFree = steps && body && !conflict(steps, body);
    return isStep && isFree ? place : first.body.length;
  }

  /** Constants of a round by what they are, where that is the same until its end. */
  #valuesOf(stmts: readonly TsStmt[], first: For, second: For): Map<string, string> {
    const changed = this.#changed([first.body, second.body]);
    const known = new Map<string, string>();
    const inits = new Map<string, TsExpr>();
    for (const stmt of stmts) {
      if (stmt.kind !== "const" || typeof stmt.target !== "string") continue;
      for (const value of this.#equals(stmt.init, inits)) {
        const isKept = this.memory.reads(value).every(({ of, key }) => !changed(of, key) || of === first.name);
        if (isKept) known.set(keyOf(value), stmt.target);
      }
      inits.set(stmt.target, stmt.init);
    }
    return known;
  }

  /** Expressions that are what a constant is, given what the constants before it are. */
  #equals(init: TsExpr, inits: ReadonlyMap<string, TsExpr>): readonly TsExpr[] {
    if (isTotal(init, this.surroundings)) return init.kind === "id" ? [] : [init];
    const isCompared = init.kind === "call" && init.fn.kind === "id" && this.surroundings.reference(init.fn.name) === "numbers.sameLength"; // prettier-ignore
    const lengths = isCompared ? init.args.slice(0, 2) : [];
    return lengths.flatMap((part) => {
      const inner = part.kind === "id" ? inits.get(part.name) : part;
      return inner !== undefined && isTotal(inner, this.surroundings) ? [inner] : [];
    });
  }

  #changed(bodies: readonly (readonly TsStmt[])[]): (of: string, key: string) => boolean {
    const changes = bodies.flatMap((body) => this.#accesses(body, null)?.all ?? []).filter(({ isChange }) => isChange);
    return (of, key) => changes.some((change) => change.of === of && (change.keys === null || change.keys.has(key)));
  }
}

interface Around {
  readonly before: readonly TsStmt[];
  readonly after: readonly TsStmt[];
}

function mentions({ names }: Accesses, { declared }: Accesses): boolean {
  return [...declared].some((name) => names.has(name));
}

/** Whether two loops read or write elements of one array. */
function shareElements(first: For, second: For): boolean {
  const arrays = arraysIn(first);
  return [...arraysIn(second)].some((name) => arrays.has(name));
}

function arraysIn({ body }: For): ReadonlySet<string> {
  const found = new Set<string>();
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "index" && expr.object.kind === "id") found.add(expr.object.name);
      visitParts(expr, visiting);
    },
    block: (stmts) => {
      for (const stmt of stmts) visitStmt(stmt, visiting);
    },
  };
  visiting.block(body);
  return found;
}

function savesOf({ name, body }: For): readonly Save[] {
  return body.flatMap((stmt) => saveOf(stmt, name) ?? []);
}

/** How often a loop reads an array, where it does so only at its index; infinitely often otherwise. */
function readsOf({ name, body }: For, array: string): number {
  let [elements, all] = [0, 0];
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "index" && isName(expr.object, array) && isName(expr.index, name)) elements++;
      if (expr.kind === "assign" && expr.target.kind === "index" && isName(expr.target.object, array)) all = Infinity;
      if (isName(expr, array)) all++;
      visitParts(expr, visiting);
    },
    block: (stmts) => {
      for (const stmt of stmts) visitStmt(stmt, visiting);
    },
  };
  visiting.block(body);
  return elements === all && all > 0 ? all : Infinity;
}
