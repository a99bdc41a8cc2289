// Arrays that a loop carries and that are as long in every iteration as in the first:
//
//   loop (v = u).. { .. [w] = for i < m ..; next w }          where u has m elements, or m is the length of v
//
// An index that is tested against m is in range of v then.

import type { Definitions } from "./counted.js";
import { minus, type Linear } from "./linear.js";
import type { Atom, Block, Stmt, Var } from "./program.js";
import type { Ranges } from "./ranges.js";
import { allBlocks, endsOf } from "./traverse.js";

interface Carrying {
  readonly params: readonly Var[];
  readonly init: readonly Atom[];
  readonly body: Block;
}

interface Kept {
  readonly index: number;
  readonly length: Linear;
}

/** Which parameters are arrays of one length. `iterations`: the ends that lead to a next iteration; `atom`: what stands for an atom of the body where it is from outside. */
export function keptLengths(
  { params, init, body }: Carrying,
  iterations: "yield" | "next",
  ranges: Ranges,
  definitions: Definitions,
  atom: (atom: Atom) => Atom,
): readonly Kept[] {
  let kept: readonly Kept[] = params.flatMap(({ rep }, index) => {
    const start = init[index];
    return rep.kind === "array" && start !== undefined ? [{ index, length: ranges.lengthOf(start) }] : [];
  });
  if (kept.length === 0) return [];
  const makers = makersIn(body);
  const ends = [...endsOf(body)].filter(({ kind }) => kind === iterations);
  /** How long an array of the body is, given that those that are left keep their lengths; null where that is not known. */
  const lengthOf = (array: Atom): Linear | null => {
    if (array.kind !== "var") return null;
    const { name } = array.variable;
    const carried = kept.find(({ index }) => params[index]?.name === name);
    if (carried !== undefined) return carried.length;
    const count = makers.get(name);
    return count === undefined ? null : countOf(count);
  };
  const countOf = (count: Atom): Linear | null => {
    const op = count.kind === "var" ? definitions.get(count.variable.name) : undefined;
    if (op?.kind === "length") return lengthOf(op.array) ?? ranges.lengthOf(atom(op.array));
    if (op?.kind !== "prim" || op.op !== "sameLength") return ranges.form(atom(count));
    return op.args.map(countOf).find((length) => length !== null) ?? null;
  };
  for (;;) {
    const left = kept.filter(({ index, length }) =>
      ends.every(({ values }) => {
        const value = values[index];
        const next = value === undefined ? null : lengthOf(value);
        return next !== null && isSame(next, length);
      }),
    );
    if (left.length === kept.length) return kept;
    kept = left;
  }
}

function isSame(a: Linear, b: Linear): boolean {
  const { constant, terms } = minus(a, b);
  return constant === 0 && terms.size === 0;
}

/** The counts of the loops that make arrays, by the names of these. */
function makersIn(body: Block): ReadonlyMap<string, Atom> {
  const makers = new Map<string, Atom>();
  const note = (stmt: Stmt): void => {
    if (stmt.kind === "for") for (const { name } of stmt.arrays) makers.set(name, stmt.count);
  };
  for (const { stmts } of allBlocks(body)) stmts.forEach(note);
  return makers;
}
