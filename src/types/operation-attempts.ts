// What an operation, or an operand, may have been meant to be.

import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import { applied, attempt, type Attempt, lambdaOver, placeholder, variable } from "./calls.js";
import type { Mismatch } from "./mistakes.js";

type Binary = Extract<Tree.Expr, { kind: "binary" }>;

/** Of these several may fit, and then none is told. */
const conversionRank = 1_000;
const wrapperRank = 1_001;

/** `i ! xs` and `a ! (i, j)`, `x :: xs` with an array, and `f -x`, which subtracts: the mistake is that of the operation or of an operand. */
export function* ofOperation(path: readonly Tree.Expr[], at: Span): Generator<Attempt> {
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
    if (operation.kind === "negate")
      yield* overElements(outer, operation.expr, (expr) => ({ ...operation, expr, span }), span);
    if (operation.kind !== "binary") continue;
    yield* elementwise(operation, outer);
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

/** Arithmetic of arrays: of two, or of one and a number. */
function* elementwise(operation: Binary, path: readonly Tree.Expr[]): Generator<Attempt> {
  const { operator, left, right, spelling } = operation;
  if (!arithmetic.has(operator)) return;
  const span = placeholder(operation);
  const both: Tree.Expr = { kind: "operator", operator, spelling, span };
  yield attempt({ path }, "eachPair", applied(variable("zipWith", span), [both, left, right], span));
  yield* overElements(path, left, (each) => ({ ...operation, left: each, span }), span);
  yield* overElements(path, right, (each) => ({ ...operation, right: each, span }), span);
}

const arithmetic: ReadonlySet<string> = new Set(["+", "-", "*", "/", "^"]);

/** `map` of an operation over the array that is one of its operands. */
function* overElements(
  path: readonly Tree.Expr[],
  array: Tree.Expr,
  operation: (element: Tree.Expr) => Tree.Expr,
  span: Span,
): Generator<Attempt> {
  const lambda = lambdaOver(path.slice(-1), operation, span);
  if (lambda !== null) yield attempt({ path }, "each", applied(variable("map", span), [lambda, array], span));
}

/** An integer where a real number is wanted, and the other operand where this one is real. */
export function* conversions({ found, expected, span: at }: Mismatch, path: readonly Tree.Expr[]): Generator<Attempt> {
  const last = path.at(-1);
  if (last === undefined || last.span.start !== at.start || last.span.end !== at.end) return;
  const outer = path.slice(0, -1);
  const operation = outer.at(-1);
  const toReal = (expr: Tree.Expr): Tree.Expr =>
    applied(variable("toReal", placeholder(expr)), [expr], placeholder(expr));
  const isInteger = found.kind === "int" && expected.kind === "real";
  if (operation?.kind !== "binary") {
    if (isInteger) yield attempt({ path }, "converted", toReal(last), conversionRank);
    return;
  }
  const span = placeholder(operation);
  const { left, right, operator } = operation;
  if (isInteger) {
    const converted = left === last ? { left: toReal(left) } : { right: toReal(right) };
    yield attempt({ path: outer }, "converted", { ...operation, ...converted, span }, conversionRank);
    if (operator === "/")
      yield attempt({ path: outer }, "divided", applied(variable("div", span), [left, right], span), conversionRank);
  } else if (found.kind === "real" && expected.kind === "int" && right === last)
    yield attempt({ path: outer }, "converted", { ...operation, left: toReal(left), span }, conversionRank);
}

/** An array of integers where one of real numbers is wanted. */
export function* ofArrays({ found, expected, span: at }: Mismatch, path: readonly Tree.Expr[]): Generator<Attempt> {
  const last = path.at(-1);
  if (last === undefined || last.span.start !== at.start || last.span.end !== at.end) return;
  const isWanted = expected.kind === "array" && expected.element.kind === "real";
  if (!isWanted || found.kind !== "array" || found.element.kind !== "int") return;
  const span = placeholder(last);
  yield attempt({ path }, "converted", applied(variable("map", span), [variable("toReal", span), last], span));
}

/** A value that lacks its constructor, and a constructor that lacks its `()`. */
export function* wrapped(
  { found, expected, span: at }: Mismatch,
  path: readonly Tree.Expr[],
  data: readonly Tree.DataItem[],
): Generator<Attempt> {
  const last = path.at(-1);
  if (last === undefined || last.span.start !== at.start || last.span.end !== at.end || expected.kind !== "data")
    return;
  const span = placeholder(last);
  if (found.kind === "fn" && last.kind === "constructor") {
    yield attempt({ path }, "unit", applied(last, [{ kind: "tuple", items: [], span }], span));
    return;
  }
  const declared = data.find(({ name }) => name.name === expected.name)?.constructors ?? [];
  const names = expected.name === "+" ? ["inl", "inr"] : declared.filter(({ fields }) => fields.length === 1).map(({ name }) => name.name); // prettier-ignore
  for (const name of names) {
    const constructor: Tree.Expr = { kind: "constructor", name: { name, span }, span };
    yield attempt({ path }, "wrapped", applied(constructor, [last], span), wrapperRank);
  }
}
