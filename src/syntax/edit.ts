// Expressions as parts of expressions: where one stands, and the whole with another one in its place. Without recursion along a path, since generated
// programs are deep.

import { unreachable } from "../internal-error.js";
import type { Span } from "./source.js";
import type { Expr, FieldValue } from "./tree.js";

/** The expression with `change` of each expression that is directly in it. */
function mapParts(expr: Expr, change: (part: Expr) => Expr): Expr {
  const fieldValues = (fields: readonly FieldValue[]): readonly FieldValue[] =>
    fields.map((field) => ({ ...field, value: change(field.value) }));
  switch (expr.kind) {
    case "apply":
      return { ...expr, fn: change(expr.fn), arg: change(expr.arg) };
    case "binary":
      return { ...expr, left: change(expr.left), right: change(expr.right) };
    case "index":
      return { ...expr, array: change(expr.array), index: change(expr.index) };
    case "negate":
    case "ascribed":
      return { ...expr, expr: change(expr.expr) };
    case "tuple":
    case "array":
    case "parallel":
      return { ...expr, items: expr.items.map(change) };
    case "lambda":
      return { ...expr, body: change(expr.body) };
    case "let":
      return { ...expr, bound: change(expr.bound), body: change(expr.body) };
    case "letFunction": {
      const bindings = expr.bindings.map((binding) => ({ ...binding, body: change(binding.body) }));
      return { ...expr, bindings, body: change(expr.body) };
    }
    case "if":
      return { ...expr, cond: change(expr.cond), then: change(expr.then), else: change(expr.else) };
    case "case": {
      const scrutinee = change(expr.scrutinee);
      return { ...expr, scrutinee, branches: expr.branches.map((each) => ({ ...each, body: change(each.body) })) };
    }
    case "field":
      return { ...expr, record: change(expr.record) };
    case "record":
      return { ...expr, fields: fieldValues(expr.fields) };
    case "update":
      return { ...expr, record: change(expr.record), fields: fieldValues(expr.fields) };
    case "variable":
    case "constructor":
    case "real":
    case "number":
    case "boolean":
    case "operator":
      return expr;
    default:
      return unreachable(expr);
  }
}

/** The expressions that are directly in this one. */
export function partsOf(expr: Expr): readonly Expr[] {
  const parts: Expr[] = [];
  mapParts(expr, (part) => {
    parts.push(part);
    return part;
  });
  return parts;
}

/** From `root` to the innermost expression that holds `span`; empty where `root` does not. */
export function pathTo(root: Expr, span: Span): readonly Expr[] {
  const holds = ({ span: { file, start, end } }: Expr): boolean =>
    file === span.file && start <= span.start && end >= span.end;
  const path: Expr[] = [];
  for (let next = [root].find(holds); next !== undefined; next = partsOf(next).find(holds)) path.push(next);
  return path;
}

/** The first expression of `path`, in which `replacement` stands for the last one. */
export function replaceLast(path: readonly Expr[], replacement: Expr): Expr {
  let inner = replacement;
  for (let i = path.length - 2; i >= 0; i -= 1) {
    const [outer, old, changed] = [path[i], path[i + 1], inner];
    if (outer !== undefined) inner = mapParts(outer, (part) => (part === old ? changed : part));
  }
  return inner;
}
