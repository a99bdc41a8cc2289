// Recursion to iteration, of divide and conquer.
//
// A recursion that halves a range of integers, and appends the arrays that it makes of the halves, is a loop over the range:
//
//   go i n s = if n == 1 then S; yield [x], s'
//              else half = div(n, 2); l, m = go(i, half, s); r, e = go(i + half, n - half, m); yield append l r, e
//     =>
//   go i n s = e, [xs] = for j < n (s) { S where i is i + j; yield s', x }; yield xs, e
//
// Of a range without integers the recursion has no end, and the loop makes nothing. The prelude's `scanl` is written so, since a core program has no
// other way to make an array and carry a value at once.

import type { Site } from "../core/term.js";
import { atomOf, intAtom, isVariable, letOf, sameAtom } from "./build.js";
import { Copy } from "./copy.js";
import { FlatNames, isTemporary, type LeafName } from "./naming.js";
import { int, type Atom, type Block, type Operation, type Procedure, type Program, type Rep, type Stmt, type Var } from "./program.js"; // prettier-ignore
import { isPure } from "./pure.js";
import { allNames } from "./traverse.js";

type Call = Stmt & { readonly kind: "call" };
type For = Stmt & { readonly kind: "for" };

/** The program, with the same meaning. `names` are those of the program. */
export function withoutHalving(program: Program, names = new FlatNames(allNames(program))): Program {
  const procedures = program.procedures.map((procedure) => {
    const halving = halvingOf(procedure);
    return halving === null ? procedure : looped(procedure, halving, names);
  });
  return { ...program, procedures };
}

/** What is known of a procedure that halves a range. */
interface Halving {
  readonly first: Var;
  readonly count: Var;
  /** Of the sum where the second half begins. */
  readonly site: Site | null;
  /** What is done at one integer. */
  readonly one: Block;
  /** What it carries on, and its place among the results. */
  readonly carried: readonly { readonly param: Var; readonly result: number }[];
}

function halvingOf(procedure: Procedure): Halving | null {
  const { params, body } = procedure;
  const [test, ...others] = body.stmts;
  if (body.end.kind !== "if" || test?.kind !== "let" || others.length > 0) return null;
  const { then: one, else: more, cond } = body.end;
  const count = params.find((param) => isPrim(test.op, "eqZ", [atomOf(param), intAtom(1)]));
  if (count === undefined || !isVariable(cond, test.result) || one.end.kind !== "yield") return null;
  const ops = operationsOf(more);
  const [left, right, ...calls] = more.stmts.filter((stmt): stmt is Call => stmt.kind === "call");
  if (ops === null || left?.fn !== procedure.name || right?.fn !== procedure.name || calls.length > 0) return null;

  const half = argumentFor(count, left, params);
  const isSum = (sum: Atom | null, param: Var): boolean => half !== null && isPrim(ops(sum), "addZ", [atomOf(param), half]); // prettier-ignore
  const first = params.find((param) => isSum(argumentFor(param, right, params), param));
  if (half === null || first === undefined || !isPrim(ops(half), "divZ", [atomOf(count), intAtom(2)])) return null;
  if (!isPrim(ops(argumentFor(count, right, params)), "subZ", [atomOf(count), half])) return null;

  const carried: { readonly param: Var; readonly result: number }[] = [];
  for (const param of params) {
    const [given, then] = [left, right].map((call) => argumentFor(param, call, params));
    if (given === undefined || then === undefined || given === null || then === null) return null;
    if (param !== count && !isVariable(given, param)) return null;
    if (param === count || param === first || isVariable(then, param)) continue;
    const result = left.results.findIndex((variable) => isVariable(then, variable));
    if (result === -1) return null;
    carried.push({ param, result });
  }
  const isWhole = wholeResults(more, left, right, ops);
  const isCarried = (result: number): boolean => carried.some((each) => each.result === result);
  const isRight = procedure.results.every((_, result) => isWhole(result, isCarried(result)) && (isCarried(result) || singleIn(one, result) !== null)); // prettier-ignore
  const sum = ops(argumentFor(first, right, params));
  // What may fail besides is not left out
  const own = new Set([sum, ops(half), ops(argumentFor(count, right, params))]);
  const isOwn = (stmt: Stmt): boolean => stmt.kind === "call" || stmt.kind === "check" || (stmt.kind === "let" && own.has(stmt.op)); // prettier-ignore
  if (!more.stmts.every((stmt) => isOwn(stmt) || isPure(stmt))) return null;
  return isRight ? { first, count, one, carried, site: sum?.kind === "prim" ? sum.site : null } : null;
}

/** The operations that a block's variables are results of; null where it does something else than halving and appending. */
function operationsOf({ stmts }: Block): ((atom: Atom | null) => Operation | null) | null {
  // Arrays that are appended are not too long: the loop has one array of that length, which would not be either
  const isOther = (stmt: Stmt): boolean => (stmt.kind === "check" ? stmt.check.kind !== "size" : stmt.kind !== "let" && stmt.kind !== "call" && stmt.kind !== "for"); // prettier-ignore
  if (stmts.some(isOther)) return null;
  const ops = new Map(stmts.flatMap((stmt): [string, Operation][] => (stmt.kind === "let" ? [[stmt.result.name, stmt.op]] : []))); // prettier-ignore
  return (atom) => (atom?.kind === "var" ? (ops.get(atom.variable.name) ?? null) : null);
}

/** Whether a result is that of both calls: of the second one, where it is carried from the first to it; both arrays, one after the other, otherwise. */
function wholeResults(
  { stmts, end }: Block,
  left: Call,
  right: Call,
  ops: (atom: Atom | null) => Operation | null,
): (result: number, isCarried: boolean) => boolean {
  const loops = stmts.filter((stmt): stmt is For => stmt.kind === "for");
  const isLengthOf = (atom: Atom | null, call: Call): boolean => {
    const op = ops(atom);
    return op?.kind === "length" && call.results.some((variable) => isVariable(op.array, variable));
  };
  return (result, isCarried) => {
    if (end.kind !== "yield") return false;
    const [value, first, second] = [end.values[result], left.results[result], right.results[result]];
    if (value?.kind !== "var" || first === undefined || second === undefined) return false;
    if (isCarried) return isVariable(value, second);
    const loop = loops.find(({ arrays }) => arrays.some(({ name }) => name === value.variable.name));
    if (loop === undefined || loop.params.length > 0) return false;
    const sum = ops(loop.count);
    if (sum?.kind !== "prim" || sum.op !== "addZ") return false;
    const [before = null, after = null] = sum.args;
    if (before === null || !isLengthOf(before, left) || !isLengthOf(after, right)) return false;
    return isAppending(loop, value.variable, first, second, before);
  };
}

/** Whether an array that a loop makes holds the elements of two others: those of `first`, of which there are `before`, then those of `second`. */
function isAppending({ body, index, arrays }: For, made: Var, first: Var, second: Var, before: Atom): boolean {
  const [test, ...others] = body.stmts;
  if (body.end.kind !== "if" || test?.kind !== "let" || others.length > 0) return false;
  if (!isPrim(test.op, "ltZ", [atomOf(index), before]) || !isVariable(body.end.cond, test.result)) return false;
  const place = arrays.findIndex(({ name }) => name === made.name);
  const cellIn = (block: Block, array: Var): Atom | null => {
    const value = block.end.kind === "yield" ? (block.end.values[place] ?? null) : null;
    const op = operationsOf(block)?.(value) ?? null;
    return op?.kind === "cell" && isVariable(op.array, array) ? op.index : null;
  };
  const [own, other] = [cellIn(body.end.then, first), cellIn(body.end.else, second)];
  const offset = operationsOf(body.end.else)?.(other) ?? null;
  return own !== null && sameAtom(own, atomOf(index)) && isPrim(offset, "subZ", [atomOf(index), before]);
}

/** The element of the array of one element that a block yields; null where it is another array. */
function singleIn({ stmts, end }: Block, result: number): Atom | null {
  const value = end.kind === "yield" ? end.values[result] : undefined;
  if (value?.kind !== "var") return null;
  for (const stmt of stmts) {
    if (stmt.kind !== "let" || stmt.result.name !== value.variable.name || stmt.op.kind !== "array") continue;
    return stmt.op.items.length === 1 ? (stmt.op.items[0] ?? null) : null;
  }
  return null;
}

function looped(procedure: Procedure, { first, count, one, carried, site }: Halving, names: FlatNames): Procedure {
  const fresh = (stem: string, rep: Rep): Var => ({ name: names.fresh({ stem, suffix: "" }), rep });
  const [index, at] = [fresh("i", int), fresh(first.name, int)];
  const params = carried.map(({ param }) => fresh(param.name, param.rep));
  const known = new Map([
    [first.name, atomOf(at)],
    [count.name, intAtom(1)],
    ...carried.flatMap(({ param }, place): [string, Atom][] => {
      const inner = params[place];
      return inner === undefined ? [] : [[param.name, atomOf(inner)]];
    }),
  ]);
  const values = one.end.kind === "yield" ? one.end.values : [];
  const copy = new Copy(carriedNames(carried, values, names), known);
  const stmts = copy.stmts(one.stmts);
  const places = procedure.results.map((_, result) => carried.findIndex((each) => each.result === result));
  const elements = places.flatMap((place, result) => (place === -1 ? [singleIn(one, result) ?? intAtom(0)] : []));
  const nexts = carried.map(({ result }) => values[result] ?? intAtom(0));
  const results = carried.map(({ param }) => fresh(param.name, param.rep));
  const ends = procedure.results.map((rep, result) => results[places[result] ?? -1] ?? fresh("made", rep));
  const loop: Stmt = {
    kind: "for",
    index,
    count: atomOf(count),
    params,
    init: carried.map(({ param }) => atomOf(param)),
    body: {
      stmts: [letOf(at, { kind: "prim", op: "addZ", args: [atomOf(first), atomOf(index)], site }), ...stmts],
      end: { kind: "yield", values: [...nexts, ...elements].map(copy.atom) },
    },
    results,
    arrays: ends.filter((_, result) => places[result] === -1),
  };
  return { ...procedure, body: { stmts: [loop], end: { kind: "yield", values: ends.map(atomOf) } } };
}

/** Names for a copy in which what an iteration carries on is called as what it gets, where it has no better name. */
function carriedNames(
  carried: Halving["carried"],
  values: readonly Atom[],
  names: FlatNames,
): { fresh(name: LeafName): string } {
  const wanted = new Map<string, string>();
  for (const { param, result } of carried) {
    const next = values[result];
    if (next?.kind !== "var" || !isTemporary(next.variable.name)) continue;
    wanted.set(next.variable.name, names.fresh({ stem: param.name, suffix: "" }));
  }
  return { fresh: ({ stem }) => wanted.get(stem) ?? stem };
}

/** What a call gives a parameter. */
function argumentFor(param: Var, { args }: Call, params: readonly Var[]): Atom | null {
  return args[params.indexOf(param)] ?? null;
}

function isPrim(op: Operation | null, name: string, args: readonly Atom[]): boolean {
  return (
    op?.kind === "prim" && op.op === name && op.args.every((arg, place) => sameAtom(arg, args[place] ?? intAtom(0)))
  );
}
