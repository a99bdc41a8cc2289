// What can be folded away.

import type { Analysis } from "../driver/analyse.js";
import { partsOf } from "../syntax/edit.js";
import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";

export interface Fold {
  readonly span: Span;
  readonly kind: "item" | "comment" | "imports";
}

/** Items, `case` and records, imports and comments that take several lines. */
export function foldsOf({ tree, source }: Analysis): readonly Fold[] {
  const isLong = ({ span }: { readonly span: Span }): boolean => source.text.slice(span.start, span.end).includes("\n");
  const inside = tree.items.flatMap((item) => (item.kind === "def" ? foldedIn(item.binding.body) : []));
  const items = [...tree.items.filter(({ kind }) => kind !== "import"), ...inside].filter(isLong);
  const imports = runs(
    tree.items.filter(({ kind }) => kind === "import"),
    source.text,
  );
  const comments = runs(tree.comments, source.text);
  return [
    ...items.map(({ span }): Fold => ({ span, kind: "item" })),
    ...imports.filter(isLong).map(({ span }): Fold => ({ span, kind: "imports" })),
    ...comments.filter(isLong).map(({ span }): Fold => ({ span, kind: "comment" })),
  ];
}

function foldedIn(body: Tree.Expr): readonly Tree.Expr[] {
  const found: Tree.Expr[] = [];
  const todo = [body];
  for (let expr = todo.pop(); expr !== undefined; expr = todo.pop()) {
    if (expr.kind === "case" || expr.kind === "record" || expr.kind === "array") found.push(expr);
    todo.push(...partsOf(expr));
  }
  return found;
}

/** Joins what stands on lines that follow each other. */
function runs(parts: readonly { readonly span: Span }[], text: string): readonly { readonly span: Span }[] {
  const joined: { span: Span }[] = [];
  for (const { span } of parts) {
    const last = joined.at(-1);
    if (last !== undefined && /^[^\S\n]*\n[^\S\n]*$/.test(text.slice(last.span.end, span.start)))
      last.span = { ...last.span, end: span.end };
    else joined.push({ span });
  }
  return joined;
}
