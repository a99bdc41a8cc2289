// What is dear and the same in every round of a loop is computed once, in front of it, and saved once where the reverse sweep needs it: functions,
// arrays, and whole loops.
//
//   for i < n { .. y = exp k; z = y * x ..}     =>     y = exp k; for i < n { .. z = y * x .. }
//
// A loop may have no rounds: what stands in front of it must be harmless then, and its cotangent zero even if a derivative is infinite (`isEarly`).
// Inner loops get no rounds either:
//
//   for i < n { .. s = for j < m .. }           =>     some = n > 0; m' = if some then m else 0; s = for j < m' ..; for i < n { .. }

import { primitive } from "../core/primitives.js";
import { atomOf, intAtom, isVariable, letOf, sameAtom, yieldOf } from "./build.js";
import { isDear } from "./costs.js";
import { freeVariables } from "./free-variables.js";
import { FlatNames } from "./naming.js";
import {
  bool,
  int,
  type Atom,
  type Block,
  type Operation,
  type Program,
  type Rep,
  type Stmt,
  type Var,
} from "./program.js";
import { isPure } from "./pure.js";
import { withLoopsRewritten, type For, type Loop } from "./rewrite-loops.js";
import { allBlocks, allNames, blocksOf, boundBy, boundInside, branchesOf, endsOf, mapBlocks, mapEnds } from "./traverse.js"; // prettier-ignore

/** The program, with the same meaning. `names` are those of the program. */
export function hoistInvariants(program: Program, names = new FlatNames(allNames(program))): Program {
  return withLoopsRewritten(program, names, (loop) => inFront(loop, names));
}

/** What is the same in every round, and the loop without it; null where there is nothing. */
function inFront(loop: Loop | For, names: FlatNames): readonly Stmt[] | null {
  const found = dearOf(invariantsOf(loop));
  if (found.size === 0) return null;
  // The first block of a loop that leaves itself is run once at least
  const isRun = loop.kind === "loop" || (loop.count.kind === "int" && loop.count.value > 0);
  const certain = new Set<Stmt>(isRun ? loop.body.stmts : []);
  const early = new Early(loop, names);
  const before = [...found].flatMap((stmt) => (certain.has(stmt) ? [stmt] : early.stmt(stmt)));
  return [...before, ...withoutResults({ ...loop, body: without(loop.body, found) }, found)];
}

/** What a loop computes in each round from what it does not change, where that cannot fail: for each variable the statement that binds it, in order. */
function invariantsOf(loop: Loop | For): ReadonlyMap<string, Stmt> {
  const changing = new Set(boundInside(loop).map(({ name }) => name));
  for (const { stmts } of allBlocks(loop.body)) {
    for (const stmt of stmts) for (const { name } of [...boundBy(stmt), ...boundInside(stmt)]) changing.add(name);
  }
  const found = new Map<string, Stmt>();
  const isSame = ({ name }: Var): boolean => found.has(name) || !changing.has(name);
  const note = (stmt: Stmt, isMovable: boolean): boolean => {
    const isInvariant = isMovable && freeVariables(yieldOf([stmt], [])).every(isSame);
    if (isInvariant) for (const { name } of boundBy(stmt)) found.set(name, stmt);
    return isInvariant;
  };
  const some: Block[] = [...branchesOf(loop.body.end)];
  for (const stmt of loop.body.stmts) if (!note(stmt, isPlain(stmt))) some.push(...blocksOf(stmt));
  // What only some rounds come to, or inner loops, may have been tested before: numbers alone are harmless in front
  for (const block of some)
    for (const { stmts } of allBlocks(block)) for (const stmt of stmts) note(stmt, isNumber(stmt));
  return found;
}

function isNumber(stmt: Stmt): boolean {
  return stmt.kind === "let" && stmt.op.kind === "prim" && stmt.result.rep.kind === "real" && isPure(stmt);
}

/** Whether a statement cannot fail, and reads nothing but numbers where an index may be out of range. */
function isPlain(stmt: Stmt): boolean {
  if (!isPure(stmt)) return false;
  if (stmt.kind === "let") return isPlainOperation(stmt.op);
  return boundBy(stmt).every(({ rep }) => isScalar(rep) || (rep.kind === "array" && isScalar(rep.element))) && lets(stmt).every(isPlainOperation); // prettier-ignore
}

function isPlainOperation(op: Operation): boolean {
  switch (op.kind) {
    case "prim":
    case "length":
    case "field":
      return true;
    case "cell":
      return (
        op.array.kind === "var" && op.array.variable.rep.kind === "array" && isScalar(op.array.variable.rep.element)
      );
    case "array":
      return isScalar(op.element);
    default:
      return false;
  }
}

function isScalar({ kind }: Rep): boolean {
  return kind === "real" || kind === "int" || kind === "bool";
}

/** The operations in a statement. */
function lets(stmt: Stmt): readonly Operation[] {
  if (stmt.kind === "let") return [stmt.op];
  return blocksOf(stmt).flatMap((block) => [...allBlocks(block)].flatMap(({ stmts }) => stmts.flatMap((inner) => (inner.kind === "let" ? [inner.op] : [])))); // prettier-ignore
}

/** Those that are dear, and what they are computed from. */
function dearOf(invariants: ReadonlyMap<string, Stmt>): ReadonlySet<Stmt> {
  const wanted = new Set<Stmt>();
  const want = (stmt: Stmt): void => {
    if (wanted.has(stmt)) return;
    wanted.add(stmt);
    for (const { name } of freeVariables(yieldOf([stmt], []))) {
      const source = invariants.get(name);
      if (source !== undefined) want(source);
    }
  };
  const isWorthIt = (stmt: Stmt): boolean =>
    stmt.kind === "for" || lets(stmt).some(isCostly) || blocksOf(stmt).some(hasLoop);
  for (const stmt of invariants.values()) if (isWorthIt(stmt)) want(stmt);
  return new Set([...invariants.values()].filter((stmt) => wanted.has(stmt)));
}

function isCostly(op: Operation): boolean {
  return op.kind === "array" || (op.kind === "prim" && isDear(op));
}

function hasLoop(block: Block): boolean {
  return [...allBlocks(block)].some(({ stmts }) => stmts.some(({ kind }) => kind === "for"));
}

/** Operations whose derivatives are 1, -1 or 0: a cotangent that is zero stays so whatever the numbers are. */
const harmless: ReadonlySet<string> = new Set(["add", "sub", "neg", "toReal", "min", "max"]);

function isHarmless(op: Operation): boolean {
  return op.kind !== "prim" || primitive(op.op).result !== "R" || harmless.has(op.op);
}

/** Statements in front of a loop that may have no rounds. */
class Early {
  /** Counts of loops in front that are 0 where this loop has no rounds, in scope. */
  readonly #counts: { readonly of: Atom; readonly count: Atom }[] = [];

  constructor(
    private readonly loop: Loop | For,
    private readonly names: FlatNames,
  ) {}

  stmt(stmt: Stmt): readonly Stmt[] {
    switch (stmt.kind) {
      case "let": {
        const isReal = stmt.op.kind === "prim" && stmt.result.rep.kind === "real";
        return isReal ? [{ ...stmt, op: { ...stmt.op, isEarly: true } }] : [stmt];
      }
      case "choose":
        return [{ ...stmt, end: mapBlocks(stmt.end, this.#block) }];
      case "for":
        return this.#for(stmt);
      default:
        return [stmt];
    }
  }

  readonly #block = ({ stmts, end }: Block): Block => {
    const known = this.#counts.length;
    const block = { stmts: stmts.flatMap((stmt) => this.stmt(stmt)), end: mapBlocks(end, this.#block) };
    this.#counts.length = known;
    return block;
  };

  /** A loop without rounds where the one behind it has none, but for loops that hand cotangents on as they are. */
  #for(stmt: For): readonly Stmt[] {
    if (this.loop.kind === "loop" || sameAtom(stmt.count, this.loop.count)) return [stmt];
    const known = this.#counts.find(({ of }) => sameAtom(of, stmt.count));
    if (known !== undefined) return [{ ...stmt, count: known.count }];
    if (lets(stmt).every(isHarmless)) return [stmt];
    const fresh = (stem: string, rep: Rep): Var => ({ name: this.names.fresh({ stem, suffix: "" }), rep });
    const [some, count] = [fresh("some", bool), fresh("count", int)];
    this.#counts.push({ of: stmt.count, count: atomOf(count) });
    return [
      letOf(some, { kind: "prim", op: "gtZ", args: [this.loop.count, intAtom(0)], site: null }),
      {
        kind: "choose",
        results: [count],
        end: { kind: "if", cond: atomOf(some), then: yieldOf([], [stmt.count]), else: yieldOf([], [intAtom(0)]) },
      },
      { ...stmt, count: atomOf(count) },
    ];
  }
}

/** A loop that does not yield what stands in front of it now. */
function withoutResults(loop: Loop | For, found: ReadonlySet<Stmt>): readonly Stmt[] {
  if (loop.kind === "for") return [loop];
  const names = new Set([...found].flatMap(boundBy).map(({ name }) => name));
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
