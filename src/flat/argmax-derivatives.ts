// The derivative of an argmax-like loop (the subgradient of a maximum, as reverse mode takes it).
//
// Of a number that a loop carries, and that each iteration either keeps or replaces by one that has nothing to do with it, the derivative is that of what the
// last iteration has replaced it by: a maximum has the derivative of its largest element. The loop says which iteration that was.
//
//   r = for i < n (m = u) { x = ..i..; t = x > m; m' = if t then { yield x } else { yield m }; yield m' }
//     =>   r', at = for i < n (m = u, last = -1) { ..; m', last' = if t then { yield x, i } else { yield m, last }; yield m', last' }
//          some = at >= 0; from = if some then { x = ..at..; yield x } else { yield u }
//          r = r' with the derivative of from
//
// Several numbers may be replaced together, in one of several ways: then the loop says in which way, too. Nothing but tests may use them in the loop.

import { InternalError } from "../internal-error.js";
import { atomOf, intAtom, isScalar, isVariable, letOf, yieldOf } from "./build.js";
import { Copy } from "./copy.js";
import { freeVariables } from "./free-variables.js";
import { FlatNames } from "./naming.js";
import { bool, int, type Atom, type Block, type End, type Operation, type Program, type Stmt, type Var } from "./program.js"; // prettier-ignore
import { isPure } from "./pure.js";
import { withLoopsRewritten, type For } from "./rewrite-loops.js";
import { allNames, allStmts, blocksOf, boundBy, branchesOf, mapBlocks, mapEnds, operands } from "./traverse.js";
import { usefulIn } from "./useful.js";

/** The program, with the same meaning. `names` are those of the program. */
export function withSelections(program: Program, names = new FlatNames(allNames(program))): Program {
  return withLoopsRewritten(program, (loop) => (loop.kind === "for" ? selected(loop, names) : null));
}

/** A choice in an iteration, or one that says what an operation of the iteration has done. */
interface Choice {
  /** Which statement of the iteration makes the choice, or what it tells of. */
  readonly at: number;
  /** What the choice is made by, where the iteration has no such choice. */
  readonly before: readonly Stmt[];
  readonly end: End;
  readonly results: readonly Var[];
  /** The numbers that the loop carries on from it. */
  readonly selections: readonly Selection[];
}

interface Selection {
  /** The place among the parameters of the loop. */
  readonly place: number;
  /** The place among the values of the choice. */
  readonly position: number;
}

/** A way through a choice: its end, and all that has been done in the iteration by then. */
interface Way {
  readonly end: End & { readonly kind: "yield" };
  readonly stmts: readonly Stmt[];
}

/** What stands for a loop that selects numbers; null for other loops. `done`: the places of those that it says already how it has selected them. */
function selected(loop: For, names: FlatNames, done: ReadonlySet<number> = new Set()): readonly Stmt[] | null {
  if (!loop.params.some(({ rep }, place) => rep.kind === "real" && !done.has(place))) return null;
  for (const choice of choicesOf(loop, names)) {
    const selections = grouped(loop, choice, done);
    if (selections.length === 0) continue;
    const { telling, behind } = rewritten(loop, { ...choice, selections }, names);
    const others = selected(telling, names, new Set([...done, ...selections.map(({ place }) => place)]));
    return [...(others ?? [telling]), ...behind];
  }
  return null;
}

function* choicesOf({ body, params }: For, names: FlatNames): Generator<Choice, void, undefined> {
  const { end, stmts } = body;
  if (end.kind !== "yield") return;
  for (const [at, stmt] of stmts.entries()) {
    if (stmt.kind === "choose") {
      const { results } = stmt;
      const selections = params.flatMap(({ rep }, place): Selection[] => {
        const position = results.findIndex((result) => isVariable(end.values[place], result));
        return rep.kind === "real" && position !== -1 ? [{ place, position }] : [];
      });
      yield { at, before: [], end: stmt.end, results, selections };
    } else if (stmt.kind === "let") {
      const place = params.findIndex((param, index) => isVariable(end.values[index], stmt.result) && isOperand(stmt.op, param)); // prettier-ignore
      const choice = place === -1 ? null : extremum(stmt.op, names);
      if (choice !== null) yield { at, ...choice, results: [], selections: [{ place, position: 0 }] };
    }
  }
}

function isOperand(op: Operation, variable: Var): boolean {
  return operands(op).some((atom) => isVariable(atom, variable));
}

/** Which of two numbers has the derivative of the larger or smaller one. */
function extremum(op: Operation, names: FlatNames): Pick<Choice, "before" | "end"> | null {
  if (op.kind !== "prim" || (op.op !== "max" && op.op !== "min")) return null;
  const isFirst: Var = { name: names.fresh({ stem: "isFirst", suffix: "" }), rep: bool };
  const [then, otherwise] = op.args.map((arg) => yieldOf([], [arg]));
  if (then === undefined || otherwise === undefined) return null;
  return {
    before: [letOf(isFirst, { kind: "prim", op: op.op === "max" ? "ge" : "le", args: op.args, site: null })],
    end: { kind: "if", cond: atomOf(isFirst), then, else: otherwise },
  };
}

/** Those of a choice's numbers that it selects, all of them in the same ways. */
function grouped(loop: For, choice: Choice, done: ReadonlySet<number>): readonly Selection[] {
  let pattern: string | null = null;
  const alike = choice.selections.filter((selection) => {
    const own = done.has(selection.place) ? null : patternOf(loop, choice, selection);
    pattern ??= own;
    return own !== null && own === pattern;
  });
  for (let group = alike; ;) {
    const places = new Set([...done, ...group.map(({ place }) => place)]);
    const useful = usefulIn(loop.body, (position) => (places.has(position) ? (loop.params[position] ?? "useful") : "useful")); // prettier-ignore
    const left = group.filter(({ place }) => !useful.has(loop.params[place]?.name ?? ""));
    if (left.length === group.length) return group;
    group = left;
  }
}

/** Which ways replace a number, as text; null where one of them does neither that nor keep it, or none replaces it. */
function patternOf(loop: For, choice: Choice, { place, position }: Selection): string | null {
  const param = loop.params[place];
  if (param === undefined) return null;
  let text = "";
  for (const { end, stmts } of waysOf(loop, choice)) {
    const value = end.values[position];
    const isKept = isVariable(value, param);
    if (!isKept && (value === undefined || sliceOf(stmts, [value], loop) === null)) return null;
    text += isKept ? "k" : "r";
  }
  return text.includes("r") && text.includes("k") ? text : null;
}

function waysOf({ body }: For, { at, end }: Choice): readonly Way[] {
  const visit = (current: End, stmts: readonly Stmt[]): readonly Way[] =>
    current.kind === "yield"
      ? [{ end: current, stmts }]
      : branchesOf(current).flatMap((block) => visit(block.end, [...stmts, ...block.stmts]));
  return visit(end, body.stmts.slice(0, at));
}

/**
 * Those of some statements that compute values in any iteration, where it is known that they do not fail; null where that takes more than numbers, or what the
 * loop carries.
 */
function sliceOf(stmts: readonly Stmt[], values: readonly Atom[], { params }: For): readonly Stmt[] | null {
  const wanted = new Set(values.flatMap((value) => (value.kind === "var" ? [value.variable.name] : [])));
  const slice: Stmt[] = [];
  for (const stmt of stmts.toReversed()) {
    if (!boundBy(stmt).some(({ name }) => wanted.has(name))) continue;
    const again = withoutFailures(stmt);
    if (!isPure(again) || !isOfNumbers(again)) return null;
    slice.push(again);
    for (const { name } of freeVariables(yieldOf([again], []))) wanted.add(name);
  }
  return params.some(({ name }) => wanted.has(name)) ? null : slice.toReversed();
}

/** A statement that is known not to fail. */
function withoutFailures(stmt: Stmt): Stmt {
  const inner = ({ stmts, end }: Block): Block => ({
    stmts: stmts.filter(({ kind }) => kind !== "check").map(withoutFailures),
    end: mapBlocks(end, inner),
  });
  switch (stmt.kind) {
    case "let":
      return stmt.op.kind === "prim" ? { ...stmt, op: unfailing(stmt.op) } : stmt;
    case "choose":
      return { ...stmt, end: mapBlocks(stmt.end, inner) };
    case "for":
      return { ...stmt, body: inner(stmt.body) };
    default:
      return stmt;
  }
}

function unfailing(op: Operation & { readonly kind: "prim" }): Operation {
  const [length] = op.args;
  return op.op === "sameLength" && length !== undefined ? { kind: "copy", value: length } : { ...op, site: null };
}

/** Whether a statement computes numbers, or reads what is there, and makes nothing. */
function isOfNumbers(stmt: Stmt): boolean {
  const made = ["array", "object", "closure"];
  if (stmt.kind === "let") return !made.includes(stmt.op.kind);
  return boundBy(stmt).every(({ rep }) => isScalar(rep)) && blocksOf(stmt).every((block) => allStmts(block).every(isOfNumbers)); // prettier-ignore
}

/** The loop, which says what it selects, and what that is. */
function rewritten(
  loop: For,
  choice: Choice,
  names: FlatNames,
): { readonly telling: For; readonly behind: readonly Stmt[] } {
  const like = ({ name, rep }: Var): Var => ({ name: names.fresh({ stem: name, suffix: "" }), rep });
  const isSelected = (place: number): boolean => choice.selections.some((each) => each.place === place);
  const ways = waysOf(loop, choice).filter((way) => !isKeeping(loop, way, choice));
  // Of a sole way it need not be said that it was taken
  const [last, ...way] = ways.length === 1 ? [lastIteration] : [lastIteration, wayTaken];
  const told = [last, ...way].map((each) => like(each));
  const results = loop.results.map((result, place) => (isSelected(place) ? like(result) : result));
  const [at, wayAt] = told;
  if (at === undefined) throw new InternalError("argmax-derivatives", "a loop does not say what it selects");

  const origins = choice.selections.map(({ place }) => like(loop.results[place] ?? lastIteration));
  const some: Var = { name: names.fresh({ stem: "some", suffix: "" }), rep: bool };
  const kept = yieldOf([], choice.selections.map(({ place }) => loop.init[place] ?? intAtom(0))); // prettier-ignore
  const blocks = ways.map((each): Block => {
    const values = choice.selections.flatMap(({ position }) => each.end.values.slice(position, position + 1));
    const copy = new Copy(names, new Map([[loop.index.name, atomOf(at)]]));
    return copy.block(yieldOf(sliceOf(each.stmts, values, loop) ?? [], values));
  });
  const replaced = chosen(wayAt ?? at, blocks, names);
  const known = loop.results.flatMap((result, place): Stmt[] => {
    const origin = origins[choice.selections.findIndex((each) => each.place === place)];
    return origin === undefined ? [] : [letOf(result, { kind: "known", value: atomOf(results[place] ?? result), from: atomOf(origin) })]; // prettier-ignore
  });
  const behind: readonly Stmt[] = [
    letOf(some, { kind: "prim", op: "geZ", args: [atomOf(at), intAtom(0)], site: null }),
    { kind: "choose", results: origins, end: { kind: "if", cond: atomOf(some), then: replaced, else: kept } },
    ...known,
  ];
  return { telling: telling(loop, choice, { ways, told, results }, like), behind };
}

const lastIteration: Var = { name: "last", rep: int };
const wayTaken: Var = { name: "way", rep: int };

function isKeeping({ params }: For, { end }: Way, { selections }: Choice): boolean {
  return selections.every(({ place, position }) => isVariable(end.values[position], params[place] ?? lastIteration));
}

/** The loop with results that say which iteration has replaced numbers last, -1 if none has, and in which way. */
function telling(
  loop: For,
  choice: Choice,
  {
    ways,
    told,
    results,
  }: { readonly ways: readonly Way[]; readonly told: readonly Var[]; readonly results: readonly Var[] },
  like: (variable: Var) => Var,
): For {
  const { stmts, end } = loop.body;
  if (end.kind !== "yield") return loop;
  const [params, next] = [told.map(like), told.map(like)];
  // What an operation has done is told by a choice of its own
  const isOwn = choice.results.length === 0;
  const ended = (inner: End): End => {
    if (inner.kind !== "yield") return inner;
    const way = ways.findIndex((each) => each.end === inner);
    const values = way === -1 ? params.map(atomOf) : [atomOf(loop.index), intAtom(way)].slice(0, told.length);
    return { ...inner, values: [...(isOwn ? [] : inner.values), ...values] };
  };
  const telling: Stmt = { kind: "choose", results: [...choice.results, ...next], end: mapEnds({ stmts: [], end: choice.end }, ended).end }; // prettier-ignore
  const count = loop.params.length;
  return {
    ...loop,
    params: [...loop.params, ...params],
    init: [...loop.init, ...told.map((_, place) => intAtom(place === 0 ? -1 : 0))],
    body: yieldOf(
      [...stmts.slice(0, choice.at), ...choice.before, telling, ...stmts.slice(isOwn ? choice.at : choice.at + 1)],
      [...end.values.slice(0, count), ...next.map(atomOf), ...end.values.slice(count)],
    ),
    results: [...results, ...told],
  };
}

/** The block of the way that the last iteration which replaced numbers went. */
function chosen(way: Var, [first, ...others]: readonly Block[], names: FlatNames, place = 0): Block {
  if (first === undefined) throw new InternalError("argmax-derivatives", "nothing is replaced");
  if (others.length === 0) return first;
  const isThis: Var = { name: names.fresh({ stem: "isThis", suffix: "" }), rep: bool };
  const test = letOf(isThis, { kind: "prim", op: "eqZ", args: [atomOf(way), intAtom(place)], site: null });
  return { stmts: [test], end: { kind: "if", cond: atomOf(isThis), then: first, else: chosen(way, others, names, place + 1) } }; // prettier-ignore
}
