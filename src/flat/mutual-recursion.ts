// Procedures that call each other in a cycle, merged into one that calls itself.

import { components } from "../components.js";
import { letOf } from "./build.js";
import { Copy } from "./copy.js";
import type { FlatNames } from "./naming.js";
import type { Atom, Block, End, Procedure, Program, Stmt } from "./program.js";
import { allStmts } from "./traverse.js";

/** Procedures with more statements than this are not merged. */
const limit = 400;
/** Nor are cycles of more procedures than this. */
const largest = 8;

/**
 * For procedures of a cycle that goes through them each time: the same with the others of the cycle written out in it. It calls itself alone; the
 * others may go on to call it.
 */
export function mergedRecursion(program: Program, names: FlatNames): ReadonlyMap<string, Procedure> {
  const functions = new Map(program.procedures.filter(({ kind }) => kind === "function").map((procedure) => [procedure.name, procedure])); // prettier-ignore
  const merged = new Map<string, Procedure>();
  for (const cycle of components([...functions.keys()], (name) => calleesOf(functions.get(name)))) {
    if (cycle.length === 1 || cycle.length > largest) continue;
    const within = new Map(cycle.flatMap((name): (readonly [string, Procedure])[] => {
      const procedure = functions.get(name);
      return procedure === undefined ? [] : [[name, procedure]];
    })); // prettier-ignore
    // One that is in every cycle: without it there is none
    const centre = cycle.find((name) => {
      const others = cycle.filter((other) => other !== name);
      const rest = components(others, (other) => calleesOf(within.get(other)));
      return rest.every(([one = "", ...more]) => more.length === 0 && !calleesOf(within.get(one)).includes(one));
    });
    const procedure = centre === undefined ? undefined : within.get(centre);
    if (procedure === undefined) continue;
    within.delete(procedure.name);
    const body = new Inlining(within, names).block(procedure.body);
    if (body !== null) merged.set(procedure.name, { ...procedure, body });
  }
  return merged;
}

function calleesOf(procedure: Procedure | undefined): readonly string[] {
  if (procedure === undefined) return [];
  const callees = new Set<string>();
  for (const stmt of allStmts(procedure.body)) if (stmt.kind === "call") callees.add(stmt.fn);
  return [...callees];
}

class Inlining {
  #buffer = limit;

  constructor(
    private readonly procedures: ReadonlyMap<string, Procedure>,
    private readonly names: FlatNames,
  ) {}

  /** The block with the calls of the procedures written out; null where that is too large. */
  block(source: Block): Block | null {
    const out: Stmt[] = [];
    for (const stmt of source.stmts) if (!this.#stmt(stmt, out)) return null;
    const end = this.#end(source.end);
    return end === null ? null : { stmts: out, end };
  }

  #end(end: End): End | null {
    switch (end.kind) {
      case "yield":
      case "next":
        return end;
      case "if": {
        const [then, otherwise] = [this.block(end.then), this.block(end.else)];
        return then === null || otherwise === null ? null : { ...end, then, else: otherwise };
      }
      case "switch": {
        const bodies = end.branches.map(({ con, body }) => ({ con, body: this.block(body) }));
        const branches = bodies.flatMap(({ con, body }) => (body === null ? [] : [{ con, body }]));
        return branches.length < bodies.length ? null : { ...end, branches };
      }
    }
  }

  /** Whether there is room for what stands there now. */
  #stmt(stmt: Stmt, out: Stmt[]): boolean {
    this.#buffer -= 1;
    if (this.#buffer < 0) return false;
    if (stmt.kind === "choose") {
      const end = this.#end(stmt.end);
      if (end !== null) out.push({ ...stmt, end });
      return end !== null;
    }
    if (stmt.kind === "loop" || stmt.kind === "for") {
      const body = this.block(stmt.body);
      if (body !== null) out.push({ ...stmt, body });
      return body !== null;
    }
    const callee = stmt.kind === "call" ? this.procedures.get(stmt.fn) : undefined;
    if (stmt.kind !== "call" || callee === undefined) {
      out.push(stmt);
      return true;
    }
    const args = callee.params.flatMap(({ name }, index): (readonly [string, Atom])[] => {
      const arg = stmt.args[index];
      return arg === undefined ? [] : [[name, arg]];
    });
    const body = this.block(new Copy(this.names, new Map(args)).block(callee.body));
    if (body === null) return false;
    out.push(...body.stmts);
    const { end } = body;
    if (end.kind !== "yield") {
      out.push({ kind: "choose", results: stmt.results, end });
      return true;
    }
    stmt.results.forEach((result, index) => {
      const value = end.values[index];
      if (value !== undefined) out.push(letOf(result, { kind: "copy", value }));
    });
    return true;
  }
}
