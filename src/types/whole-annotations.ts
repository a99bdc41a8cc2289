// Annotations that seem to be meant for a whole tuple, `(a, b : T)` for `((a, b) : T)`. Whether that mends something is for inference to say
// (src/types/repairs.ts): a last part may well have such a type.

import { partsOf, pathTo, replaceLast } from "../syntax/edit.js";
import { sketchPattern } from "../syntax/sketch.js";
import type * as Tree from "../syntax/tree.js";
import type { PartAnnotation } from "./mistakes.js";

/** The file with one annotation around its whole tuple, and what is told if that was meant. */
export interface WholeAnnotation {
  readonly changed: Tree.Module;
  readonly tells: PartAnnotation;
}

/** One for each such tuple that is a parameter, is bound by a `let`, or is matched in a branch. */
export function* wholeAnnotations(own: Tree.Module): Generator<WholeAnnotation> {
  for (const [i, item] of own.items.entries()) {
    if (item.kind !== "def") continue;
    for (const { tells, binding } of inBinding(item.binding))
      yield { tells, changed: { ...own, items: own.items.with(i, { ...item, binding }) } };
  }
}

interface ChangedBinding {
  readonly binding: Tree.FunctionBinding;
  readonly tells: PartAnnotation;
}

function* inBinding(binding: Tree.FunctionBinding): Generator<ChangedBinding> {
  const { body } = binding;
  for (const old of binding.params) {
    const whole = annotatedWhole(old);
    if (whole !== null)
      yield { tells: whole.tells, binding: { ...binding, params: replaced(binding.params, old, whole) } };
  }
  const todo = [body];
  for (let expr = todo.pop(); expr !== undefined; expr = todo.pop()) {
    todo.push(...[...partsOf(expr)].reverse());
    for (const old of patternsOf(expr)) {
      const whole = annotatedWhole(old);
      if (whole === null) continue;
      const path = pathTo(body, old.span);
      yield { tells: whole.tells, binding: { ...binding, body: replaceLast(path, withPattern(expr, old, whole)) } };
    }
  }
}

interface Whole {
  readonly pattern: Tree.Pattern;
  readonly tells: PartAnnotation;
}

function annotatedWhole(pattern: Tree.Pattern): Whole | null {
  if (pattern.kind !== "tuple") return null;
  const { items, span } = pattern;
  const last = items.at(-1);
  const others = items.slice(0, -1);
  if (last?.kind !== "ascribed" || others.length === 0 || others.some(({ kind }) => kind === "ascribed")) return null;
  const tuple: Tree.Pattern = { kind: "tuple", items: [...others, last.pattern], span };
  const whole: Tree.Pattern = { kind: "ascribed", pattern: tuple, type: last.type, span };
  const [part, text] = [sketchPattern(last.pattern), sketchPattern(whole)];
  return { pattern: whole, tells: { kind: "partAnnotation", span: last.type.span, part, items: items.length, text } };
}

function replaced(patterns: readonly Tree.Pattern[], old: Tree.Pattern, { pattern }: Whole): readonly Tree.Pattern[] {
  return patterns.map((each) => (each === old ? pattern : each));
}

/** The patterns that an expression itself has. */
function patternsOf(expr: Tree.Expr): readonly Tree.Pattern[] {
  switch (expr.kind) {
    case "lambda":
      return expr.params;
    case "let":
      return [expr.pattern];
    case "letFunction":
      return expr.bindings.flatMap(({ params }) => params);
    case "case":
      return expr.branches.map(({ pattern }) => pattern);
    default:
      return [];
  }
}

function withPattern(expr: Tree.Expr, old: Tree.Pattern, whole: Whole): Tree.Expr {
  switch (expr.kind) {
    case "lambda":
      return { ...expr, params: replaced(expr.params, old, whole) };
    case "let":
      return { ...expr, pattern: whole.pattern };
    case "letFunction": {
      const bindings = expr.bindings.map((each) => ({ ...each, params: replaced(each.params, old, whole) }));
      return { ...expr, bindings };
    }
    case "case": {
      const branches = expr.branches.map((each) => (each.pattern === old ? { ...each, pattern: whole.pattern } : each));
      return { ...expr, branches };
    }
    default:
      return expr;
  }
}
