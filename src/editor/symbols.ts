// The outline of a file.

import type { Analysis } from "../driver/analyse.js";
import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import { functionType } from "./types.js";

export interface DocumentSymbol {
  readonly name: string;
  readonly kind: "function" | "constant" | "record" | "data" | "alias" | "constructor" | "field" | "rule";
  /** Its type, as far as it is known; "" for what has none. */
  readonly detail: string;
  readonly span: Span;
  readonly nameSpan: Span;
  readonly children: readonly DocumentSymbol[];
}

/** Without a program, the types of definitions are not known. */
export type Outlined = Pick<Analysis, "tree" | "program" | "source" | "typed">;

/** What the items of a file define, in their order. */
export function symbolsOf(analysis: Outlined): readonly DocumentSymbol[] {
  return analysis.tree.items.flatMap((item) => symbolOf(analysis, item) ?? []);
}

function symbolOf(analysis: Outlined, item: Tree.Item): DocumentSymbol | null {
  const { span } = item;
  const typeOf = (name: Tree.Ident): string => {
    const symbol = analysis.program?.definitions.get(analysis.tree)?.get(name.name);
    return symbol === undefined ? "" : functionType(analysis, symbol);
  };
  const leaf = (kind: DocumentSymbol["kind"], ident: Tree.Ident, detail = "", whole = ident.span): DocumentSymbol => {
    return { name: ident.name, kind, detail, span: whole, nameSpan: ident.span, children: [] };
  };
  switch (item.kind) {
    case "import":
      return null;
    case "def": {
      const { name, params } = item.binding;
      return leaf(params.length === 0 ? "constant" : "function", name, typeOf(name), span);
    }
    case "extern":
      return leaf("function", item.name, typeOf(item.name), span);
    case "rule":
      return leaf("rule", item.name, `rule ${item.mode}`, span);
    case "alias":
      return leaf("alias", item.name, "", span);
    case "data": {
      const [only] = item.constructors;
      const isRecord = item.constructors.length === 1 && only !== undefined && only.fieldNames !== null;
      const fields = (constructor: Tree.ConstructorDecl): readonly DocumentSymbol[] =>
        (constructor.fieldNames ?? []).map((field) => leaf("field", field));
      const children = isRecord
        ? fields(only)
        : item.constructors.map((each) => ({
            ...leaf("constructor", each.name, "", each.span),
            children: fields(each),
          }));
      return { ...leaf(isRecord ? "record" : "data", item.name, "", span), children };
    }
  }
}
