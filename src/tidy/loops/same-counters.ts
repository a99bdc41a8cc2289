// Induction-variable elimination.
//
// Variables that begin equal, and are stepped together in every iteration of a loop, are one.
//
//   let iterations = 0; let count = 0;                              let iterations = 0;
//   for (;;) { .. xs[count] = x; count += 1; iterations += 1 }      for (;;) { .. xs[iterations] = x; iterations += 1 }

import { keyOf } from "../../key.js";
import { id } from "../../typescript/build.js";
import {
  mapBlocks,
  mapParts,
  mapStmt,
  replaced,
  visitExpressions,
  visitStatements,
  withBody,
  type Rewriting,
} from "../../typescript/traverse.js";
import type { TsCase, TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { namesIn } from "../analysis/mentions.js";
import type { Surroundings } from "../analysis/purity.js";
import { surveyed } from "../analysis/survey.js";

type Counter = TsStmt & { readonly kind: "let" };

export function withoutSameCounters(fn: TsFunction, { alternatives }: Surroundings): TsFunction {
  const { variables } = surveyed(fn);
  const instead = new Map<string, string>();
  const find = (body: readonly TsStmt[]): readonly TsStmt[] => {
    for (const [place, loop] of body.entries()) {
      if (loop.kind !== "loop" && loop.kind !== "while") continue;
      const before = body.slice(0, place);
      const isStepped = ({ name }: Counter): boolean => {
        const count = steps(loop, name);
        return count > 0 && count === variables.get(name)?.writes && !before.some((stmt) => isSeenLater(stmt, name));
      };
      const counters = before.filter(isCounter).filter(isStepped);
      for (const [index, counter] of counters.entries()) {
        const isSame = (other: Counter): boolean =>
          !instead.has(other.name) && areSame(other, counter, loop.body, alternatives);
        const same = counters.slice(0, index).find(isSame);
        if (same !== undefined) instead.set(counter.name, same.name);
      }
    }
    return body;
  };
  mapBlocks(fn, find);
  return instead.size === 0 ? fn : withBody(fn, renamed(fn.body, instead));
}

function isCounter(stmt: TsStmt): stmt is Counter {
  return stmt.kind === "let" && stmt.init?.kind === "number";
}

/** The name of the variable that a statement adds one to; null for others. */
function stepped(stmt: TsStmt): string | null {
  if (stmt.kind !== "expr" || stmt.expr.kind !== "assign" || stmt.expr.op !== "+=") return null;
  const { target, value } = stmt.expr;
  return target.kind === "id" && value.kind === "number" && value.value === 1 ? target.name : null;
}

/** How often statements in a statement add one to a variable. */
function steps(stmt: TsStmt, name: string): number {
  let count = 0;
  visitStatements([stmt], (inner) => {
    if (stepped(inner) === name) count++;
  });
  return count;
}

function areSame(
  one: Counter,
  other: Counter,
  body: readonly TsStmt[],
  alternatives: Surroundings["alternatives"],
): boolean {
  if (keyOf(one.init) !== keyOf(other.init)) return false;
  const walk = new Walk(one.name, other.name, alternatives);
  const end = walk.block(body, 0);
  return walk.isSound && (end === null || end === 0);
}

/** Goes along the ways through an iteration, and knows how far the first of two variables is ahead of the second. */
class Walk {
  isSound = true;

  constructor(
    private readonly first: string,
    private readonly second: string,
    private readonly alternatives: Surroundings["alternatives"],
  ) {}

  /** How far it is ahead behind statements; null where that is not reached. `leaves` is told where a `break` ends a `switch` around them. */
  block(stmts: readonly TsStmt[], before: number, leaves: ((ahead: number) => void) | null = null): number | null {
    let ahead: number | null = before;
    for (const stmt of stmts) {
      if (ahead === null) return null;
      ahead = this.#behind(stmt, ahead, leaves);
    }
    return ahead;
  }

  #behind(stmt: TsStmt, ahead: number, leaves: ((ahead: number) => void) | null): number | null {
    const name = stepped(stmt);
    if (name === this.first) return ahead + 1;
    if (name === this.second) return ahead - 1;
    switch (stmt.kind) {
      case "if":
        this.#reads(stmt.test, ahead);
        return this.#common([this.block(stmt.then, ahead, leaves), this.block(stmt.else, ahead, leaves)]);
      case "switch": {
        this.#reads(stmt.subject, ahead);
        const ends: (number | null)[] = [];
        if (!this.#hasCaseForAll(stmt.cases)) ends.push(ahead);
        for (const { body } of stmt.cases) ends.push(this.block(body, ahead, (end) => ends.push(end)));
        return this.#common(ends);
      }
      case "break":
        if (stmt.label === null && leaves !== null) leaves(ahead);
        else this.#expect(ahead === 0);
        return null;
      case "continue":
        this.#expect(ahead === 0);
        return null;
      case "return":
      case "throw":
        if (stmt.value !== null) this.#reads(stmt.value, ahead);
        return null;
      default:
        // What is in it neither steps them nor leaves the iteration, unless they are equal
        this.#expect(ahead === 0 || (namesIn([stmt], this.second) === 0 && !mayLeave(stmt)));
        this.#expect(
          steps(stmt, this.first) === 0 && steps(stmt, this.second) === 0 && !isSeenLater(stmt, this.second),
        );
        return ahead;
    }
  }

  /** A switch without a case for what it is given does nothing. */
  #hasCaseForAll(cases: readonly TsCase[]): boolean {
    const tags = cases.map(({ test }) => (test?.kind === "string" ? test.value : null));
    const [first] = tags;
    if (tags.some((tag) => tag === null)) return cases.some(({ test }) => test === null);
    const all = first === undefined || first === null ? undefined : this.alternatives.get(first);
    return all?.every((tag) => tags.includes(tag)) === true;
  }

  /** The second is the first where it is read. */
  #reads(expr: TsExpr, ahead: number): void {
    this.#behind({ kind: "expr", expr }, ahead, null);
  }

  #common(ends: readonly (number | null)[]): number | null {
    const [first = null, ...others] = ends.filter((end) => end !== null);
    this.#expect(others.every((end) => end === first));
    return first;
  }

  #expect(isSo: boolean): void {
    this.isSound &&= isSo;
  }
}

/** Whether a jump in a statement may lead further than out of the statement. */
function mayLeave(stmt: TsStmt): boolean {
  return stmt.kind !== "const" && stmt.kind !== "let" && stmt.kind !== "expr" && stmt.kind !== "comment";
}

/** Whether a function in a statement has a variable, which it may read at any time. */
function isSeenLater(stmt: TsStmt, name: string): boolean {
  let found = false;
  visitExpressions([stmt], (expr) => {
    if (expr.kind === "arrow" && namesIn([{ kind: "expr", expr }], name) > 0) found = true;
  });
  return found;
}

/** Statements without the variables that others stand for. */
function renamed(body: readonly TsStmt[], instead: ReadonlyMap<string, string>): readonly TsStmt[] {
  const isGone = (stmt: TsStmt): boolean =>
    (stmt.kind === "let" && instead.has(stmt.name)) || instead.has(stepped(stmt) ?? "");
  const rewriting: Rewriting = {
    expr: (expr) => {
      const other = expr.kind === "id" ? instead.get(expr.name) : undefined;
      return other === undefined ? mapParts(expr, rewriting) : id(other);
    },
    block: (inner) => replaced(inner, (stmt) => (isGone(stmt) ? [] : mapStmt(stmt, rewriting))),
  };
  return rewriting.block(body);
}
