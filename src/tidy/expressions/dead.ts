// Dead-code and dead-store elimination.
//
// What nothing needs: constants and variables that are not read, but for what computing them does; arrays that are only filled, assignments to them; names
// of some of what a call gives; blocks that are left empty.

import { externCall } from "../../runtime/effects.js";
import { sameItems } from "../../same.js";
import { id, not } from "../../typescript/build.js";
import {
  hasStatements,
  mapParts,
  mapStmt,
  visitParts,
  visitStatements,
  visitStmt,
  withBody,
  type Rewriting,
  type Visiting,
} from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt } from "../../typescript/tree.js";
import { isLocal, namesOf } from "../analysis/bindings.js";
import { ownGrowthIn } from "../analysis/growths.js";
import { isFresh, isTotal, type Surroundings } from "../analysis/purity.js";

export function withoutDead(fn: TsFunction, surroundings: Surroundings): TsFunction {
  let current = fn;
  // A statement that is left empty needs its condition no more
  for (let iteration = 0; iteration < 3; iteration++) {
    const sweep = new Sweep(current, surroundings);
    if (!sweep.isNeeded) return current;
    current = sweep.swept();
  }
  return current;
}

class Sweep {
  readonly #fn: TsFunction;
  readonly #surroundings: Surroundings;
  /** By variable: the expressions that it is only there with. */
  readonly #sources = new Map<string, TsExpr[]>();
  /** Variables that are read by what stays. */
  readonly #live = new Set<string>();
  readonly #pending: string[] = [];
  /** Variables that refer to arrays that are made here, which nothing else refers to unless the variable is read. */
  readonly #own = new Set<string>();
  /** Arrays that are made larger where they are full, and never become others. */
  readonly #buffers: ReadonlySet<string>;
  /** Variables that get what has to be computed whether they are read or not: what a call gives, or a part of that. */
  readonly #given = new Set<string>();
  isNeeded = false;

  constructor(fn: TsFunction, surroundings: Surroundings) {
    this.#fn = fn;
    this.#surroundings = surroundings;
    this.#buffers = buffersIn(fn, surroundings);
    this.#visiting.block(fn.body);
    for (let name = this.#pending.pop(); name !== undefined; name = this.#pending.pop()) {
      for (const source of this.#sources.get(name) ?? []) this.#visiting.expr(source);
    }
    const isUnread = (name: string): boolean => !this.#live.has(name);
    this.isNeeded = [...this.#sources.keys(), ...this.#given].some(isUnread) || hasEmpty(fn.body);
  }

  swept(): TsFunction {
    return withBody(this.#fn, this.#block(this.#fn.body));
  }

  readonly #visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "id") this.#read(expr.name);
      else visitParts(expr, this.#visiting);
    },
    block: (body) => {
      for (const stmt of body) this.#stmt(stmt);
    },
  };

  #read(name: string): void {
    if (!isLocal(name) || this.#live.has(name)) return;
    this.#live.add(name);
    this.#pending.push(name);
  }

  #source(name: string, expr: TsExpr | null): void {
    const sources = this.#sources.get(name) ?? [];
    if (expr !== null) sources.push(expr);
    this.#sources.set(name, sources);
  }

  #stmt(stmt: TsStmt): void {
    const declared = declaration(stmt);
    if (declared !== null && this.#isRemovable(declared.init)) {
      this.#source(declared.name, declared.init);
      const isOwn = stmt.kind === "const" || this.#buffers.has(declared.name);
      if (isOwn && declared.init !== null && isFresh(declared.init, this.#surroundings)) this.#own.add(declared.name);
      return;
    }
    const growing = ownGrowthIn(stmt, this.#surroundings);
    if (growing !== null && this.#buffers.has(growing.buffer)) {
      this.#source(growing.buffer, id(growing.count));
      return;
    }
    if (stmt.kind === "const") for (const name of namesOf(stmt.target)) this.#given.add(name);
    if (stmt.kind === "let") this.#given.add(stmt.name);
    const stored = this.#stored(stmt);
    if (stored !== null) {
      for (const part of stored.parts) this.#source(stored.name, part);
      return;
    }
    const assigned = assignment(stmt);
    if (assigned === null) visitStmt(stmt, this.#visiting);
    else {
      this.#given.add(assigned.name);
      this.#visiting.expr(assigned.value);
    }
  }

  /** An assignment to a variable or into an array of its own, that does nothing else. */
  #stored(stmt: TsStmt): { readonly name: string; readonly parts: readonly TsExpr[] } | null {
    if (stmt.kind !== "expr") return null;
    const { expr } = stmt;
    if (expr.kind === "call") {
      const { fn, args } = expr;
      if (fn.kind !== "member" || fn.name !== "push" || fn.object.kind !== "id" || !this.#own.has(fn.object.name)) return null; // prettier-ignore
      return args.every((arg) => this.#isRemovable(arg)) ? { name: fn.object.name, parts: args } : null;
    }
    if (expr.kind !== "assign" || !this.#isRemovable(expr.value)) return null;
    const { target, value } = expr;
    if (target.kind === "id") return isLocal(target.name) ? { name: target.name, parts: [value] } : null;
    if (target.kind !== "index" || target.object.kind !== "id" || !this.#own.has(target.object.name)) return null;
    return this.#isRemovable(target.index) ? { name: target.object.name, parts: [target.index, value] } : null;
  }

  #isRemovable(expr: TsExpr | null): boolean {
    return (
      expr === null ||
      isTotal(expr, this.#surroundings) ||
      isFresh(expr, this.#surroundings) ||
      isView(expr, this.#surroundings) ||
      this.#isExtern(expr)
    );
  }

  /** A call of what is the caller's: it may throw, and need not be called. */
  #isExtern(expr: TsExpr): boolean {
    if (expr.kind !== "call" || expr.fn.kind !== "id") return false;
    return this.#surroundings.reference(expr.fn.name) === externCall && expr.args.every((arg) => this.#isRemovable(arg)); // prettier-ignore
  }

  #isDead(stmt: TsStmt): boolean {
    const declared = declaration(stmt);
    if (declared !== null) return this.#sources.has(declared.name) && !this.#live.has(declared.name) && this.#isRemovable(declared.init); // prettier-ignore
    const name = this.#stored(stmt)?.name ?? ownGrowthIn(stmt, this.#surroundings)?.buffer;
    return name !== undefined && this.#sources.has(name) && !this.#live.has(name);
  }

  #block(body: readonly TsStmt[]): readonly TsStmt[] {
    const out: TsStmt[] = [];
    let comments: TsStmt[] = [];
    for (const stmt of body) {
      if (stmt.kind === "comment") {
        comments.push(stmt);
        continue;
      }
      const kept = this.#isDead(stmt) ? [] : this.#kept(mapStmt(stmt, this.#rewriting));
      if (kept.length > 0) out.push(...comments, ...kept);
      comments = [];
    }
    return sameItems(body, [...out, ...comments]);
  }

  readonly #rewriting: Rewriting = {
    expr: (expr) => (hasStatements(expr) ? mapParts(expr, this.#rewriting) : expr),
    block: (body) => this.#block(body),
  };

  /** What is left of a statement that may have been left empty, or whose variables nothing reads. */
  #kept(stmt: TsStmt): readonly TsStmt[] {
    switch (stmt.kind) {
      case "if":
        if (stmt.then.length > 0) return [stmt];
        if (stmt.else.length > 0) return [{ kind: "if", test: not(stmt.test), then: stmt.else, else: [] }];
        return this.#effects(stmt.test);
      case "for":
        return stmt.body.length === 0 && isTotal(stmt.from, this.#surroundings) && isTotal(stmt.test, this.#surroundings) ? [] : [stmt]; // prettier-ignore
      case "const":
        return this.#keptConstants(stmt);
      case "let":
        return stmt.init === null || !this.#isUnread(stmt.name) ? [stmt] : this.#effects(stmt.init);
      case "block":
        return stmt.body.length === 0 ? [] : [stmt];
      case "expr": {
        const assigned = assignment(stmt);
        if (assigned !== null && this.#isUnread(assigned.name)) return this.#effects(assigned.value);
        return isTotal(stmt.expr, this.#surroundings) ? [] : [stmt];
      }
      default:
        return [stmt];
    }
  }

  #keptConstants(stmt: TsStmt & { readonly kind: "const" }): readonly TsStmt[] {
    if (typeof stmt.target === "string") return this.#isUnread(stmt.target) ? this.#effects(stmt.init) : [stmt];
    const read = stmt.target.map((name) => (name !== null && this.#live.has(name) ? name : null));
    const target = read.slice(0, read.findLastIndex((name) => name !== null) + 1);
    if (target.length === 0) return this.#effects(stmt.init);
    return [sameItems(stmt.target, target) === stmt.target ? stmt : { ...stmt, target }];
  }

  #isUnread(name: string): boolean {
    return this.#given.has(name) && !this.#live.has(name);
  }

  /** What an expression does, apart from giving a value. */
  #effects(expr: TsExpr): readonly TsStmt[] {
    if (this.#isRemovable(expr)) return [];
    switch (expr.kind) {
      case "as":
        return this.#effects(expr.expr);
      case "cond":
        return this.#kept({ ...expr, kind: "if", then: this.#effects(expr.then), else: this.#effects(expr.else) });
      case "array":
        return expr.items.flatMap((item) => this.#effects(item));
      case "object":
        return expr.fields.flatMap(({ value }) => this.#effects(value));
      default:
        return [{ kind: "expr", expr }];
    }
  }
}

/** Whether an expression is a part of an array, in the memory of that. */
function isView(expr: TsExpr, surroundings: Surroundings): boolean {
  if (expr.kind !== "call" || expr.fn.kind !== "member" || expr.fn.name !== "subarray") return false;
  return isTotal(expr.fn.object, surroundings) && expr.args.every((arg) => isTotal(arg, surroundings));
}

function declaration(stmt: TsStmt): { readonly name: string; readonly init: TsExpr | null } | null {
  if (stmt.kind === "let") return { name: stmt.name, init: stmt.init };
  return stmt.kind === "const" && typeof stmt.target === "string" ? { name: stmt.target, init: stmt.init } : null;
}

/** An assignment to a variable. */
function assignment(stmt: TsStmt): { readonly name: string; readonly value: TsExpr } | null {
  if (stmt.kind !== "expr" || stmt.expr.kind !== "assign") return null;
  const { target, value } = stmt.expr;
  return target.kind === "id" && isLocal(target.name) ? { name: target.name, value } : null;
}

function hasEmpty(body: readonly TsStmt[]): boolean {
  let found = false;
  const visiting: Visiting = {
    expr: (expr) => {
      if (expr.kind === "arrow") visitParts(expr, visiting);
    },
    block: (stmts) => {
      if (stmts.length === 0) found = true;
      for (const stmt of stmts) {
        if (stmt.kind === "if") {
          if (stmt.then.length === 0) found = true;
          for (const inner of [stmt.then, stmt.else]) if (inner.length > 0) visiting.block(inner);
        } else visitStmt(stmt, visiting);
      }
    },
  };
  visiting.block(body);
  return found;
}

function buffersIn(fn: TsFunction, surroundings: Surroundings): ReadonlySet<string> {
  const [growths, assignments] = [new Map<string, number>(), new Map<string, number>()];
  const count = (counts: Map<string, number>, name: string): void => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  visitStatements(fn.body, (stmt) => {
    const [growing, assigned] = [ownGrowthIn(stmt, surroundings), assignment(stmt)];
    if (growing !== null) count(growths, growing.buffer);
    if (assigned !== null) count(assignments, assigned.name);
  });
  return new Set([...growths].flatMap(([name, number]) => (assignments.get(name) === number ? [name] : [])));
}
