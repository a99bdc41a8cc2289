// Calls as they stand in the tree, and what is made in their place. What is made has an empty span, at the place where it is to stand.

import { partsOf } from "../syntax/edit.js";
import { sketch } from "../syntax/sketch.js";
import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import type { LambdaParameters, Repair } from "./mistakes.js";

export interface Call {
  /** From the body of the definition to the call. */
  readonly path: readonly Tree.Expr[];
  readonly fn: Tree.Expr;
  readonly args: readonly Tree.Expr[];
  /** For what is made in its place. */
  readonly span: Span;
}

/** A change of the last expression of `path`, and what is told where it mends a mistake: a hint, or another mistake instead. */
export interface Attempt {
  readonly path: readonly Tree.Expr[];
  readonly replacement: Tree.Expr;
  readonly tells: Omit<Repair, "mends" | "change"> | LambdaParameters;
  /** Of several attempts of one rank only one may mend the mistake, or none of them is meant; null for what is meant whenever it does. */
  readonly rank: number | null;
}

/** Calls with more arguments than this are left out. */
const maxArgs = 8;

/** The calls on a path, from the inside out. */
export function callsOn(path: readonly Tree.Expr[]): readonly Call[] {
  const calls: Call[] = [];
  for (const [i, expr] of path.entries()) {
    const outer = path[i - 1];
    if (expr.kind !== "apply" || (outer?.kind === "apply" && outer.fn === expr)) continue;
    const args: Tree.Expr[] = [];
    let fn: Tree.Expr = expr;
    for (; fn.kind === "apply"; fn = fn.fn) args.push(fn.arg);
    if (args.length <= maxArgs)
      calls.push({ path: path.slice(0, i + 1), fn, args: args.reverse(), span: placeholder(expr) });
  }
  return calls.reverse();
}

/** The span of what is made in the place of an expression. */
export function placeholder({ span }: Tree.Expr): Span {
  return { ...span, end: span.start };
}

/** Whether a place, where there is one, is in an expression. */
export function isIn(place: Span | null, expr: Tree.Expr | undefined): boolean {
  if (place === null || expr === undefined) return false;
  const { file, start, end } = expr.span;
  return file === place.file && start <= place.start && end >= place.end;
}

export function applied(fn: Tree.Expr, args: readonly Tree.Expr[], span: Span): Tree.Expr {
  return args.reduce((inner, arg): Tree.Expr => ({ kind: "apply", fn: inner, arg, span }), fn);
}

export function variable(name: string, span: Span): Tree.Expr {
  return { kind: "variable", name: { name, span }, span };
}

/** The names of the variables that are used in expressions. */
export function namesIn(exprs: readonly Tree.Expr[]): ReadonlySet<string> {
  const names = new Set<string>();
  const waiting = [...exprs];
  for (let expr = waiting.pop(); expr !== undefined; expr = waiting.pop()) {
    if (expr.kind === "variable") names.add(expr.name.name);
    waiting.push(...partsOf(expr));
  }
  return names;
}

/** The function of one parameter that `body` makes of it; its name is used in none of the expressions. Null where all names are. */
export function lambdaOver(
  exprs: readonly Tree.Expr[],
  body: (element: Tree.Expr) => Tree.Expr,
  span: Span,
): Tree.Expr | null {
  const used = namesIn(exprs);
  const name = ["x", "y", "z", "u", "v", "w"].find((each) => !used.has(each));
  if (name === undefined) return null;
  const param: Tree.Pattern = { kind: "variable", name: { name, span }, span };
  return { kind: "lambda", params: [param], body: body(variable(name, span)), spelling: "ascii", span };
}

/** A change of the last expression of a path that is told by what would stand there. */
export function attempt(
  { path }: Pick<Call, "path">,
  kind: Repair["kind"],
  replacement: Tree.Expr,
  rank: number | null = null,
): Attempt {
  return { path, replacement, tells: { kind, text: sketch(replacement) }, rank };
}
