// What of a definition runs in parallel, in the stage `adjoint`: the sum of what a fork gives, `sum (parBuild n (\i. t))`, as `parSum` and `sum` of `parMap`
// make it, where it is evaluated once. With it the definition is three:
//
//   loss(x) = E[sum (parBuild n (\i. t))]
//
//   lossTasks(x) = n                                          how many tasks there are
//   lossJob(x, first, count) = sum (build count (\j. let i = first + j in t))
//   lossRest(x, total) = E[total]
//
// so that loss(x) = lossRest(x, the sum of lossJob(x, first, count) over any partition of the tasks), and its gradient is that of lossRest in x plus, times
// that in `total`, the sum of those of lossJob. What stands in front of the fork is computed in each of them, as far as it is used there.

import { locatedFn } from "../core/locate.js";
import * as b from "../core/build.js";
import type { Names } from "../core/names.js";
import type { Fn, Param, Term } from "../core/term.js";
import { allTerms } from "../core/traverse.js";
import { copyFn } from "../optimise/copy.js";
import { rewriteUp } from "../optimise/rewrite.js";

/** A definition in parts, and how much each task does. */
export interface ForkSum {
  readonly tasks: Fn;
  readonly job: Fn;
  readonly rest: Fn;
  /** Operations of a task: what a loop repeats counts once. */
  readonly operations: number;
  /** Whether there may be loops in front of the fork, which each job runs again. */
  readonly hasLoopsBefore: boolean;
}

interface Found {
  readonly fork: b.BuildTerm;
  /** A term in the place of the whole, with the bindings around the fork. */
  readonly within: (term: Term) => Term;
  /** The whole, with `total` in the place of the sum. */
  readonly rest: Term;
}

/** The first fork whose sum a definition takes; null where there is none that is evaluated once. `names` are those of the parts. */
export function splitAtSum(
  fn: Fn,
  names: Names,
  called: { readonly tasks: string; readonly job: string; readonly rest: string },
): ForkSum | null {
  const [total, first, count] = [names.fresh("total"), names.fresh("first"), names.fresh("count")];
  const found = search(fn.body, b.variable(total));
  if (found === null) return null;
  const { fork, within, rest } = found;
  const part = (name: string, more: readonly Param[], result: typeof b.int | typeof b.real, body: Term): Fn =>
    copyFn(locatedFn(b.fn(name, [...fn.params, ...more], result, body), fn), name, names);
  return {
    tasks: part(called.tasks, [], b.int, within(fork.size)),
    job: part(
      called.job,
      [b.param(first, b.int), b.param(count, b.int)],
      b.real,
      within(sumOf(fork, first, count, names)),
    ),
    rest: part(called.rest, [b.param(total, b.real)], b.real, rest),
    operations: allTerms(fork.body).filter(({ kind }) => kind === "op").length,
    hasLoopsBefore: allTerms(within(fork.size)).some(({ kind }) => kind === "call" || kind === "app"),
  };
}

/** The sum of so many tasks of a fork, from one on. */
function sumOf(fork: b.BuildTerm, first: string, count: string, names: Names): Term {
  const [go, at, acc, end] = [names.fresh("go"), names.fresh("at"), names.fresh("acc"), names.fresh("end")];
  const plus = (op: "addZ" | "add", left: Term, right: Term): Term => b.op(op, [left, right], null);
  const task = b.letIn(fork.index, b.int, plus("addZ", b.variable(first), b.variable(at)), fork.body);
  const next = b.call(go, [plus("addZ", b.variable(at), b.intLit(1)), plus("add", b.variable(acc), task)]);
  const isDone = b.op("eqZ", [b.variable(at), b.variable(end)], null);
  const body = b.ifThenElse(isDone, b.variable(acc), next);
  const loop = b.fn(go, [b.param(at, b.int), b.param(acc, b.real)], b.real, body);
  const size = b.op("maxZ", [b.intLit(0), b.variable(count)], null);
  return b.letIn(end, b.int, size, b.letRec([loop], b.call(go, [b.intLit(0), b.realLit(0)])));
}

/** The first fork in a term, in the order in which it is evaluated: not in what is evaluated more than once, or perhaps not at all. */
function search(term: Term, total: Term): Found | null {
  switch (term.kind) {
    case "let": {
      const { bound, body } = term;
      const isFork = bound.kind === "build" && bound.inParallel === true && bound.element.kind === "real";
      const rest = isFork ? withoutSum(body, term.name, bound, total) : null;
      if (isFork && rest !== null) return { fork: bound, within: (inner) => inner, rest };
      const before = search(bound, total);
      if (before !== null) return { ...before, rest: { ...term, bound: before.rest } };
      return inside(body, total, (inner) => ({ ...term, body: inner }));
    }
    case "letRec":
      return inside(term.body, total, (inner) => ({ ...term, body: inner }));
    case "case": {
      const before = search(term.scrutinee, total);
      if (before !== null) return { ...before, rest: { ...term, scrutinee: before.rest } };
      const [only, ...others] = term.branches;
      if (only === undefined || others.length > 0) return null;
      return inside(only.body, total, (inner) => ({ ...term, branches: [{ ...only, body: inner }] }));
    }
    case "op":
    case "call":
    case "con":
      return among(term.args, total, (args) => ({ ...term, args }));
    case "tuple":
    case "array":
    case "parallel":
      return among(term.items, total, (items) => ({ ...term, items }));
    case "proj": {
      const found = search(term.tuple, total);
      return found === null ? null : { ...found, rest: { ...term, tuple: found.rest } };
    }
    default:
      return null;
  }
}

function inside(body: Term, total: Term, around: (inner: Term) => Term): Found | null {
  const found = search(body, total);
  if (found === null) return null;
  return { fork: found.fork, within: (inner) => around(found.within(inner)), rest: around(found.rest) };
}

function among(items: readonly Term[], total: Term, around: (items: readonly Term[]) => Term): Found | null {
  for (const [place, item] of items.entries()) {
    const found = search(item, total);
    if (found !== null) return { ...found, rest: around(items.map((each, at) => (at === place ? found.rest : each))) };
  }
  return null;
}

/** A term without the sum of an array, the only thing that it makes of it; null where it makes something else, or nothing. */
function withoutSum(body: Term, array: string, fork: b.BuildTerm, total: Term): Term | null {
  const sums = allTerms(body).filter((term) => isSum(term, array, fork.size));
  const [sum] = sums;
  if (sum === undefined || sums.length > 1) return null;
  const rest = rewriteUp(body, (part) => (part === sum ? total : part));
  return allTerms(rest).some((term) => term.kind === "var" && term.name === array) ? null : rest;
}

/** `let rec go (i, acc) = if i == n then acc else go (i + 1, acc + xs ! i) in go (0, 0)`, where n is the length of xs. */
function isSum(term: Term, array: string, size: Term): boolean {
  if (term.kind !== "letRec" || term.functions.length !== 1 || term.body.kind !== "call") return false;
  const [go] = term.functions;
  const [i, acc] = go?.params ?? [];
  const [zero, start] = term.body.args;
  if (go === undefined || i === undefined || acc === undefined || term.body.fn !== go.name) return false;
  const isVar = (one: Term | undefined, name: string): boolean => one?.kind === "var" && one.name === name;
  const { body } = go;
  const isLoop =
    body.kind === "if" && body.cond.kind === "op" && body.cond.op === "eqZ" && isVar(body.cond.args[0], i.name);
  if (!isLoop || zero?.kind !== "int" || zero.value !== 0 || start?.kind !== "real" || start.value !== 0) return false;
  const end = body.cond.args[1];
  const isEnd = end !== undefined && (isSameAtom(end, size) || (end.kind === "length" && isVar(end.array, array)));
  const next = body.else;
  if (!isEnd || !isVar(body.then, acc.name) || next.kind !== "call" || next.fn !== go.name) return false;
  const [step, added] = next.args;
  const isStep = step?.kind === "op" && step.op === "addZ" && isVar(step.args[0], i.name) && step.args[1]?.kind === "int" && step.args[1].value === 1; // prettier-ignore
  const item = added?.kind === "op" && added.op === "add" && isVar(added.args[0], acc.name) ? added.args[1] : undefined;
  return isStep && item?.kind === "index" && isVar(item.array, array) && isVar(item.index, i.name);
}

function isSameAtom(one: Term, other: Term): boolean {
  if (one.kind === "var") return other.kind === "var" && one.name === other.name;
  return one.kind === "int" && other.kind === "int" && one.value === other.value;
}
