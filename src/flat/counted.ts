// Loops that count: an integer goes up or down by 1 each iteration, and a comparison with what does not change in the loop ends it.
//
//   loop (i = a, p = s) { c = i == n; if c then E else { B; next i + 1, p' } }
//     =>   for i < n (p = s) { B; yield p' }; E        where a is 0

import { atomOf, intAtom, letOf, sameAtom } from "./build.js";
import type { FlatNames } from "./naming.js";
import type { Relation } from "../core/primitives.js";
import { int, type Atom, type Block, type End, type Operation, type Stmt, type Var } from "./program.js";
import { comparisonOf } from "./ranges.js";
import { atomsOf, boundBy, endsOf, mapEnds } from "./traverse.js";

type Loop = Stmt & { readonly kind: "loop" };
type For = Stmt & { readonly kind: "for" };

/** The operations of variables, by name. */
export type Definitions = ReadonlyMap<string, Operation>;

/** A loop as one that counts, followed by the block with which it ended. */
export interface Counted {
  readonly before: readonly Stmt[];
  readonly loop: For;
  /** What is computed behind the loop for `renamed`. */
  readonly after: readonly Stmt[];
  readonly exit: Block;
  /** What the variables of the loop are in `exit`, by name. */
  readonly renamed: ReadonlyMap<string, Atom>;
  /** The condition that ended it: the value that it has in `exit`; in the loop it has the other one. */
  readonly condition: { readonly name: string; readonly value: boolean };
  /** The variables for the next number: counting does not fail. */
  readonly steps: readonly string[];
}

/** A loop without the parameters that every iteration passes on as they are. */
export interface Trimmed<L extends Loop | For> {
  readonly loop: L;
  /** What those parameters are, and their last values, by name. */
  readonly same: ReadonlyMap<string, Atom>;
}

/** `isSame(value, param, start)`: whether a value that an iteration hands on for a parameter, which is `start` at first, is the parameter's own. */
export function trimmed<L extends Loop | For>(
  loop: L,
  isSame: (value: Atom, param: Var, start: Atom) => boolean,
): Trimmed<L> {
  const iterates = loop.kind === "for" ? "yield" : "next";
  const iterations = [...endsOf(loop.body)].filter((end) => end.kind === iterates);
  const same = new Map<string, Atom>();
  const stays = loop.params.map((param, index) => {
    const [start, last] = [loop.init[index], loop.kind === "for" ? loop.results[index] : undefined];
    if (start === undefined) return true;
    const changes = iterations.some(({ values }) => {
      const value = values[index];
      return value === undefined || !isSame(value, param, start);
    });
    if (changes) return true;
    for (const variable of [param, last]) if (variable !== undefined) same.set(variable.name, start);
    return false;
  });
  if (same.size === 0) return { loop, same };
  const kept = <T>(list: readonly T[]): readonly T[] => list.filter((_, index) => stays[index] !== false);
  const body = mapEnds(loop.body, (end) => (end.kind === iterates ? { ...end, values: kept(end.values) } : end));
  const results = loop.kind === "for" ? kept(loop.results) : loop.results;
  return { loop: { ...loop, params: kept(loop.params), init: kept(loop.init), body, results }, same };
}

/** How a loop counts. */
interface Counter {
  /** Which parameter counts, from where, up (1) or down (-1), to what. */
  readonly position: number;
  readonly start: Atom;
  readonly step: Step;
  readonly limit: Atom;
  /** The loop ends at the limit exactly, at or beyond it, or beyond it. */
  readonly until: "at" | "atOrBeyond" | "beyond";
  /** What the head of the loop does besides the comparison. */
  readonly head: readonly Stmt[];
  readonly condition: Counted["condition"];
  readonly exit: Block;
  readonly body: Block;
}

type Step = 1 | -1;

/**
 * The loop as one that counts; null where it does not. `reaches(a, n, step)` says whether it is known that counting from `a` by steps of 1 or -1
 * gets to `n`.
 */
export function counted(
  loop: Loop,
  definitions: Definitions,
  names: FlatNames,
  reaches: (start: Atom, limit: Atom, step: Step) => boolean,
): Counted | null {
  const counter = counterOf(loop, definitions);
  if (counter === null) return null;
  const { position, start, step, limit, until, exit } = counter;
  const isReached = reaches(start, limit, step);
  const param = loop.params[position];
  if (param === undefined || (until === "at" && !isReached)) return null;

  const before = [...counter.head];
  const compute = (stem: string, op: OfIntegers, left: Atom, right: Atom, out: Stmt[]): Atom => {
    const value = folded(op, left, right);
    if (value !== null) return value;
    const result: Var = { name: names.fresh({ stem, suffix: "" }), rep: int };
    out.push(letOf(result, { kind: "prim", op, args: [left, right], site: null }));
    return atomOf(result);
  };
  // Where the iteration at the limit is done, too, the limit is one further
  const further = until === "beyond" ? step : 0;
  const shift = limit.kind === "int" ? { start: 0, limit: further } : { start: -further, limit: 0 };
  const isShifted = further === 0 || limit.kind === "int" || start.kind === "int";
  const from = start.kind === "int" ? intAtom(start.value + shift.start) : start;
  const to = limit.kind === "int" ? intAtom(limit.value + shift.limit) : limit;
  // The step beyond the last integer fails
  if (![from, to].every(isSafe)) return null;
  const extent = step === 1 ? compute("count", "subZ", to, from, before) : compute("count", "subZ", from, to, before);
  const count = isShifted ? extent : compute("count", "addZ", extent, intAtom(1), before);

  // Where the count begins at 0, the variable of the source is the index
  const isIndex = step === 1 && start.kind === "int" && start.value === 0;
  const index: Var = isIndex ? param : { name: names.fresh({ stem: param.name, suffix: "" }), rep: int };
  const place: Operation = { kind: "prim", op: step === 1 ? "addZ" : "subZ", args: [start, atomOf(index)], site: null };
  const kept = <T>(list: readonly T[]): readonly T[] => list.filter((_, at) => at !== position);
  const iterations = mapEnds(counter.body, ({ values }): End => ({ kind: "yield", values: kept(values) }));
  const body: Block = isIndex ? iterations : { stmts: [letOf(param, place), ...iterations.stmts], end: iterations.end };

  const params = kept(loop.params);
  const results = resultsOf(params, loop, exit, names);
  const after: Stmt[] = [];
  const last = further === 0 ? limit : compute(param.name, step === 1 ? "addZ" : "subZ", limit, intAtom(1), after);
  const end = isReached ? last : compute(param.name, step === 1 ? "maxZ" : "minZ", start, last, after);
  const ends = params.map((one, at): readonly [string, Atom] => [one.name, atomOf(results[at] ?? one)]);
  return {
    before,
    loop: { kind: "for", index, count, params, init: kept(loop.init), body, results, arrays: loop.arrays },
    after,
    exit,
    renamed: new Map([...ends, [param.name, end]]),
    condition: counter.condition,
    steps: [...endsOf(counter.body)].flatMap(({ values }) => namesIn(values[position])),
  };
}

function isSafe(atom: Atom): boolean {
  return atom.kind !== "int" || Number.isSafeInteger(atom.value);
}

function namesIn(atom: Atom | undefined): readonly string[] {
  return atom?.kind === "var" ? [atom.variable.name] : [];
}

type OfIntegers = "addZ" | "subZ" | "minZ" | "maxZ";

function folded(op: OfIntegers, left: Atom, right: Atom): Atom | null {
  if (right.kind === "int" && right.value === 0 && (op === "addZ" || op === "subZ")) return left;
  if (left.kind !== "int" || right.kind !== "int") return null;
  const [x, y] = [left.value, right.value];
  const value = { addZ: x + y, subZ: x - y, minZ: Math.min(x, y), maxZ: Math.max(x, y) }[op];
  return Number.isSafeInteger(value) ? intAtom(value) : null;
}

/** Variables for the last values of a loop's parameters: those of the loop's results that are just these. */
function resultsOf(params: readonly Var[], loop: Loop, exit: Block, names: FlatNames): readonly Var[] {
  const yielded = exit.end.kind === "yield" ? exit.end.values : [];
  return params.map((param) => {
    const at = yielded.findIndex((value) => sameAtom(value, atomOf(param)));
    return loop.results[at] ?? { name: names.fresh({ stem: param.name, suffix: "" }), rep: param.rep };
  });
}

function counterOf({ params, init, body }: Loop, definitions: Definitions): Counter | null {
  const { end } = body;
  if (end.kind !== "if" || end.cond.kind !== "var") return null;
  const { name } = end.cond.variable;
  const isCondition = (stmt: Stmt): boolean => stmt.kind === "let" && stmt.result.name === name;
  const definition = body.stmts.some(isCondition) ? definitions.get(name) : undefined;
  const comparison = definition === undefined ? null : comparisonOf(definition);
  if (comparison === null) return null;

  const [thenGoesOn, elseGoesOn] = [goesOn(end.then), goesOn(end.else)];
  if (thenGoesOn === null || elseGoesOn === null || thenGoesOn === elseGoesOn) return null;
  const exit = thenGoesOn ? end.else : end.then;
  const rest = thenGoesOn ? end.then : end.else;

  const varying = new Set([...params.map((param) => param.name), name]);
  const varies = (atom: Atom): boolean => atom.kind === "var" && varying.has(atom.variable.name);
  const head = body.stmts.filter((stmt) => !isCondition(stmt));
  const isFixed = head.every((stmt) => (stmt.kind === "let" || stmt.kind === "check") && !atomsOf(stmt).some(varies));
  const bound = new Set(head.flatMap(boundBy).map((one) => one.name));
  const isParam = (atom: Atom): boolean => varies(atom) && !(atom.kind === "var" && bound.has(atom.variable.name));
  const { left, right } = comparison;
  if (!isFixed || isParam(left) === isParam(right)) return null;

  const [counting, limit] = isParam(left) ? [left, right] : [right, left];
  const position = params.findIndex((param) => sameAtom(atomOf(param), counting));
  const start = init[position];
  const step = stepOf(counting, position, rest, definitions);
  if (start === undefined || step === null) return null;
  const sides = isParam(left) ? comparison.relation : mirrored[comparison.relation];
  const until = untilOf(thenGoesOn ? negated[sides] : sides, step);
  if (until === null) return null;
  return { position, start, step, limit, until, head, condition: { name, value: !thenGoesOn }, exit, body: rest };
}

/** Whether a block ends in another iteration, always or never; null where that depends. */
function goesOn(block: Block): boolean | null {
  const kinds = new Set([...endsOf(block)].map(({ kind }) => kind));
  return kinds.size === 1 ? kinds.has("next") : null;
}

/** What each iteration adds to a parameter, if that is always 1 or always -1. */
function stepOf(param: Atom, position: number, body: Block, definitions: Definitions): Step | null {
  const steps = new Set<Step | null>();
  for (const { values } of endsOf(body)) {
    const value = values[position];
    const op = value?.kind === "var" ? definitions.get(value.variable.name) : undefined;
    steps.add(op?.kind === "prim" ? added(op.op, op.args, param) : null);
  }
  const [step = null] = steps;
  return steps.size === 1 ? step : null;
}

function added(op: string, [left, right]: readonly Atom[], param: Atom): Step | null {
  if (left === undefined || right === undefined) return null;
  const [base, by] = op === "addZ" && sameAtom(right, param) ? [right, left] : [left, right];
  if ((op !== "addZ" && op !== "subZ") || !sameAtom(base, param) || by.kind !== "int") return null;
  const step = op === "addZ" ? by.value : -by.value;
  return step === 1 || step === -1 ? step : null;
}

const negated: Readonly<Record<Relation, Relation>> = { eq: "ne", ne: "eq", lt: "ge", ge: "lt", gt: "le", le: "gt" };
const mirrored: Readonly<Record<Relation, Relation>> = { eq: "eq", ne: "ne", lt: "gt", ge: "le", gt: "lt", le: "ge" };

/** What a comparison of the counting variable with the limit, which ends the loop, says of where it ends. */
function untilOf(relation: Relation, step: Step): Counter["until"] | null {
  switch (relation) {
    case "eq":
      return "at";
    case "ne":
      return null;
    case "ge":
      return step === 1 ? "atOrBeyond" : null;
    case "gt":
      return step === 1 ? "beyond" : null;
    case "le":
      return step === -1 ? "atOrBeyond" : null;
    case "lt":
      return step === -1 ? "beyond" : null;
  }
}
