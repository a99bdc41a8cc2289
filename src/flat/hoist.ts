// What is dear and the same in every round of a loop is computed once, in front of it, and saved once where the reverse sweep needs it.
//
//   for i < n { .. y = exp k; z = y * x ..}     =>     y = exp k; for i < n { .. z = y * x .. }
//
// A loop may have no rounds: that its cotangent is zero then must hold even if a derivative is infinite (`isEarly`).

import { withLoopsRewritten, type For, type Loop } from "./rewrite-loops.js";
import { isVariable, letOf } from "./build.js";
import { isDear } from "./costs.js";
import { FlatNames } from "./naming.js";
import type { Atom, Block, Operation, Program, Stmt } from "./program.js";
import { allBlocks, allNames, boundBy, boundInside, endsOf, mapBlocks, mapEnds } from "./traverse.js";

type Prim = Operation & { readonly kind: "prim" };
type Let = Stmt & { readonly kind: "let"; readonly op: Prim };

/** The program, with the same meaning. `names` are those of the program. */
export function hoistInvariants(program: Program, names = new FlatNames(allNames(program))): Program {
  return withLoopsRewritten(program, names, inFront);
}

/** What is the same in every round, and the loop without it; null where there is nothing. */
function inFront(loop: Loop | For): readonly Stmt[] | null {
  const invariants = invariantsOf(loop);
  const found = dearOf(invariants);
  if (found.size === 0) return null;
  // The first block of a loop that leaves itself is run once at least
  const isRun = loop.kind === "loop" || (loop.count.kind === "int" && loop.count.value > 0);
  const certain = new Set<Stmt>(isRun ? loop.body.stmts : []);
  const before = [...found].map((stmt): Stmt => (certain.has(stmt) ? stmt : { ...stmt, op: { ...stmt.op, isEarly: true } })); // prettier-ignore
  return [...before, ...withoutResults({ ...loop, body: without(loop.body, found) }, found)];
}

/** What a loop computes in each round from what it does not change, where that cannot fail, in order. */
function invariantsOf(loop: Loop | For): ReadonlyMap<string, Let> {
  const bound = new Set(boundInside(loop).map(({ name }) => name));
  for (const { stmts } of allBlocks(loop.body)) {
    for (const stmt of stmts) for (const { name } of [...boundBy(stmt), ...boundInside(stmt)]) bound.add(name);
  }
  const found = new Map<string, Let>();
  const isSame = (atom: Atom): boolean =>
    atom.kind !== "var" || found.has(atom.variable.name) || !bound.has(atom.variable.name);
  // A block comes before those that it holds
  for (const { stmts } of allBlocks(loop.body)) {
    for (const stmt of stmts) if (isMovable(stmt) && stmt.op.args.every(isSame)) found.set(stmt.result.name, stmt);
  }
  return found;
}

/** A loop that does not yield what stands in front of it now. */
function withoutResults(loop: Loop | For, found: ReadonlySet<Let>): readonly Stmt[] {
  if (loop.kind === "for") return [loop];
  const names = new Set([...found].map(({ result }) => result.name));
  const yields = [...endsOf(loop.body)].filter(({ kind }) => kind === "yield");
  const same = loop.results.map((_, index): Atom | null => {
    const [first, ...others] = yields.map(({ values }) => values[index]);
    const isSame = first?.kind === "var" && names.has(first.variable.name) && others.every((other) => isVariable(other, first.variable)); // prettier-ignore
    return isSame ? first : null;
  });
  const kept = <T>(list: readonly T[]): readonly T[] => list.filter((_, index) => same[index] === null);
  const body = mapEnds(loop.body, (end) => (end.kind === "yield" ? { ...end, values: kept(end.values) } : end));
  const copies = loop.results.flatMap((result, index): Stmt[] => {
    const value = same[index] ?? null;
    return value === null ? [] : [letOf(result, { kind: "copy", value })];
  });
  return [{ ...loop, results: kept(loop.results), body }, ...copies];
}

function isMovable(stmt: Stmt): stmt is Let {
  return stmt.kind === "let" && stmt.op.kind === "prim" && stmt.op.site === null && stmt.result.rep.kind === "real";
}

/** Those that are dear, and what they are computed from. */
function dearOf(invariants: ReadonlyMap<string, Let>): ReadonlySet<Let> {
  const wanted = new Set<Let>();
  const want = (stmt: Let): void => {
    if (wanted.has(stmt)) return;
    wanted.add(stmt);
    for (const arg of stmt.op.args) {
      const source = arg.kind === "var" ? invariants.get(arg.variable.name) : undefined;
      if (source !== undefined) want(source);
    }
  };
  for (const stmt of invariants.values()) if (isDear(stmt.op)) want(stmt);
  return new Set([...invariants.values()].filter((stmt) => wanted.has(stmt)));
}

function without({ stmts, end }: Block, gone: ReadonlySet<Stmt>): Block {
  const inner = (block: Block): Block => without(block, gone);
  const left = stmts.filter((stmt) => !gone.has(stmt));
  return {
    stmts: left.map((stmt) => {
      if (stmt.kind === "choose") return { ...stmt, end: mapBlocks(stmt.end, inner) };
      return stmt.kind === "loop" || stmt.kind === "for" ? { ...stmt, body: inner(stmt.body) } : stmt;
    }),
    end: mapBlocks(end, inner),
  };
}
