// Types that inference has found, behind the names without one.

import type { Analysis } from "../driver/analyse.js";
import { partsOf } from "../syntax/edit.js";
import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import { printType } from "../core/print-type.js";
import { bindingOf, shownType } from "./types.js";

export interface InlayHint {
  readonly offset: number;
  readonly text: string;
}

/** A longer type says little. */
const longest = 40;

/** Of definitions the types of parameters and results, of bindings by `let` those of the variables, where they are not annotated. */
export function inlayHintsOf(analysis: Analysis, range: Pick<Span, "start" | "end">): readonly InlayHint[] {
  const { program, tree } = analysis;
  if (program === null) return [];
  const hints: InlayHint[] = [];
  const add = (offset: number, text: string): void => {
    if (text.length <= longest && !text.includes("?")) hints.push({ offset, text: ` : ${text}` });
  };
  const typeOf = (node: Tree.Expr | Tree.Pattern): string => {
    const type = program.cx.types.get(node);
    return type === undefined ? "?" : shownType(type);
  };
  for (const item of tree.items) {
    if (item.kind !== "def" || item.span.end < range.start || item.span.start > range.end) continue;
    const { name, params, result, body } = item.binding;
    for (const param of params) if (param.kind === "variable") add(param.span.end, typeOf(param));
    const symbol = program.definitions.get(tree)?.get(name.name);
    const binding = symbol === undefined ? null : bindingOf(analysis, symbol);
    if (
      result === null &&
      binding !== null &&
      binding.params.length === params.length &&
      binding.typeParams.length === 0
    )
      add((params.at(-1) ?? name).span.end, printType(binding.result));
    const todo = [body];
    for (let expr = todo.pop(); expr !== undefined; expr = todo.pop()) {
      const isFunction =
        expr.kind === "let" && expr.pattern.kind === "variable" && program.scope.functions.has(expr.pattern.name);
      if (expr.kind === "let" && expr.pattern.kind === "variable" && !isFunction) add(expr.pattern.span.end, typeOf(expr.pattern)); // prettier-ignore
      todo.push(...partsOf(expr));
    }
  }
  return hints
    .filter(({ offset }) => offset >= range.start && offset <= range.end)
    .sort((one, other) => one.offset - other.offset);
}
