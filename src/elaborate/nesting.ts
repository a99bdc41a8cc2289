// How deep a typed tree is nested where elaboration recurses.

import type { Span } from "../syntax/source.js";
import type { Binding, Expr, Pattern } from "../types/typed.js";

/** An application `head arg1 .. argn`. */
export interface Spine {
  readonly head: Expr;
  readonly args: readonly Expr[];
}

export function spineOf(expr: Expr): Spine {
  const args: Expr[] = [];
  let head = expr;
  for (; head.kind === "apply"; head = head.fn) args.push(head.arg);
  return { head, args: args.reverse() };
}

/** The parts of an expression, each with how many levels deeper it stands. */
function parts(expr: Expr): readonly (readonly [Expr, number])[] {
  const deeper = (exprs: readonly Expr[]) => exprs.map((part) => [part, 1] as const);
  switch (expr.kind) {
    case "variable":
    case "reference":
    case "constructor":
    case "projection":
    case "primitive":
    case "builtIn":
    case "number":
    case "boolean":
      return [];
    case "field":
      return deeper([expr.record]);
    case "update":
      return deeper([expr.record, ...expr.fields.map(({ value }) => value)]);
    case "tuple":
    case "array":
    case "parallel":
      return deeper(expr.items);
    case "lambda":
      return deeper([expr.body]);
    case "apply": {
      const { head, args } = spineOf(expr);
      const level = args.map((arg, index) => {
        // `a + b + c + ..` and `a :: b :: c :: ..` are elaborated in a loop.
        const leftmost = head.kind === "primitive" && index === 0;
        const rightmost = head.kind === "constructor" && index === head.arity - 1;
        return [arg, leftmost || rightmost ? 0 : 1] as const;
      });
      return [[head, 1], ...level];
    }
    case "let":
      return [[expr.bound, 1], [expr.body, 0]]; // prettier-ignore
    case "letFunction":
      return [...deeper(expr.group.bindings.map(({ body }) => body)), [expr.body, 0]];
    case "if":
      return deeper([expr.cond, expr.then, expr.else]);
    case "case":
      return deeper([expr.scrutinee, ...expr.branches.map(({ body }) => body)]);
    case "logical":
      return deeper([expr.left, expr.right]);
  }
}

function patterns(expr: Expr): readonly Pattern[] {
  switch (expr.kind) {
    case "lambda":
      return expr.params;
    case "let":
      return [expr.pattern];
    case "letFunction":
      return expr.group.bindings.flatMap(({ params }) => params);
    case "case":
      return expr.branches.map(({ pattern }) => pattern);
    default:
      return [];
  }
}

/** An expression or pattern that stands deeper than `limit` levels (a pattern: has more nodes than that); null where there is none. */
export function tooDeep(binding: Binding, limit: number): Span | null {
  const wide = binding.params.find((pattern) => patternSize(pattern, limit) > limit);
  if (wide !== undefined) return wide.span;
  const stack: (readonly [Expr, number])[] = [[binding.body, 1]];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [expr, depth] = top;
    if (depth > limit) return expr.span;
    const large = patterns(expr).find((pattern) => patternSize(pattern, limit) > limit);
    if (large !== undefined) return large.span;
    for (const [part, levels] of parts(expr)) stack.push([part, depth + levels]);
  }
  return null;
}

/** The number of a pattern's nodes; some number above `limit` where there are more. */
function patternSize(pattern: Pattern, limit: number): number {
  let size = 0;
  const stack = [pattern];
  for (let top = stack.pop(); top !== undefined && size <= limit; top = stack.pop()) {
    size += 1;
    if (top.kind === "tuple") stack.push(...top.items);
    if (top.kind === "constructor") stack.push(...top.args);
  }
  return size;
}

/** Every definition and local function that a binding's body refers to, by name. */
export function referencesOf(binding: Binding): ReadonlySet<string> {
  const names = new Set<string>();
  const stack = [binding.body];
  for (let expr = stack.pop(); expr !== undefined; expr = stack.pop()) {
    if (expr.kind === "reference") names.add(expr.name);
    for (const [part] of parts(expr)) stack.push(part);
  }
  return names;
}
