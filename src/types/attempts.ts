// What an expression around a mistake may have been meant to be: small changes, the likeliest first. Whether one of them mends the mistake is for inference
// to say (src/types/repairs.ts).

import type * as Tree from "../syntax/tree.js";
import {
  applied,
  attempt,
  type Attempt,
  type Call,
  callsOn,
  isIn,
  lambdaOver,
  placeholder,
  variable,
} from "./calls.js";
import { arrayFunctions, isList, listFunctions } from "./collections.js";
import { lambdaAttempts } from "./lambda-attempts.js";
import { type Mismatch, outermost, type TypeMistake } from "./mistakes.js";
import { conversions, ofArrays, ofOperation, wrapped } from "./operation-attempts.js";
import { familiarName } from "./suggest.js";

/** How many calls around a mistake are looked at, from the inside. */
const maxCalls = 3;

/** A call with more arguments has too many orders. */
const maxReordered = 4;

/**
 * The changes of what stands on `path`, which leads from the body of a definition to the innermost expression that holds the mistake. `data` are the
 * types that the file declares.
 */
export function* attemptsFor(
  mistake: TypeMistake,
  path: readonly Tree.Expr[],
  data: readonly Tree.DataItem[],
): Generator<Attempt> {
  if (mistake.kind === "noFields") yield* ofMethod(path, mistake.type.kind === "fn");
  if (mistake.kind !== "mismatch" && mistake.kind !== "infiniteType" && mistake.kind !== "notFunction") return;
  const calls = callsOn(path).slice(0, maxCalls);
  if (mistake.kind === "notFunction") {
    const call = calls.find(({ fn }) => fn.span === mistake.calleeSpan);
    if (call === undefined) return;
    yield* lambdaAttempts(call);
    yield* ofSurplus(call, mistake.wantsTuple ? null : mistake.takes);
    return;
  }
  yield* ofOperation(path, mistake.span);
  const reason = mistake.kind === "mismatch" ? outermost(mistake.reason) : null;
  const call =
    reason?.kind === "argument"
      ? calls.find(({ args }) => args.length === reason.given && isIn(mistake.span, args[reason.position - 1]))
      : undefined;
  if (reason?.kind === "argument" && call !== undefined) yield* spread(call, reason.position - 1);
  for (const each of calls) yield* lambdaAttempts(each);
  if (mistake.kind === "mismatch") yield* ofOtherCollection(calls, mistake);
  if (mistake.kind === "mismatch") yield* wrapped(mistake, path, data);
  if (mistake.kind === "mismatch") yield* ofArrays(mistake, path);
  if (mistake.kind === "mismatch" && reason?.kind !== "argument") yield* conversions(mistake, path);
  if (mistake.kind !== "mismatch" || reason?.kind !== "argument" || call === undefined) return;
  yield* reordered(call);
  // `sqrt xs ! i` lacks parentheses
  if (reason.operator !== "!") yield* forEach(call, reason.position - 1, mistake);
}

/** `xs.length` and `xs.map f`, also by a name that the function has elsewhere; `f . g x`, of functions. */
function* ofMethod(path: readonly Tree.Expr[], isComposed: boolean): Generator<Attempt> {
  const [access] = path.slice(-1);
  if (access?.kind !== "field") return;
  const { record, name } = access;
  const span = placeholder(access);
  const [around] = callsOn(path);
  const call = around?.fn === access ? around : { path, fn: access, args: [], span };
  if (isComposed) {
    if (record.kind !== "variable") return;
    const inner = applied(variable(name.name, span), call.args, span);
    yield attempt(call, "composed", applied(record, [inner], span));
    return;
  }
  for (const each of [name.name, familiarName(name.name)]) {
    if (each === null) continue;
    const fn = variable(each, span);
    yield attempt(call, "method", applied(fn, [...call.args, record], span));
    if (call.args.length > 0) yield attempt(call, "method", applied(fn, [record, ...call.args], span));
  }
}

/** `f (x, y)` for a function that takes its arguments one by one. */
function* spread(call: Call, at: number): Generator<Attempt> {
  const { fn, args, span } = call;
  const arg = args[at];
  if (arg?.kind !== "tuple" || arg.items.length < 2) return;
  yield attempt(call, "oneByOne", applied(fn, [...args.slice(0, at), ...arg.items, ...args.slice(at + 1)], span));
}

/** The arguments in all other orders, those first that move the fewest past each other. */
function* reordered(call: Call): Generator<Attempt> {
  const { fn, args, span } = call;
  if (args.length < 2 || args.length > maxReordered) return;
  const orders = permutations(args.map((_, i) => i)).map((order) => ({ order, moved: inversions(order) }));
  orders.sort((a, b) => a.moved - b.moved);
  for (const { order, moved } of orders) {
    if (moved === 0) continue;
    const others = order.flatMap((i) => args[i] ?? []);
    yield attempt(call, "reordered", applied(fn, others, span), moved);
  }
}

function permutations(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item) => permutations(items.filter((each) => each !== item)).map((rest) => [item, ...rest]));
}

function inversions(order: readonly number[]): number {
  return order.reduce((sum, item, i) => sum + order.slice(i + 1).filter((later) => later < item).length, 0);
}

/** The functions on lists in the place of those on arrays, or the other way round: of the innermost call, then of those around it, too. */
function* ofOtherCollection(calls: readonly Call[], { expected, found }: Mismatch): Generator<Attempt> {
  const kind = expected.kind === "array" && isList(found) ? "forLists" : "forArrays";
  if (kind === "forArrays" && !(found.kind === "array" && isList(expected))) return;
  const names = kind === "forLists" ? listFunctions : arrayFunctions;
  let inner: { readonly call: Tree.Expr | undefined; readonly replacement: Tree.Expr } | null = null;
  for (const call of calls) {
    const { path, fn, args, span } = call;
    const other = fn.kind === "variable" ? names.get(fn.name.name) : undefined;
    if (other === undefined || (inner !== null && !args.some((arg) => arg === inner?.call))) return;
    const others: readonly Tree.Expr[] = args.map((arg) =>
      inner !== null && arg === inner.call ? inner.replacement : arg,
    );
    const replacement = applied(variable(other, span), others, span);
    yield attempt(call, kind, replacement);
    inner = { call: path.at(-1), replacement };
  }
}

/** A function of an element where an array stands. */
function* forEach(call: Call, at: number, { found }: Mismatch): Generator<Attempt> {
  const { fn, args, span } = call;
  const array = args[at];
  if (found.kind !== "array" || array === undefined) return;
  const [first, second] = args;
  if (args.length === 2 && first !== undefined && second !== undefined)
    yield attempt(call, "eachPair", applied(variable("zipWith", span), [fn, first, second], span));
  const map = variable("map", span);
  if (at === args.length - 1) {
    const partial = args.length === 1 ? fn : applied(fn, args.slice(0, -1), span);
    yield attempt(call, "each", applied(map, [partial, array], span));
    return;
  }
  const inside = (element: Tree.Expr): Tree.Expr => applied(fn, args.map((arg, i) => (i === at ? element : arg)), span); // prettier-ignore
  const lambda = lambdaOver([fn, ...args], inside, span);
  if (lambda !== null) yield attempt(call, "each", applied(map, [lambda, array], span));
}

/** More arguments than the callee takes; `takes` is null where it takes them as one tuple. */
function* ofSurplus(call: Call, takes: number | null): Generator<Attempt> {
  const { path, fn, args, span } = call;
  const [first, second] = args;
  if (first === undefined) return;
  const outer = path.slice(0, -1);
  const [around] = outer.slice(-1);
  if (takes === 0 && second === undefined && around?.kind === "index" && around.index === path.at(-1)) {
    const row: Tree.Expr = { ...around, index: fn, span };
    yield attempt({ path: outer }, "indexTwice", { ...around, array: row, index: first, span });
    return;
  }
  if (takes === 0 && second === undefined && first.kind === "tuple" && first.items.length === 0)
    yield attempt(call, "constant", fn);
  if (takes === 0 && around?.kind === "array") {
    const items = around.items.flatMap((item) => (item === path.at(-1) ? [fn, ...args] : [item]));
    yield attempt({ path: outer }, "commas", { ...around, items, span });
    return;
  }
  if (takes === 0) {
    const times = { kind: "binary", operator: "*", spelling: "ascii", operatorSpan: span, span } as const;
    const product = args.reduce((left, right): Tree.Expr => ({ ...times, left, right }), fn);
    yield attempt(call, "product", product);
  }
  if (takes === 0 && second !== undefined && args.length === 2) {
    yield attempt(call, "prefix", applied(first, [fn, second], span));
    yield attempt(call, "prefix", applied(first, [second, fn], span));
  }
  if (takes === 0) yield attempt(call, "commas", { kind: "tuple", items: [fn, ...args], span });
  if (fn.kind === "variable" && fn.name.name === "map" && args.length === 3)
    yield attempt(call, "eachPair", applied(variable("zipWith", span), args, span));
  const size = args.length / Math.max(1, takes ?? 0);
  if (takes !== null && takes > 1 && Number.isInteger(size)) {
    const tuples = Array.from({ length: takes }, (_, i): Tree.Expr => {
      return { kind: "tuple", items: args.slice(i * size, (i + 1) * size), span };
    });
    yield attempt(call, "tuples", applied(fn, tuples, span));
  }
  const from = Math.max(0, (takes ?? 0) - 1);
  if (args.length - from > 1) {
    const items = args.slice(from);
    yield attempt(call, "oneTuple", applied(fn, [...args.slice(0, from), { kind: "tuple", items, span }], span));
  }
  for (const [i, inner] of args.entries()) {
    if (inner.kind !== "variable" && inner.kind !== "constructor") continue;
    for (let end = args.length; end > i + 1; end -= 1) {
      const nested = applied(inner, args.slice(i + 1, end), span);
      yield attempt(call, "nested", applied(fn, [...args.slice(0, i), nested, ...args.slice(end)], span));
    }
  }
}
