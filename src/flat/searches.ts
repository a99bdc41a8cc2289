// Loop extraction from recursion.
//
// Recursion that makes a cell of a list at some levels, and none at others, looks for the next level that makes one in a loop of its own. So each level of what is
// left makes a cell, and the list can be an array.
//
//   keep l = switch l { Nil -> ..; Cons -> x = ..; xs = ..; c = x > 0; if c then t = keep(xs); r = Cons(x, t); yield r else t = keep(xs); yield t }
//     =>   m = loop (m = l) switch m { Nil -> yield m; Cons -> x = ..; xs = ..; c = x > 0; if c then yield m else next xs }
//          switch m { Nil -> ..; Cons -> x = ..; xs = ..; t = keep(xs); r = Cons(x, t); yield r }
//
// What tells whether a level makes a cell must be cheap, since it may be computed again for those that do.

import { mapSame, withParts } from "../same.js";
import { atomOf, sameAtom } from "./build.js";
import { Copy } from "./copy.js";
import { withoutDeadCode } from "./dead-code.js";
import { descend, type Site } from "./levels.js";
import { FlatNames } from "./naming.js";
import type { Atom, Block, End, Procedure, Program, Stmt, Var } from "./program.js";
import { allNames, allStmts, endsOf } from "./traverse.js";

/** The program, with the same meaning. `names` are those of the program. */
export function withSearches(program: Program, names = new FlatNames(allNames(program))): Program {
  const procedures = mapSame(program.procedures, (procedure) => withSearch(procedure, names) ?? procedure);
  return withParts(program, { procedures });
}

function withSearch(procedure: Procedure, names: FlatNames): Procedure | null {
  const levels = descend(procedure, names);
  if (levels === null) return null;
  const { down, sites } = levels;
  const further = sites.filter(({ isTail }) => isTail);
  if (further.length === 0 || further.length === sites.length) return null;
  if (!sites.every((site) => site.isTail || makesCell(site))) return null;
  return new Search(procedure, sites, names).procedure(down);
}

/** Whether a new object holds what a call gives. */
function makesCell({ after, results }: Site): boolean {
  const isResult = (atom: Atom): boolean =>
    atom.kind === "var" && results.some(({ name }) => name === atom.variable.name);
  return after.stmts.some(({ kind, ...stmt }) => kind === "let" && "op" in stmt && stmt.op.kind === "object" && stmt.op.args.some(isResult)); // prettier-ignore
}

class Search {
  readonly #sites: ReadonlyMap<End, Site>;
  /** Whether some levels that have been found could be of several constructors, but not of all: there is no choice among these alone. */
  #isOpen = false;
  /** Which parameters levels without a cell change. */
  readonly #varying: readonly number[];

  constructor(
    private readonly source: Procedure,
    sites: readonly Site[],
    private readonly names: FlatNames,
  ) {
    this.#sites = new Map(sites.map((site) => [site.end, site]));
    const isKept = (param: Var, index: number): boolean =>
      sites.every(({ isTail, args }) => {
        const arg = args[index];
        return !isTail || (arg !== undefined && sameAtom(arg, atomOf(param)));
      });
    this.#varying = source.params.flatMap((param, index) => (isKept(param, index) ? [] : [index]));
  }

  procedure(down: Block): Procedure | null {
    const params = this.source.params.filter((_, index) => this.#varying.includes(index));
    const fresh = ({ name, rep }: Var): Var => ({ name: this.names.fresh({ stem: name, suffix: "" }), rep });
    const [places, found] = [params.map(fresh), params.map(fresh)];
    const instead = (variables: readonly Var[]): ReadonlyMap<string, Atom> =>
      new Map(variables.flatMap((variable, index) => params.slice(index, index + 1).map(({ name }) => [name, atomOf(variable)]))); // prettier-ignore
    const hit = this.#hit(down);
    if (hit === null || this.#isOpen) return null;
    const body = new Copy(this.names, instead(places)).block(this.#looking(down, params.map(atomOf)));
    const loop: Stmt = { kind: "loop", params: places, init: params.map(atomOf), body, results: found, arrays: [] };
    const behind = new Copy(null, instead(found)).block(hit);
    const made = withoutDeadCode({ ...this.source, body: { ...behind, stmts: [loop, ...behind.stmts] } });
    return made.body.stmts.some((stmt) => stmt.kind === "loop" && isCheap(stmt.body)) ? made : null;
  }

  /** The body of the loop, which yields the parameters of the level that it has found. */
  #looking(block: Block, params: readonly Atom[]): Block {
    if (![...endsOf(block)].some((end) => this.#isFurther(end)))
      return { stmts: [], end: { kind: "yield", values: params } };
    const { stmts, end } = block;
    switch (end.kind) {
      case "yield":
      case "next": {
        const args = this.#sites.get(end)?.args ?? [];
        return { stmts, end: { kind: "next", values: args.filter((_, index) => this.#varying.includes(index)) } };
      }
      case "if":
        return { stmts, end: { ...end, then: this.#looking(end.then, params), else: this.#looking(end.else, params) } };
      case "switch": {
        const branches = end.branches.map(({ con, body }) => ({ con, body: this.#looking(body, params) }));
        return { stmts, end: { ...end, branches } };
      }
    }
  }

  #isFurther(end: End): boolean {
    return this.#sites.get(end)?.isTail === true;
  }

  /** What is done at a level that has been found; null where none is. */
  #hit({ stmts, end }: Block): Block | null {
    const site = this.#sites.get(end);
    if (site?.isTail === true) return null;
    if (site !== undefined) {
      const { name: fn } = this.source;
      const call: Stmt = { kind: "call", fn, args: site.args, results: site.results };
      return { stmts: [...stmts, call, ...site.after.stmts], end: site.after.end };
    }
    switch (end.kind) {
      case "yield":
      case "next":
        return { stmts, end };
      case "if": {
        const [then, otherwise] = [this.#hit(end.then), this.#hit(end.else)];
        if (then !== null && otherwise !== null) return { stmts, end: { ...end, then, else: otherwise } };
        return inFrontOf(stmts, then ?? otherwise);
      }
      case "switch": {
        const branches = end.branches.flatMap(({ con, body }) => {
          const hit = this.#hit(body);
          return hit === null ? [] : [{ con, body: hit }];
        });
        if (branches.length === end.branches.length) return { stmts, end: { ...end, branches } };
        this.#isOpen ||= branches.length > 1;
        return inFrontOf(stmts, branches[0]?.body ?? null);
      }
    }
  }
}

function inFrontOf(stmts: readonly Stmt[], block: Block | null): Block | null {
  return block === null ? null : { stmts: [...stmts, ...block.stmts], end: block.end };
}

/** Whether a block takes a few steps at most. */
function isCheap(block: Block): boolean {
  return allStmts(block).every(({ kind }) => kind === "let" || kind === "check" || kind === "choose");
}
