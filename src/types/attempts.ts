// What an expression around a mistake may have been meant to be: small changes, the likeliest first. Whether one of them mends the mistake is for inference
// to say (src/types/repairs.ts).

import { sketch } from "../syntax/sketch.js";
import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import { applied, type Attempt, type Call, callsOn, isIn, namesIn, placeholder, variable } from "./calls.js";
import { lambdaAttempts } from "./lambda-attempts.js";
import { type Mismatch, outermost, type Repair, type TypeMistake } from "./mistakes.js";
import { familiarName } from "./suggest.js";

/** How many calls around a mistake are looked at, from the inside. */
const maxCalls = 3;

/** A call with more arguments has too many orders. */
const maxReordered = 4;

/** The changes of what stands on `path`, which leads from the body of a definition to the innermost expression that holds the mistake. */
export function* attemptsFor(mistake: TypeMistake, path: readonly Tree.Expr[]): Generator<Attempt> {
  if (mistake.kind === "noFields") yield* ofMethod(path, mistake.type.kind === "fn");
  if (mistake.kind !== "mismatch" && mistake.kind !== "infiniteType" && mistake.kind !== "notFunction") return;
  const calls = callsOn(path).slice(0, maxCalls);
  if (mistake.kind === "notFunction") {
    const call = calls.find(({ fn }) => fn.span === mistake.calleeSpan);
    if (call === undefined) return;
    yield* lambdaAttempts(call);
    yield* ofSurplus(call, mistake.takes);
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
  if (mistake.kind !== "mismatch" || reason?.kind !== "argument" || call === undefined) return;
  yield* reordered(call);
  // `sqrt xs ! i` lacks parentheses
  if (reason.operator !== "!") yield* forEach(call, reason.position - 1, mistake);
}

function attempt(
  { path }: Pick<Call, "path">,
  kind: Repair["kind"],
  replacement: Tree.Expr,
  rank: number | null = null,
): Attempt {
  return { path, replacement, tells: { kind, text: sketch(replacement) }, rank };
}

/** `i ! xs` and `a ! (i, j)`, `x :: xs` with an array, and `f -x`, which subtracts: the mistake is that of the operation or of an operand. */
function* ofOperation(path: readonly Tree.Expr[], at: Span): Generator<Attempt> {
  const last = path.at(-1);
  if (last === undefined || last.span.start !== at.start || last.span.end !== at.end) return;
  for (const outer of [path, path.slice(0, -1)]) {
    const operation = outer.at(-1);
    if (operation === undefined) return;
    const span = placeholder(operation);
    if (operation.kind === "index" && operation.index.kind === "tuple") {
      const rows = operation.index.items.reduce((array, index): Tree.Expr => ({ ...operation, array, index, span }), operation.array); // prettier-ignore
      yield attempt({ path: outer }, "indexTwice", rows);
    }
    if (operation.kind === "index")
      yield attempt({ path: outer }, "indexed", { ...operation, array: operation.index, index: operation.array, span });
    if (operation.kind !== "binary") continue;
    const { operator, left, right } = operation;
    if (operator === "::") {
      const first: Tree.Expr = { kind: "array", items: [left], span };
      yield attempt({ path: outer }, "appended", applied(variable("append", span), [first, right], span));
    }
    if (operator === "-" && left === last && isAtom(right))
      yield attempt({ path: outer }, "negative", applied(left, [{ kind: "negate", expr: right, span }], span));
  }
}

function isAtom({ kind }: Tree.Expr): boolean {
  return kind === "variable" || kind === "number" || kind === "real" || kind === "field";
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
  const used = namesIn([fn, ...args]);
  const name = ["x", "y", "z", "u", "v", "w"].find((each) => !used.has(each));
  if (name === undefined) return;
  const element = variable(name, span);
  const body = applied(fn, args.map((arg, i) => (i === at ? element : arg)), span); // prettier-ignore
  const param: Tree.Pattern = { kind: "variable", name: { name, span }, span };
  const lambda: Tree.Expr = { kind: "lambda", params: [param], body, spelling: "ascii", span };
  yield attempt(call, "each", applied(map, [lambda, array], span));
}

/** More arguments than the callee takes. */
function* ofSurplus(call: Call, takes: number): Generator<Attempt> {
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
  if (takes === 0 && second === undefined) {
    const times = { operator: "*", spelling: "ascii", operatorSpan: span } as const;
    yield attempt(call, "product", { kind: "binary", left: fn, right: first, ...times, span });
  }
  if (takes === 0 && second !== undefined && args.length === 2) {
    yield attempt(call, "prefix", applied(first, [fn, second], span));
    yield attempt(call, "prefix", applied(first, [second, fn], span));
  }
  const from = Math.max(0, takes - 1);
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
