// The variables that code uses and does not bind.

import { atomsOf, blocksOf, boundBy, boundInside, branchesOf } from "./traverse.js";
import type { Atom, Block, End, Stmt, Var } from "./program.js";

/** In the order of their first use. */
export function freeVariables(block: Block): readonly Var[] {
  const used = new Map<string, Var>();
  const bound = new Set<string>();
  // What is bound is bound once: the order in which blocks are looked at does not matter
  const waiting = [block];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const stmt of next.stmts) {
      note(atomsOf(stmt), used);
      if (stmt.kind === "choose") note(atomsOfEnd(stmt.end), used);
      for (const { name } of [...boundBy(stmt), ...boundInside(stmt)]) bound.add(name);
    }
    note(atomsOfEnd(next.end), used);
    waiting.push(...[...next.stmts.flatMap(blocksOf), ...branchesOf(next.end)].reverse());
  }
  return [...used.values()].filter(({ name }) => !bound.has(name));
}

type For = Stmt & { readonly kind: "for" };

const recurrent = new WeakMap<For, boolean>();

/** Whether the iterations of a loop read elements of its own arrays, which earlier ones have made (growing-arrays.ts). */
export function isRecurrent(loop: For): boolean {
  const known = recurrent.get(loop);
  if (known !== undefined) return known;
  const names = new Set(loop.arrays.map(({ name }) => name));
  const found = names.size > 0 && freeVariables(loop.body).some(({ name }) => names.has(name));
  recurrent.set(loop, found);
  return found;
}

function atomsOfEnd(end: End): readonly Atom[] {
  switch (end.kind) {
    case "yield":
    case "next":
      return end.values;
    case "if":
      return [end.cond];
    case "switch":
      return [end.object];
  }
}

function note(atoms: readonly Atom[], used: Map<string, Var>): void {
  for (const atom of atoms)
    if (atom.kind === "var" && !used.has(atom.variable.name)) used.set(atom.variable.name, atom.variable);
}
