// An array that a loop makes, and of which another loop reads one element a round, is not made: the reader computes the element.
//
//   [xs] = for i < n { x = ..i..; yield x }
//   s = for k < n (a = 0) { j = last - k; y = xs ! j; b = y + a; yield b }
//     =>   s = for k < n (a = 0) { j = last - k; x = ..j..; b = x + a; yield b }
//
// Nothing is computed twice: rounds of the second loop read different elements.

import { letOf } from "./build.js";
import { Copy } from "./copy.js";
import { withoutDeadCode } from "./dead-code.js";
import { FlatNames } from "./naming.js";
import type { Atom, Block, End, Operation, Procedure, Program, Stmt, Var } from "./program.js";
import { isPureBlock } from "./pure.js";
import { refine } from "./refine.js";
import { allBlocks, allNames, atomsOf, branchesOf, mapBlocks } from "./traverse.js";

type For = Stmt & { readonly kind: "for" };

/** A procedure is searched anew for each array: not more often than this. */
const most = 100;

/** The program, with the same meaning. `names` are those of the program. */
export function fuseLoops(program: Program, names = new FlatNames(allNames(program))): Program {
  const procedures = program.procedures.map((procedure) => {
    let current = procedure;
    for (let count = 0; count < most; count += 1) {
      const fused = fusedOnce(current);
      if (fused === null) break;
      current = withoutDeadCode(refine(fused, names));
    }
    return current;
  });
  return { ...program, procedures };
}

/** An array that need not be made. */
interface Fusion {
  readonly array: Var;
  readonly maker: For;
  readonly reader: For;
}

function fusedOnce(procedure: Procedure): Procedure | null {
  const uses = usesIn(procedure.body);
  for (const { stmts } of allBlocks(procedure.body)) {
    for (const [place, maker] of stmts.entries()) {
      const [array, ...others] = maker.kind === "for" ? maker.arrays : [];
      if (maker.kind !== "for" || array === undefined || others.length > 0 || maker.params.length > 0) continue;
      const used = uses.get(array.name);
      if (used?.cells !== 1 || used.others > 0 || !isPureBlock(maker.body)) continue;
      const reader = stmts.slice(place + 1).find((stmt) => stmt.kind === "for" && readIn(stmt, array) !== null);
      if (reader?.kind !== "for") continue;
      return { ...procedure, body: new Fusing({ array, maker, reader }).block(procedure.body) };
    }
  }
  return null;
}

interface ArrayUses {
  readonly cells: number;
  readonly others: number;
}

/** How often each variable is read from, and used otherwise, not counting its length. */
function usesIn(body: Block): ReadonlyMap<string, ArrayUses> {
  const uses = new Map<string, ArrayUses>();
  const note = (atom: Atom, isCell: boolean): void => {
    if (atom.kind !== "var") return;
    const { cells, others } = uses.get(atom.variable.name) ?? { cells: 0, others: 0 };
    uses.set(atom.variable.name, isCell ? { cells: cells + 1, others } : { cells, others: others + 1 });
  };
  const ofEnd = (end: End): void => {
    if (end.kind === "if") note(end.cond, false);
    else if (end.kind === "switch") note(end.object, false);
    else for (const value of end.values) note(value, false);
  };
  for (const { stmts, end } of allBlocks(body)) {
    for (const stmt of stmts) {
      if (stmt.kind === "choose") ofEnd(stmt.end);
      if (stmt.kind === "let" && stmt.op.kind === "cell") {
        note(stmt.op.array, true);
        note(stmt.op.index, false);
      } else if (stmt.kind !== "let" || stmt.op.kind !== "length") {
        for (const atom of atomsOf(stmt)) note(atom, false);
      }
    }
    ofEnd(end);
  }
  return uses;
}

/** The index at which each round of a loop reads an array, another one in each; null where that is not so. */
function readIn({ body, index }: For, array: Var): Atom | null {
  // Not in loops inside it: they would read an element several times
  const waiting = [body];
  const differences = new Set([index.name]);
  const inside = new Set<string>();
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    for (const stmt of block.stmts) {
      if (stmt.kind === "choose") waiting.push(...branchesOf(stmt.end));
      if (stmt.kind !== "let") continue;
      inside.add(stmt.result.name);
      if (isShifted(stmt.op, index, inside)) differences.add(stmt.result.name);
      const { op } = stmt;
      if (op.kind !== "cell" || op.array.kind !== "var" || op.array.variable.name !== array.name) continue;
      return op.index.kind === "var" && differences.has(op.index.variable.name) ? op.index : null;
    }
    waiting.push(...branchesOf(block.end));
  }
  return null;
}

/** Whether an operation adds to an index, or subtracts it, what is the same in all rounds. */
function isShifted(op: Operation, index: Var, inside: ReadonlySet<string>): boolean {
  if (op.kind !== "prim" || (op.op !== "subZ" && op.op !== "addZ")) return false;
  const isIndex = (atom: Atom): boolean => atom.kind === "var" && atom.variable.name === index.name;
  const isFixed = (atom: Atom): boolean => atom.kind === "int" || (atom.kind === "var" && !isIndex(atom) && !inside.has(atom.variable.name)); // prettier-ignore
  return op.args.filter(isIndex).length === 1 && op.args.filter(isFixed).length === 1;
}

class Fusing {
  constructor(private readonly fusion: Fusion) {}

  block({ stmts, end }: Block): Block {
    return { stmts: stmts.flatMap((stmt) => this.#stmt(stmt)), end: mapBlocks(end, (inner) => this.block(inner)) };
  }

  #stmt(stmt: Stmt): readonly Stmt[] {
    switch (stmt.kind) {
      case "let":
        return this.#let(stmt);
      case "choose":
        return [{ ...stmt, end: mapBlocks(stmt.end, (inner) => this.block(inner)) }];
      case "loop":
      case "for":
        return stmt === this.fusion.maker ? [] : [{ ...stmt, body: this.block(stmt.body) }];
      default:
        return [stmt];
    }
  }

  #let(stmt: Stmt & { readonly kind: "let" }): readonly Stmt[] {
    const { array, maker } = this.fusion;
    const { result, op } = stmt;
    if ((op.kind !== "cell" && op.kind !== "length") || op.array.kind !== "var") return [stmt];
    if (op.array.variable.name !== array.name) return [stmt];
    if (op.kind === "length") return [letOf(result, { kind: "copy", value: maker.count })];
    const { stmts, end } = new Copy(null, new Map([[maker.index.name, op.index]])).block(maker.body);
    const [value] = end.kind === "yield" ? end.values : [];
    return [...stmts, value === undefined ? { kind: "choose", results: [result], end } : letOf(result, { kind: "copy", value })]; // prettier-ignore
  }
}
