// Loop distribution, for what inner iterations compute alike in every iteration of an outer loop.
//
// A number that is dear, and depends on the inner loop's index but on nothing that the outer loop changes, is an element of an array, which a loop of its own makes
// first; that loop is the same in every iteration of the outer one, and can stand in front of it.
//
//   for i < n { .. for j < m { x = xs ! j; y = exp x; z = y * k; .. } }
//     =>   for i < n { .. [ys] = for j < m { x = xs ! j; y = exp x; yield y }; for j < m { y = ys ! j; z = y * k; .. } }
//
// Loops inside of the inner one are split in turn: of them the arrays are rows.

import { inPlaceOf } from "../location.js";
import { atomOf, intAtom, isScalar, letOf, sameAtom, yieldOf } from "./build.js";
import { Copy } from "./copy.js";
import { operationCost } from "./costs.js";
import { freeVariables } from "./free-variables.js";
import type { FlatNames } from "./naming.js";
import { int, type Atom, type Block, type Operation, type Stmt, type Var } from "./program.js";
import { isPlain, withSources } from "./pure.js";
import type { For } from "./rewrite-loops.js";
import { boundBy, namesBoundIn } from "./traverse.js";

/** What costs less, in operations, is computed where it is needed. */
const dear = 8;

/** A loop in two: one that makes arrays alone, and the other, which reads them. */
export interface Split {
  readonly first: For;
  readonly rest: For;
}

/** What splitting asks of the program. */
export interface Known {
  /** The operations that bind variables, by name. */
  readonly definitions: ReadonlyMap<string, Operation>;
  readonly names: FlatNames;
}

/** `isSame`: whether a variable from outside of the loop is the same in every iteration of the one around it. Null where there is nothing to be gained. */
export function splitLoop(loop: For, isSame: (variable: Var) => boolean, known: Known): Split | null {
  const { names } = known;
  if (loop.body.end.kind !== "yield") return null;
  const inside = namesBoundIn(loop);
  /** By what is the same in every iteration of the loop around, and may differ from one of this loop to the next, the statement that binds it. */
  const same = new Map<string, Stmt>();
  const isKnown = (variable: Var): boolean =>
    variable.name === loop.index.name || same.has(variable.name) || (!inside.has(variable.name) && isSame(variable));
  const count = sizeOf(loop.count, known.definitions, (variable) => !inside.has(variable.name) && isSame(variable));
  if (count === null) return null;
  const wanted = new Set<Stmt>();
  const stmts = loop.body.stmts.flatMap((stmt): readonly Stmt[] => {
    const split = stmt.kind === "for" && !isAlike(stmt, isKnown) ? splitLoop(stmt, isKnown, known) : null;
    const parts = split === null ? [stmt] : [split.first, split.rest];
    for (const part of parts) {
      if (!isAlike(part, isKnown) || isTestedRow(part, loop.body)) continue;
      for (const { name } of boundBy(part)) same.set(name, part);
      if (isDear(part)) wanted.add(part);
    }
    return parts;
  });
  if (wanted.size === 0) return null;
  const others: Block = { stmts: stmts.filter((stmt) => !wanted.has(stmt)), end: loop.body.end };
  const used = new Set(freeVariables(others).map(({ name }) => name));
  const results = [...wanted].flatMap(boundBy).filter(({ name }) => used.has(name));
  if (results.length === 0) return null;
  const slice = withSources(wanted, same);
  const index: Var = { name: names.fresh({ stem: loop.index.name, suffix: "" }), rep: int };
  const copy = new Copy(names, new Map([[loop.index.name, atomOf(index)]]));
  const made = copy.stmts(stmts.filter((stmt) => slice.has(stmt)));
  const arrays = results.map((result): Var => ({ name: names.fresh({ stem: result.name, suffix: "" }), rep: { kind: "array", element: result.rep } })); // prettier-ignore
  const first: For = {
    kind: "for",
    index,
    count,
    params: [],
    init: [],
    results: [],
    arrays,
    body: yieldOf(
      made,
      results.map((result) => copy.atom(atomOf(result))),
    ),
  };
  const rest = stmts.flatMap((stmt): readonly Stmt[] => {
    if (!wanted.has(stmt)) return [slice.has(stmt) ? tested(stmt) : stmt];
    return boundBy(stmt).flatMap((variable) => {
      const place = results.indexOf(variable);
      const array = arrays[place];
      return array === undefined ? [] : [inPlaceOf<Stmt>(letOf(variable, { kind: "cell", array: atomOf(array), index: atomOf(loop.index) }), stmt)]; // prettier-ignore
    });
  });
  return { first: inPlaceOf(first, loop), rest: { ...loop, body: { ...loop.body, stmts: rest } } };
}

/** Whether what a statement binds is the same wherever all is that it uses. */
function isAlike(stmt: Stmt, isKnown: (variable: Var) => boolean): boolean {
  return isPlain(stmt) && freeVariables(yieldOf([stmt], [])).every(isKnown);
}

/** Whether a statement reads a row of which the iteration tests that there is one: where it is not, nobody may look at it. */
function isTestedRow(stmt: Stmt, { stmts }: Block): boolean {
  if (stmt.kind !== "let" || stmt.op.kind !== "cell" || isScalar(stmt.result.rep)) return false;
  const { array, index } = stmt.op;
  return stmts.some((other) => other.kind === "check" && other.check.kind === "inRange" && sameAtom(other.check.index, index) && sameAtom(other.check.array, array)); // prettier-ignore
}

function isDear(stmt: Stmt): boolean {
  if (stmt.kind === "let") return stmt.result.rep.kind === "real" && operationCost(stmt.op) >= dear;
  return stmt.kind === "for";
}

/** The length that is the number of iterations, or must be the same, and is the same in every iteration of the loop around; null where there is none. */
function sizeOf(count: Atom, definitions: Known["definitions"], isSame: (variable: Var) => boolean): Atom | null {
  if (count.kind !== "var") return count.kind === "int" && count.value >= 0 ? count : null;
  const op = definitions.get(count.variable.name);
  const isTested = op?.kind === "prim" && op.op === "sameLength";
  if (isSame(count.variable) && (isTested || op?.kind === "length")) return count;
  if (!isTested) return null;
  return op.args.map((arg) => sizeOf(arg, definitions, isSame)).find((size) => size !== null) ?? null;
}

/** A statement whose lengths have been compared already. */
function tested(stmt: Stmt): Stmt {
  if (stmt.kind !== "let" || stmt.op.kind !== "prim" || stmt.op.op !== "sameLength") return stmt;
  return { ...stmt, op: { kind: "copy", value: stmt.op.args[0] ?? intAtom(0) } };
}
