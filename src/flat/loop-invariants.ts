// Loop-invariant code motion, before derivatives are taken.
//
// What is expensive and the same in every iteration of a loop is computed once, in front of it, and saved once where the reverse sweep needs it: functions,
// arrays, and whole loops.
//
//   for i < n { .. y = exp k; z = y * x ..}     =>     y = exp k; for i < n { .. z = y * x .. }
//
// A loop may have no iterations: what stands in front of it must be harmless then, and its cotangent zero even if a derivative is infinite (`isEarly`).
// Loops get no iterations either, and choices that read elements are not made:
//
//   for i < n { .. s = for j < m .. }           =>     some = n > 0; m' = if some then m else 0; s = for j < m' ..; for i < n { .. }
//
// Lengths that must be the same are compared in front, too, where there is an iteration: so the width of a matrix is measured once, and its transpose made once. Of
// several lengths that differ another pair may be told than without.

import { primitive, type Partial } from "../core/primitives.js";
import { atomOf, intAtom, isScalar, isVariable, letOf, sameAtom, yieldOf } from "./build.js";
import { Copy } from "./copy.js";
import { isDear } from "./costs.js";
import { freeVariables } from "./free-variables.js";
import { splitLoop, type Split } from "./invariant-elements.js";
import { FrontCounts } from "./front-counts.js";
import { FlatNames } from "./naming.js";
import { bool, type Atom, type Block, type Operation, type Program, type Rep, type Stmt, type Var } from "./program.js";
import { comparesLengths, isPlain, isPure, operationsIn, withSources } from "./pure.js";
import { withLoopsRewritten, type For, type Loop } from "./rewrite-loops.js";
import { allNames, allStmts, blocksOf, boundBy, branchesOf, endsOf, mapBlocks, mapEnds, namesBoundIn } from "./traverse.js"; // prettier-ignore

/** The program, with the same meaning. `names` are those of the program. */
export function hoistInvariants(program: Program, names = new FlatNames(allNames(program))): Program {
  const sizes = sizesIn(program);
  return withLoopsRewritten(program, (loop) => inFront(loop, sizes, names));
}

interface Sizes {
  /** By the index of a loop the counts of the loops around it, none of which is 0 in its iterations. */
  readonly around: ReadonlyMap<string, ReadonlySet<string>>;
  /** By name of an array the variables that are as many as its elements: its lengths, and the count of the loop that makes it. */
  readonly of: ReadonlyMap<string, ReadonlySet<string>>;
  /** By name of a condition the variable that is 0 where it holds. */
  readonly zero: ReadonlyMap<string, string>;
  /** The operations that bind variables, by name. */
  readonly definitions: ReadonlyMap<string, Operation>;
}

function sizesIn(program: Program): Sizes {
  const sizes = new Map<string, Set<string>>();
  const zero = new Map<string, string>();
  const definitions = new Map<string, Operation>();
  const note = (array: Atom, size: Atom): void => {
    if (array.kind !== "var" || size.kind !== "var") return;
    sizes.set(array.variable.name, (sizes.get(array.variable.name) ?? new Set()).add(size.variable.name));
  };
  for (const { body } of program.procedures) {
    for (const stmt of allStmts(body)) {
      if (stmt.kind === "let") definitions.set(stmt.result.name, stmt.op);
      if (stmt.kind === "let" && stmt.op.kind === "length") note(stmt.op.array, atomOf(stmt.result));
      if (stmt.kind === "for") for (const array of stmt.arrays) note(atomOf(array), stmt.count);
      const [left, right] = stmt.kind === "let" && stmt.op.kind === "prim" && stmt.op.op === "eqZ" ? stmt.op.args : [];
      if (stmt.kind === "let" && left?.kind === "var" && right?.kind === "int" && right.value === 0) zero.set(stmt.result.name, left.variable.name); // prettier-ignore
    }
  }
  return { around: countsAround(program), of: sizes, zero, definitions };
}

function countsAround(program: Program): Sizes["around"] {
  const around = new Map<string, ReadonlySet<string>>();
  const visit = (block: Block, counts: ReadonlySet<string>): void => {
    for (const branch of branchesOf(block.end)) visit(branch, counts);
    for (const stmt of block.stmts) {
      if (stmt.kind === "for") around.set(stmt.index.name, counts);
      const inside = stmt.kind === "for" && stmt.count.kind === "var" ? new Set([...counts, stmt.count.variable.name]) : counts; // prettier-ignore
      for (const inner of blocksOf(stmt)) visit(inner, inside);
    }
  };
  for (const { body } of program.procedures) visit(body, new Set());
  return around;
}

/** What is the same in every iteration, and the loop without it; null where there is nothing. */
function inFront(loop: Loop | For, sizes: Sizes, names: FlatNames): readonly Stmt[] | null {
  const behind = behindTest(loop, sizes, names);
  if (behind !== null) return behind;
  return byThemselves((loop.kind === "for" ? withElementsFirst(loop, sizes, names) : null) ?? loop, sizes, names);
}

/** A loop in which inner loops make arrays first of what they compute alike in every iteration, where these can stand in front of it; null where there are none. */
function withElementsFirst(loop: For, sizes: Sizes, names: FlatNames): For | null {
  const inner = loop.body.stmts.filter((stmt) => stmt.kind === "for");
  if (inner.length === 0) return null;
  const isRun = loop.count.kind === "int" && loop.count.value > 0;
  const invariants = invariantsOf(loop, isRun, sizes);
  const changing = namesBoundIn(loop);
  const isSame = ({ name }: Var): boolean => invariants.has(name) || !changing.has(name);
  const known = { definitions: sizes.definitions, names };
  const splits = new Map<Stmt, Split>();
  for (const stmt of inner) {
    const split = boundBy(stmt).every(isSame) ? null : splitLoop(stmt, isSame, known);
    if (split !== null) splits.set(stmt, split);
  }
  const whole = withSplits(loop, splits);
  const moved = splits.size === 0 ? new Set<Stmt>() : dearOf(invariantsOf(whole, isRun, sizes));
  const fine = new Map([...splits].filter(([, { first }]) => moved.has(first)));
  if (fine.size === 0) return null;
  return fine.size === splits.size ? whole : withSplits(loop, fine);
}

function withSplits(loop: For, splits: ReadonlyMap<Stmt, Split>): For {
  const stmts = loop.body.stmts.flatMap((stmt): readonly Stmt[] => {
    const split = splits.get(stmt);
    return split === undefined ? [stmt] : [split.first, split.rest];
  });
  return { ...loop, body: { ...loop.body, stmts } };
}

/** The same, with statements that are harmless one by one. */
function byThemselves(loop: Loop | For, sizes: Sizes, names: FlatNames): readonly Stmt[] | null {
  // The first block of a loop that leaves itself is run once at least
  const isRun = loop.kind === "loop" || (loop.count.kind === "int" && loop.count.value > 0);
  const found = dearOf(invariantsOf(loop, isRun, sizes));
  if (found.size === 0) return null;
  const certain = new Set<Stmt>(isRun ? loop.body.stmts : []);
  const counts = new FrontCounts(loop, names);
  const early = loop.kind === "for" ? new Early(loop, sizes, counts, names) : null;
  const before = [...found].flatMap((stmt) => {
    if (certain.has(stmt)) return counts.tested(stmt);
    // Of a loop that leaves itself, numbers alone are moved from elsewhere
    return early === null ? [earlyLet(stmt)] : counts.tested(stmt).flatMap((each) => early.stmt(each));
  });
  return [...before, ...withoutResults({ ...loop, body: without(loop.body, found) }, found)];
}

/** The same behind one test, where the first element is read of an array that has one if there is an iteration, and nothing but numbers comes of it. */
function behindTest(loop: Loop | For, sizes: Sizes, names: FlatNames): readonly Stmt[] | null {
  if (loop.kind !== "for" || loop.count.kind !== "var") return null;
  const { body, index } = loop;
  const some = sizes.around.get(index.name) ?? new Set();
  const inside = new Set([...some, loop.count.variable.name]);
  const isFirstRead = (stmt: Stmt): boolean =>
    stmt.kind === "let" && !readsWithin(stmt, sizes, { some }) && readsWithin(stmt, sizes, { some: inside });
  if (!body.stmts.some(isFirstRead)) return null;
  const found = dearOf(invariantsOf(loop, false, { ...sizes, around: new Map([[index.name, inside]]) }));
  if (![...found].some(isFirstRead)) return null;
  const left = without(body, found);
  const used = new Set(freeVariables(left).map(({ name }) => name));
  const results = [...found].flatMap(boundBy).filter(({ name }) => used.has(name));
  if (!results.every(({ rep }) => isScalar(rep))) return null;
  const certain = new Set<Stmt>(body.stmts);
  const counts = new FrontCounts(loop, names);
  const stmts = [...found].flatMap((stmt) => (certain.has(stmt) ? counts.tested(stmt) : [earlyLet(stmt)]));
  const then = new Copy(names, new Map()).block({ stmts, end: yieldOf([], results.map(atomOf)).end });
  return [...whereSome(loop, results, then, names), ...withoutResults({ ...loop, body: left }, found)];
}

/** What a block yields where a loop has an iteration, and 0 where it has none. */
function whereSome({ count }: For, results: readonly Var[], then: Block, names: FlatNames): readonly Stmt[] {
  const some: Var = { name: names.fresh({ stem: "some", suffix: "" }), rep: bool };
  const otherwise = yieldOf(
    [],
    results.map(({ rep }) => zero(rep)),
  );
  return [
    letOf(some, { kind: "prim", op: "gtZ", args: [count, intAtom(0)], site: null }),
    { kind: "choose", results, end: { kind: "if", cond: atomOf(some), then, else: otherwise } },
  ];
}

/** What a loop computes in each iteration from what it does not change, where that cannot fail: for each variable the statement that binds it, in order. */
function invariantsOf(loop: Loop | For, isRun: boolean, sizes: Sizes): ReadonlyMap<string, Stmt> {
  const changing = namesBoundIn(loop);
  const some = (loop.kind === "for" ? sizes.around.get(loop.index.name) : undefined) ?? new Set<string>();
  const found = new Map<string, Stmt>();
  const isSame = ({ name }: Var): boolean => found.has(name) || !changing.has(name);
  const note = (stmt: Stmt, isMovable: boolean): boolean => {
    const isInvariant = isMovable && freeVariables(yieldOf([stmt], [])).every(isSame);
    if (isInvariant) for (const { name } of boundBy(stmt)) found.set(name, stmt);
    return isInvariant;
  };
  const inner: Block[] = [...branchesOf(loop.body.end)];
  // Indices may be in range since a test before has not failed
  let isTested = false;
  // Other tests than of lengths keep their place before these
  let isBehindOthers = false;
  for (const stmt of loop.body.stmts) {
    // Where a test fails that comes later there is an error in any case: numbers may be anything until then, arrays and objects not
    const isInRange = readsWithin(stmt, sizes, { some }) || (!isTested && (isRun || stmt.kind !== "let")) || (stmt.kind !== "let" && readsWithin(stmt, sizes, { some, isLoose: true })); // prettier-ignore
    const isSafe = isRun || !operationsIn(stmt).some(mayDivideByZero);
    const isInOrder = isPure(stmt) || !isBehindOthers;
    const isMoved = note(stmt, isPlain(stmt) && isInRange && isSafe && isInOrder);
    if (isMoved) continue;
    inner.push(...blocksOf(stmt));
    isTested ||= !isPure(stmt);
    isBehindOthers ||= !comparesLengths(stmt);
  }
  // What only some iterations come to, or inner loops, has been tested for: numbers alone are harmless in front
  for (const block of inner) {
    for (const stmt of allStmts(block)) note(stmt, isNumber(stmt));
  }
  return found;
}

function isNumber(stmt: Stmt): boolean {
  return stmt.kind === "let" && stmt.op.kind === "prim" && stmt.result.rep.kind === "real" && isPure(stmt);
}

/** Whether an operation divides integers by one that is not zero because there is an iteration: of none that need not be so. */
function mayDivideByZero(op: Operation): boolean {
  if (op.kind !== "prim" || (op.op !== "divZ" && op.op !== "modZ" && op.op !== "remZ")) return false;
  const [, divisor] = op.args;
  return divisor?.kind !== "int" || divisor.value === 0;
}

interface Where {
  /** Sizes that are not 0. */
  readonly some?: ReadonlySet<string>;
  /** Whether numbers may be read anywhere. */
  readonly isLoose?: boolean;
}

/** Whether a statement reads elements of arrays at the indices of its own loops alone, which have as many iterations, or the first of those that have one. */
function readsWithin(stmt: Stmt, sizes: Sizes, { some = new Set(), isLoose = false }: Where = {}): boolean {
  return new Reads(sizes, some, isLoose).areWithin(stmt);
}

class Reads {
  /** How many iterations loops around have, by their indices. */
  readonly #counts = new Map<string, Atom>();
  /** Sizes that are not 0 here. */
  readonly #some: Set<string>;

  constructor(
    private readonly sizes: Sizes,
    some: ReadonlySet<string>,
    private readonly isLoose: boolean,
  ) {
    this.#some = new Set(some);
  }

  areWithin(stmt: Stmt): boolean {
    switch (stmt.kind) {
      case "let":
        return stmt.op.kind !== "cell" || (this.isLoose && isScalar(stmt.result.rep)) || this.#isWithin(stmt.op.array, stmt.op.index); // prettier-ignore
      case "choose":
        return this.#areIn({ stmts: [], end: stmt.end });
      case "for":
        this.#counts.set(stmt.index.name, stmt.count);
        return this.#areIn(stmt.body);
      default:
        return blocksOf(stmt).every((block) => this.#areIn(block));
    }
  }

  #areIn({ stmts, end }: Block): boolean {
    if (!stmts.every((stmt) => this.areWithin(stmt))) return false;
    if (end.kind !== "if") return branchesOf(end).every((block) => this.#areIn(block));
    const size = end.cond.kind === "var" ? this.sizes.zero.get(end.cond.variable.name) : undefined;
    if (!this.#areIn(end.then)) return false;
    if (size === undefined || this.#some.has(size)) return this.#areIn(end.else);
    this.#some.add(size);
    const areIn = this.#areIn(end.else);
    this.#some.delete(size);
    return areIn;
  }

  #isWithin(array: Atom, index: Atom): boolean {
    const own = array.kind === "var" ? this.sizes.of.get(array.variable.name) : undefined;
    if (own === undefined) return false;
    if (index.kind === "int") return index.value === 0 && [...own].some((size) => this.#some.has(size));
    const count = index.kind === "var" ? this.#counts.get(index.variable.name) : undefined;
    return count?.kind === "var" && own.has(count.variable.name);
  }
}

/** Those that are expensive, what they are computed from, and comparisons before them: what is read behind one may be there because it has held. */
function dearOf(invariants: ReadonlyMap<string, Stmt>): ReadonlySet<Stmt> {
  const all = [...new Set(invariants.values())];
  const isWorthIt = (stmt: Stmt): boolean =>
    stmt.kind === "for" || operationsIn(stmt).some(isCostly) || blocksOf(stmt).some(hasLoop);
  const worth = withSources(all.filter(isWorthIt), invariants);
  const last = all.findLastIndex((stmt) => worth.has(stmt));
  const tests = all.slice(0, last + 1).filter((stmt) => !isPure(stmt));
  const wanted = withSources([...worth, ...tests], invariants);
  return new Set(all.filter((stmt) => wanted.has(stmt)));
}

function isCostly(op: Operation): boolean {
  return op.kind === "array" || (op.kind === "prim" && isDear(op));
}

function hasLoop(block: Block): boolean {
  return allStmts(block).some(({ kind }) => kind === "for");
}

/** Operations whose derivatives are 1, -1 or 0: a cotangent that is zero stays so whatever the numbers are. */
function isHarmless(op: Operation): boolean {
  return op.kind !== "prim" || primitive(op.op).result !== "R" || primitive(op.op).partials.every(isConstant);
}

function isConstant(partial: Partial | null): boolean {
  if (partial === null || partial.kind === "number") return true;
  return partial.kind === "if" && isConstant(partial.then) && isConstant(partial.else);
}

/** A statement that is also done where the program does not come to it. */
function earlyLet(stmt: Stmt): Stmt {
  return stmt.kind === "let" && stmt.op.kind === "prim" ? { ...stmt, op: { ...stmt.op, isEarly: true } } : stmt;
}

/** Statements in front of a loop that may have no iterations. */
class Early {
  constructor(
    private readonly loop: For,
    private readonly sizes: Sizes,
    private readonly counts: FrontCounts,
    private readonly names: FlatNames,
  ) {}

  stmt(stmt: Stmt): readonly Stmt[] {
    switch (stmt.kind) {
      case "choose":
        return this.#choose(stmt);
      case "for":
        return this.#for(stmt);
      default:
        return isPure(stmt) ? [earlyLet(stmt)] : this.#whereSome(stmt);
    }
  }

  /** A choice; where it is more than numbers, it is made only if this loop has an iteration. */
  #choose(stmt: Stmt & { readonly kind: "choose" }): readonly Stmt[] {
    if (isPure(stmt) && operationsIn(stmt).every(({ kind }) => kind === "prim") && !blocksOf(stmt).some(hasLoop)) {
      const early = ({ stmts, end }: Block): Block => ({ stmts: stmts.flatMap((inner) => this.stmt(inner)), end: mapBlocks(end, early) }); // prettier-ignore
      return [{ ...stmt, end: mapBlocks(stmt.end, early) }];
    }
    return this.#whereSome(stmt);
  }

  /** A statement that is done where this loop has an iteration; elsewhere all that it binds is 0. */
  #whereSome(stmt: Stmt): readonly Stmt[] {
    const results = boundBy(stmt);
    const made = results.map((result) => this.#fresh(result.name, result.rep));
    for (const result of results) this.counts.add(atomOf(result));
    const [result] = made;
    const named: Stmt = stmt.kind === "let" && result !== undefined ? { ...stmt, result } : stmt.kind === "choose" ? { ...stmt, results: made } : stmt; // prettier-ignore
    return whereSome(this.loop, results, yieldOf([named], made.map(atomOf)), this.names);
  }

  /** A loop without iterations where the one behind it has none; loops that hand cotangents on as they are may have theirs. */
  #for(stmt: For): readonly Stmt[] {
    if (sameAtom(stmt.count, this.loop.count) || this.counts.has(stmt.count)) return [stmt];
    // Arrays that another loop in front makes have as many elements as that has iterations
    const known = this.counts.known(stmt.count);
    if (known !== null) return [{ ...stmt, count: known }];
    if (
      isPure(stmt) &&
      stmt.arrays.length === 0 &&
      operationsIn(stmt).every(isHarmless) &&
      readsWithin(stmt, this.sizes)
    )
      return [stmt];
    const before: Stmt[] = [];
    const count = this.counts.count(stmt.count, before);
    return [...before, { ...stmt, count }];
  }

  #fresh(stem: string, rep: Rep): Var {
    return { name: this.names.fresh({ stem, suffix: "" }), rep };
  }
}

/** A number that nobody asks for. */
function zero({ kind }: Rep): Atom {
  return kind === "bool" ? { kind, value: false } : kind === "int" ? intAtom(0) : { kind: "real", value: 0 };
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
