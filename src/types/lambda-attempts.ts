// What a lambda that is an argument may have been meant to be: with other parameters, or given to another function.

import { sketch } from "../syntax/sketch.js";
import { joinSpans } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import { applied, type Attempt, type Call, namesIn, placeholder, variable } from "./calls.js";

type Lambda = Extract<Tree.Expr, { kind: "lambda" }>;

/** A variable that means nothing, and has whatever type fits: where a value comes from that the program does not say. */
export const unknownName = "?";

/** Parameters that may be missing. */
const maxMissing = 2;
/** A lambda with more parameters is left alone. */
const maxParams = 4;

export function* lambdaAttempts(call: Call): Generator<Attempt> {
  for (const [i, arg] of call.args.entries()) {
    if (arg.kind !== "lambda" || arg.params.length > maxParams) continue;
    yield* otherParameters(call, i, arg);
    yield* otherCallee(call, i, arg);
    yield* otherCount(call, i, arg);
  }
}

function replaced({ fn, args, span }: Call, at: number, lambda: Tree.Expr): Tree.Expr {
  return applied(fn, args.map((arg, i) => (i === at ? lambda : arg)), span); // prettier-ignore
}

/** A tuple for several parameters, several for a tuple, and two in the other order. */
function* otherParameters(call: Call, at: number, lambda: Lambda): Generator<Attempt> {
  const { path } = call;
  const { params } = lambda;
  const [first, second] = params;
  const span = placeholder(lambda);
  if (first?.kind === "tuple" && params.length === 1 && first.items.length > 1) {
    const other: Lambda = { ...lambda, params: first.items };
    yield {
      path,
      replacement: replaced(call, at, other),
      tells: { kind: "severalParameters", text: sketch(other) },
      rank: null,
    };
  }
  if (first === undefined || second === undefined) return;
  const together: Lambda = { ...lambda, params: [{ kind: "tuple", items: params, span }] };
  yield {
    path,
    replacement: replaced(call, at, together),
    tells: { kind: "tupleParameter", text: sketch(together) },
    rank: null,
  };
  if (params.length > 2) return;
  const turned: Lambda = { ...lambda, params: [second, first] };
  yield {
    path,
    replacement: replaced(call, at, turned),
    tells: { kind: "turnedParameters", text: sketch(turned) },
    rank: null,
  };
}

/** `map` of an index and an element, and an array of arrays in one `build`. */
function* otherCallee(call: Call, at: number, lambda: Lambda): Generator<Attempt> {
  const { path, fn, args, span } = call;
  const name = fn.kind === "variable" ? fn.name.name : "";
  if (name === "map" && lambda.params.length === 2) {
    const replacement = applied(variable("mapi", span), args, span);
    yield { path, replacement, tells: { kind: "indexToo", text: sketch(replacement) }, rank: null };
  }
  const [rows, columns] = args;
  const [i, j] = lambda.params;
  if (name !== "build" || at === 0 || rows === undefined || i === undefined || j === undefined) return;
  const twice = (length: Tree.Expr): Tree.Expr => {
    const row = applied(fn, [length, { ...lambda, params: [j] }], span);
    return applied(fn, [rows, { ...lambda, params: [i], body: row }], span);
  };
  const isGiven = at === 2 && columns !== undefined;
  const replacement = twice(isGiven ? columns : { kind: "number", text: "1", span });
  const text = sketch(isGiven ? replacement : twice(variable("..", span)));
  yield { path, replacement, tells: { kind: "buildTwice", text }, rank: null };
}

/** More parameters, and fewer. */
function* otherCount(call: Call, at: number, lambda: Lambda): Generator<Attempt> {
  const { path, fn } = call;
  const { params, body } = lambda;
  const [first] = params;
  const last = params.at(-1);
  if (first === undefined || last === undefined) return;
  const span = placeholder(lambda);
  const has = params.length;
  const callee = fn.kind === "variable" ? fn.name.name : null;
  const mistake = { kind: "lambdaParameters", span: joinSpans(first.span, last.span), has, callee } as const;
  for (let more = 1; more <= maxMissing; more += 1) {
    const wildcards = Array.from({ length: more }, (): Tree.Pattern => ({ kind: "wildcard", span }));
    const other: Lambda = { ...lambda, params: [...params, ...wildcards] };
    const tells = { ...mistake, wants: has + more, text: sketch(other) };
    yield { path, replacement: replaced(call, at, other), tells, rank: null };
  }
  if (has === 1) return;
  const used = namesIn([body]);
  const isUsed = (param: Tree.Pattern): boolean =>
    param.kind !== "wildcard" && (param.kind !== "variable" || used.has(param.name.name));
  const without = (param: Tree.Pattern): readonly Tree.Pattern[] => params.filter((other) => other !== param);
  for (const param of params.filter((each) => !isUsed(each)).reverse()) {
    const other: Lambda = { ...lambda, params: without(param) };
    yield {
      path,
      replacement: replaced(call, at, other),
      tells: { ...mistake, wants: has - 1, text: sketch(other) },
      rank: null,
    };
  }
  for (const param of params.filter(isUsed)) {
    const bound = variable(unknownName, span);
    const other: Lambda = {
      ...lambda,
      params: without(param),
      body: { kind: "let", pattern: param, bound, body, span },
    };
    yield {
      path,
      replacement: replaced(call, at, other),
      tells: { ...mistake, wants: has - 1, text: null },
      rank: null,
    };
  }
}
