// Loop fusion of a producer and a consumer (deforestation).
//
// An array that a loop makes, and of which another loop reads one element an iteration, is not made: the reader computes the element.
//
//   [xs] = for i < n { x = ..i..; yield x }
//   s = for k < n (a = 0) { j = last - k; y = xs ! j; b = y + a; yield b }
//     =>   s = for k < n (a = 0) { j = last - k; x = ..j..; b = x + a; yield b }
//
// Nothing is computed twice: iterations of the second loop read different elements. Where it makes several arrays, or where the reader asks for an element at several
// places, these elements are computed as soon as their index is known.

import { atomOf, isVariable, letOf, sameAtom } from "./build.js";
import { Copy } from "./copy.js";
import type { Atom, Block, End, Operation, Procedure, Program, Stmt, Var } from "./program.js";
import { isPureBlock } from "./pure.js";
import { allBlocks, allStmts, atomsOf, boundBy, branchesOf, mapBlocks } from "./traverse.js";

type For = Stmt & { readonly kind: "for" };

/** The program, with the same meaning. `names` are those of the program. */
export function fuseLoops(program: Program): Program {
  return { ...program, procedures: program.procedures.map((procedure) => fusedOnce(procedure) ?? procedure) };
}

/** Arrays that need not be made. */
interface Fusion {
  readonly maker: For;
  readonly reader: For;
  /** The index of the elements that an iteration of the reader reads, where they are computed behind it; null where one is computed at the only place that reads it. */
  readonly index: Atom | null;
  /** The branch of an iteration that alone reads them, where not every iteration does; null: they are computed as soon as the index is known. */
  readonly branch: Block | null;
}

function fusedOnce(procedure: Procedure): Procedure | null {
  const uses = usesIn(procedure.body);
  for (const { stmts } of allBlocks(procedure.body)) {
    for (const [place, maker] of stmts.entries()) {
      if (maker.kind !== "for" || maker.arrays.length === 0 || maker.params.length > 0) continue;
      const used = maker.arrays.flatMap(({ name }) => uses.get(name) ?? []);
      const isRead =
        used.length === maker.arrays.length && used.every(({ cells, others }) => cells > 0 && others === 0);
      if (!isRead || !isPureBlock(maker.body)) continue;
      const fusion = fusionOf(maker, used, stmts.slice(place + 1));
      if (fusion !== null) return { ...procedure, body: new Fusing(fusion).block(procedure.body) };
    }
  }
  return null;
}

function fusionOf(maker: For, used: readonly ArrayUses[], behind: readonly Stmt[]): Fusion | null {
  const [array, ...others] = maker.arrays;
  if (array !== undefined && others.length === 0 && used[0]?.cells === 1) {
    const reader = behind.find((stmt) => stmt.kind === "for" && readIn(stmt, array) !== null);
    return reader?.kind === "for" ? { maker, reader, index: null, branch: null } : null;
  }
  const cells = used.reduce((sum, each) => sum + each.cells, 0);
  for (const reader of behind) {
    if (reader.kind !== "for") continue;
    const reads = readsIn(reader, maker.arrays);
    if (reads.length === 0) continue;
    const [index] = reads;
    const isOne = index !== undefined && reads.length === cells && reads.every((each) => sameAtom(each, index));
    if (!isOne || !isOfRound(index, reader)) return null;
    // What only some iterations read may lie outside of the array in others
    const places = readingBlocks(reader, maker.arrays);
    const [place] = places;
    const isInEveryIteration = places.includes(reader.body) || (sameAtom(reader.count, maker.count) && isVariable(index, reader.index)); // prettier-ignore
    if (isInEveryIteration) return { maker, reader, index, branch: null };
    const isBranch = places.length === 1 && place !== undefined && branchesIn(reader.body).includes(place);
    return isBranch ? { maker, reader, index, branch: place } : null;
  }
  return null;
}

/** The blocks of a loop in which elements of some arrays are read. */
function readingBlocks({ body }: For, arrays: readonly Var[]): readonly Block[] {
  return [...allBlocks(body)].filter((block) => readsOf(block, arrays).length > 0);
}

/** A block, and those that it comes to at most once: not the bodies of loops in it. */
function branchesIn(body: Block): readonly Block[] {
  const found = [body];
  for (const block of found) {
    for (const stmt of block.stmts) if (stmt.kind === "choose") found.push(...branchesOf(stmt.end));
    found.push(...branchesOf(block.end));
  }
  return found;
}

/** The index of each read of an element of some arrays in a loop. */
function readsIn({ body }: For, arrays: readonly Var[]): readonly Atom[] {
  return [...allBlocks(body)].flatMap((block) => readsOf(block, arrays));
}

/** The same, of one block without those inside it. */
function readsOf({ stmts }: Block, arrays: readonly Var[]): readonly Atom[] {
  const names = new Set(arrays.map(({ name }) => name));
  return stmts.flatMap((stmt): readonly Atom[] =>
    stmt.kind === "let" && stmt.op.kind === "cell" && isNamed(stmt.op.array, names) ? [stmt.op.index] : [],
  );
}

function isNamed(atom: Atom, names: ReadonlySet<string>): boolean {
  return atom.kind === "var" && names.has(atom.variable.name);
}

/** Whether an index is that of an iteration, or is computed from it before there are branches, another one in each iteration. */
function isOfRound(index: Atom, { index: iteration, body }: For): boolean {
  const definition = body.stmts.find((stmt) => stmt.kind === "let" && isVariable(index, stmt.result));
  if (definition?.kind !== "let") return isVariable(index, iteration);
  const inside = new Set(body.stmts.flatMap((stmt) => boundBy(stmt).map(({ name }) => name)));
  return isShifted(definition.op, iteration, inside);
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

/** The index at which each iteration of a loop reads an array, another one in each; null where that is not so. */
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

/** Whether an operation adds to an index, or subtracts it, what is the same in all iterations. */
function isShifted(op: Operation, index: Var, inside: ReadonlySet<string>): boolean {
  if (op.kind !== "prim" || (op.op !== "subZ" && op.op !== "addZ")) return false;
  const isIndex = (atom: Atom): boolean => atom.kind === "var" && atom.variable.name === index.name;
  const isFixed = (atom: Atom): boolean => atom.kind === "int" || (atom.kind === "var" && !isIndex(atom) && !inside.has(atom.variable.name)); // prettier-ignore
  return op.args.filter(isIndex).length === 1 && op.args.filter(isFixed).length === 1;
}

class Fusing {
  readonly #names: ReadonlySet<string>;
  /** By array the variable that is the element of an iteration, where that has been computed. */
  readonly #elements = new Map<string, Var>();

  constructor(private readonly fusion: Fusion) {
    this.#names = new Set(fusion.maker.arrays.map(({ name }) => name));
  }

  block(block: Block): Block {
    const { index, branch } = this.fusion;
    if (block === branch && index !== null && this.#elements.size === 0) return this.#iteration(block, index);
    const { stmts, end } = block;
    return { stmts: stmts.flatMap((stmt) => this.#stmt(stmt)), end: mapBlocks(end, (inner) => this.block(inner)) };
  }

  #stmt(stmt: Stmt): readonly Stmt[] {
    const { maker, reader, index, branch } = this.fusion;
    switch (stmt.kind) {
      case "let":
        return this.#let(stmt);
      case "choose":
        return [{ ...stmt, end: mapBlocks(stmt.end, (inner) => this.block(inner)) }];
      case "loop":
      case "for":
        if (stmt === maker) return [];
        if (stmt === reader && index !== null && branch === null)
          return [{ ...stmt, body: this.#iteration(stmt.body, index) }];
        return [{ ...stmt, body: this.block(stmt.body) }];
      default:
        return [stmt];
    }
  }

  /** An iteration of the reader, or a branch of it, that computes its elements. */
  #iteration(body: Block, index: Atom): Block {
    const { maker } = this.fusion;
    const { stmts, end } = body;
    for (const stmt of allStmts(body)) {
      if (stmt.kind !== "let" || stmt.op.kind !== "cell" || stmt.op.array.kind !== "var") continue;
      const { name } = stmt.op.array.variable;
      if (this.#names.has(name) && !this.#elements.has(name)) this.#elements.set(name, stmt.result);
    }
    const known = stmts.findIndex((stmt) => stmt.kind === "let" && isVariable(index, stmt.result));
    const elements = maker.arrays.flatMap(({ name }) => this.#elements.get(name) ?? []);
    const front = [...stmts.slice(0, known + 1), ...this.#computed(index, elements)];
    const rest = this.block({ stmts: stmts.slice(known + 1), end });
    return { ...rest, stmts: [...front, ...rest.stmts] };
  }

  #let(stmt: Stmt & { readonly kind: "let" }): readonly Stmt[] {
    const { result, op } = stmt;
    if ((op.kind !== "cell" && op.kind !== "length") || op.array.kind !== "var") return [stmt];
    const { name } = op.array.variable;
    if (!this.#names.has(name)) return [stmt];
    if (op.kind === "length") return [letOf(result, { kind: "copy", value: this.fusion.maker.count })];
    const element = this.#elements.get(name);
    if (element === undefined) return this.#computed(op.index, [result]);
    return element.name === result.name ? [] : [letOf(result, { kind: "copy", value: atomOf(element) })];
  }

  /** What an iteration of the maker does. */
  #computed(index: Atom, results: readonly Var[]): readonly Stmt[] {
    const { maker } = this.fusion;
    const { stmts, end } = new Copy(null, new Map([[maker.index.name, index]])).block(maker.body);
    if (end.kind !== "yield") return [...stmts, { kind: "choose", results, end }];
    return [...stmts, ...results.flatMap((result, at) => end.values.slice(at, at + 1).map((value) => letOf(result, { kind: "copy", value })))]; // prettier-ignore
  }
}
