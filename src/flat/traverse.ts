// Flat programs as trees.

import type { Atom, Block, Check, End, Operation, Program, Stmt, Var } from "./program.js";

/** An operation with other operands. */
export function mapOperands(op: Operation, f: (atom: Atom) => Atom): Operation {
  switch (op.kind) {
    case "copy":
    case "zeroStore":
      return { ...op, value: f(op.value) };
    case "known":
      return { ...op, value: f(op.value), from: f(op.from) };
    case "prim":
      return { ...op, args: op.args.map(f) };
    case "field":
      return { ...op, object: f(op.object) };
    case "cell":
      return { ...op, array: f(op.array), index: f(op.index) };
    case "length":
      return { ...op, array: f(op.array) };
    case "object":
    case "extern":
      return { ...op, args: op.args.map(f) };
    case "array":
      return { ...op, items: op.items.map(f) };
    case "closure":
      return { ...op, captured: op.captured.map(f) };
    case "realStore":
      return { ...op, size: f(op.size) };
    case "objectStore":
      return { ...op, args: op.args.map((arg) => (arg === null ? null : f(arg))) };
  }
}

export function mapCheck(check: Check, f: (atom: Atom) => Atom): Check {
  return check.kind === "size"
    ? { kind: "size", size: f(check.size) }
    : { kind: "inRange", index: f(check.index), array: f(check.array) };
}

/** The atoms of an operation. */
export function operands(op: Operation): readonly Atom[] {
  switch (op.kind) {
    case "copy":
    case "zeroStore":
      return [op.value];
    case "known":
      return [op.value, op.from];
    case "prim":
    case "object":
    case "extern":
      return op.args;
    case "field":
      return [op.object];
    case "cell":
      return [op.array, op.index];
    case "length":
      return [op.array];
    case "array":
      return op.items;
    case "closure":
      return op.captured;
    case "realStore":
      return [op.size];
    case "objectStore":
      return op.args.filter((arg) => arg !== null);
  }
}

/** The atoms that a statement itself uses, not those in its blocks. */
export function atomsOf(stmt: Stmt): readonly Atom[] {
  switch (stmt.kind) {
    case "let":
      return operands(stmt.op);
    case "check":
      return stmt.check.kind === "size" ? [stmt.check.size] : [stmt.check.index, stmt.check.array];
    case "choose":
      return [];
    case "call":
      return stmt.args;
    case "apply":
      return [stmt.fn, ...stmt.args];
    case "loop":
      return stmt.init;
    case "for":
      return [stmt.count, ...stmt.init];
  }
}

/** The variables that a statement binds for those after it. */
export function boundBy(stmt: Stmt): readonly Var[] {
  switch (stmt.kind) {
    case "let":
      return [stmt.result];
    case "check":
      return [];
    case "loop":
    case "for":
      return [...stmt.results, ...stmt.arrays];
    default:
      return stmt.results;
  }
}

/** The variables that a statement binds in its body alone. */
export function boundInside(stmt: Stmt): readonly Var[] {
  if (stmt.kind === "loop") return stmt.params;
  return stmt.kind === "for" ? [stmt.index, ...stmt.params] : [];
}

/** The statements of a block, and of those in it. */
export function allStmts(block: Block): readonly Stmt[] {
  return [...allBlocks(block)].flatMap(({ stmts }) => stmts);
}

/** By the names of variables of a block, and of those in it, the operations that give them. */
export function operationsOf(block: Block): Map<string, Operation> {
  return new Map(
    allStmts(block).flatMap((stmt) => (stmt.kind === "let" ? [[stmt.result.name, stmt.op] as const] : [])),
  );
}

/** The procedures that a block calls, and those that it makes functions of, as often as it does. */
export function calleesIn(block: Block): readonly string[] {
  return allStmts(block).flatMap((stmt) => {
    if (stmt.kind === "call") return [stmt.fn];
    return stmt.kind === "let" && stmt.op.kind === "closure" ? [stmt.op.code] : [];
  });
}

/** The variables that are bound anywhere in a block. */
export function boundWithin(block: Block): readonly Var[] {
  return allStmts(block).flatMap((stmt) => [...boundBy(stmt), ...boundInside(stmt)]);
}

/** The names of what the iterations of a loop bind. */
export function namesBoundIn(loop: Stmt & { readonly kind: "loop" | "for" }): ReadonlySet<string> {
  return new Set([...boundInside(loop), ...boundWithin(loop.body)].map(({ name }) => name));
}

/** An end with other blocks to branch into. */
export function mapBlocks(end: End, f: (block: Block) => Block): End {
  switch (end.kind) {
    case "yield":
    case "next":
      return end;
    case "if":
      return { ...end, then: f(end.then), else: f(end.else) };
    case "switch":
      return { ...end, branches: end.branches.map(({ con, body }) => ({ con, body: f(body) })) };
  }
}

/** The ends that a block may come to: its own, or those of the blocks that it branches into. */
export function* endsOf(block: Block): Generator<End & { readonly kind: "yield" | "next" }, void, undefined> {
  const { end } = block;
  switch (end.kind) {
    case "yield":
    case "next":
      yield end;
      return;
    case "if":
      yield* endsOf(end.then);
      yield* endsOf(end.else);
      return;
    case "switch":
      for (const { body } of end.branches) yield* endsOf(body);
  }
}

/** A block with other ends. */
export function mapEnds(block: Block, f: (end: End & { readonly kind: "yield" | "next" }) => End): Block {
  const { stmts, end } = block;
  switch (end.kind) {
    case "yield":
    case "next":
      return { stmts, end: f(end) };
    case "if":
      return { stmts, end: { ...end, then: mapEnds(end.then, f), else: mapEnds(end.else, f) } };
    case "switch":
      return {
        stmts,
        end: { ...end, branches: end.branches.map(({ con, body }) => ({ con, body: mapEnds(body, f) })) },
      };
  }
}

/** The blocks that a statement holds. */
export function blocksOf(stmt: Stmt): readonly Block[] {
  switch (stmt.kind) {
    case "choose":
      return branchesOf(stmt.end);
    case "loop":
    case "for":
      return [stmt.body];
    default:
      return [];
  }
}

export function branchesOf(end: End): readonly Block[] {
  if (end.kind === "if") return [end.then, end.else];
  return end.kind === "switch" ? end.branches.map(({ body }) => body) : [];
}

/** Whether there may be another iteration of a loop behind a block of its body. */
export function goesOn({ end }: Block): boolean {
  return end.kind === "next" || branchesOf(end).some(goesOn);
}

/** A block and all in it, each before what it holds. */
export function* allBlocks(root: Block): Generator<Block, void, undefined> {
  const waiting = [root];
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    yield block;
    waiting.push(...branchesOf(block.end));
    for (const stmt of block.stmts) waiting.push(...blocksOf(stmt));
  }
}

/** How much code a block is: its statements and ends. */
export function sizeOf(block: Block): number {
  let size = 0;
  for (const { stmts } of allBlocks(block)) size += 1 + stmts.length;
  return size;
}

/** Every name of a program's procedures and variables. */
export function allNames(program: Program): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (variables: readonly Var[]): void => {
    for (const { name } of variables) names.add(name);
  };
  for (const { name, captured, params, body } of program.procedures) {
    names.add(name);
    add(captured);
    add(params);
    for (const stmt of allStmts(body)) {
      add(boundBy(stmt));
      if (stmt.kind === "loop" || stmt.kind === "for") add(stmt.params);
      if (stmt.kind === "for") add([stmt.index]);
    }
  }
  return names;
}
