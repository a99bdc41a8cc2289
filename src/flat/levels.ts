// One level of a procedure that calls itself at most once on every path: what it does before the call, and what after it.

import { letOf } from "./build.js";
import { Copy } from "./copy.js";
import type { FlatNames } from "./naming.js";
import type { Atom, Block, End, Procedure, Stmt, Var } from "./program.js";
import { blocksOf, branchesOf, sizeOf } from "./traverse.js";

/** A call of the procedure by itself. */
export interface Site {
  readonly args: readonly Atom[];
  readonly results: readonly Var[];
  /** What follows the call, up to what the procedure yields. */
  readonly after: Block;
  /** Whether nothing follows. */
  readonly isTail: boolean;
  /** The end of the block before it. */
  readonly end: End;
}

export interface Levels {
  /** The procedure up to its calls of itself: there it ends with the `end` of a site. */
  readonly down: Block;
  readonly sites: readonly Site[];
}

/** A procedure may get so many times larger: what follows a choice may be done after each of its branches. */
const growth = 4;

/** The level of a procedure; null where it calls itself more than once on a path, or in a loop. */
export function descend(procedure: Procedure, names: FlatNames): Levels | null {
  const descent = new Descent(procedure, names);
  const down = descent.down(procedure.body);
  return down === null ? null : { down, sites: descent.sites };
}

/** What follows a choice, which gives it its results. */
interface Rest {
  readonly results: readonly Var[];
  readonly block: Block;
  readonly next: Rest | null;
  /** Whether it has been made part of the result: then it is copied. */
  isTaken: boolean;
}

class Descent {
  readonly sites: Site[] = [];
  /** The statements that hold a call, or are one. */
  readonly #calling = new Set<Stmt>();
  #buffer: number;

  constructor(
    private readonly procedure: Procedure,
    private readonly names: FlatNames,
  ) {
    this.#mark(procedure.body);
    this.#buffer = 100 + growth * sizeOf(procedure.body);
  }

  down(start: Block, after: Rest | null = null): Block | null {
    const out: Stmt[] = [];
    let rest = after;
    let { stmts, end } = start;
    for (;;) {
      for (const [index, stmt] of stmts.entries()) {
        if (!this.#calling.has(stmt)) {
          out.push(stmt);
          continue;
        }
        const following: Block = { stmts: stmts.slice(index + 1), end };
        if (stmt.kind === "call") return this.#site(stmt, following, rest, out);
        if (stmt.kind !== "choose") return null;
        const next: Rest = { results: stmt.results, block: following, next: rest, isTaken: false };
        return this.#branches(stmt.end, next, out);
      }
      if (end.kind !== "yield" || rest === null) return this.#branches(end, rest, out);
      const taken = this.#take(rest);
      if (taken === null) return null;
      bind(taken.results, end.values, out);
      ({ stmts, end } = taken.block);
      rest = rest.next;
    }
  }

  #branches(end: End, rest: Rest | null, out: readonly Stmt[]): Block | null {
    switch (end.kind) {
      case "yield":
      case "next":
        return { stmts: out, end };
      case "if": {
        const then = this.down(end.then, rest);
        const otherwise = then === null ? null : this.down(end.else, rest);
        return then === null || otherwise === null ? null : { stmts: out, end: { ...end, then, else: otherwise } };
      }
      case "switch": {
        const branches: { con: string; body: Block }[] = [];
        for (const { con, body } of end.branches) {
          const made = this.down(body, rest);
          if (made === null) return null;
          branches.push({ con, body: made });
        }
        return { stmts: out, end: { ...end, branches } };
      }
    }
  }

  #site(
    call: Stmt & { readonly kind: "call" },
    following: Block,
    rest: Rest | null,
    out: readonly Stmt[],
  ): Block | null {
    const after = this.#after(following, rest);
    if (after === null) return null;
    const end: End = { kind: "yield", values: [] };
    this.sites.push({ args: call.args, results: call.results, after, isTail: onlyYields(after, call.results), end });
    return { stmts: out, end };
  }

  /** What follows a call, in one block; null where there is another call in it. */
  #after(following: Block, after: Rest | null): Block | null {
    const out: Stmt[] = [];
    let { stmts, end } = following;
    for (let rest = after; ; rest = rest.next) {
      if (stmts.some((stmt) => this.#calling.has(stmt)) || this.#calls(end)) return null;
      out.push(...stmts);
      if (rest === null) return { stmts: out, end };
      const taken = this.#take(rest);
      if (taken === null) return null;
      if (end.kind === "yield") bind(taken.results, end.values, out);
      else out.push({ kind: "choose", results: taken.results, end });
      ({ stmts, end } = taken.block);
    }
  }

  /** What follows a choice: as it stands the first time, then copies; null where they are too many. */
  #take(rest: Rest): { readonly results: readonly Var[]; readonly block: Block } | null {
    if (!rest.isTaken) {
      rest.isTaken = true;
      return rest;
    }
    this.#buffer -= sizeOf(rest.block);
    if (this.#buffer < 0) return null;
    const copy = new Copy(this.names, new Map());
    const results = rest.results.map(copy.bind);
    const block = copy.block(rest.block);
    this.#mark(block);
    return { results, block };
  }

  /** Notes the statements that hold calls; whether there are any. */
  #mark({ stmts, end }: Block): boolean {
    let calls = false;
    for (const stmt of stmts) {
      const isCall = stmt.kind === "call" && stmt.fn === this.procedure.name;
      const holds = blocksOf(stmt).map((block) => this.#mark(block));
      if (!isCall && !holds.includes(true)) continue;
      this.#calling.add(stmt);
      calls = true;
    }
    for (const branch of branchesOf(end)) if (this.#mark(branch)) calls = true;
    return calls;
  }

  #calls(end: End): boolean {
    return branchesOf(end).some(
      (branch) => branch.stmts.some((stmt) => this.#calling.has(stmt)) || this.#calls(branch.end),
    );
  }
}

/** Whether a block does nothing but to yield these variables. */
function onlyYields({ stmts, end }: Block, variables: readonly Var[]): boolean {
  const copies = new Map<string, Atom>();
  for (const stmt of stmts) {
    if (stmt.kind !== "let" || stmt.op.kind !== "copy") return false;
    const { value } = stmt.op;
    copies.set(stmt.result.name, value.kind === "var" ? (copies.get(value.variable.name) ?? value) : value);
  }
  if (end.kind !== "yield") return false;
  return end.values.every((value, index) => {
    const source = value.kind === "var" ? (copies.get(value.variable.name) ?? value) : value;
    return source.kind === "var" && source.variable.name === variables[index]?.name;
  });
}

function bind(results: readonly Var[], values: readonly Atom[], out: Stmt[]): void {
  results.forEach((result, index) => {
    const value = values[index];
    if (value !== undefined) out.push(letOf(result, { kind: "copy", value }));
  });
}
