// Parameters as what is given for them.

import type * as Tree from "../syntax/tree.js";

/** Several parts as one tuple; a lone part is itself. */
export function together<T>(parts: readonly T[], tuple: (parts: readonly T[]) => T): T {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : tuple(parts);
}

/** What a parameter is given, as an expression; null where its pattern leaves something out. */
export function argumentOf(pattern: Tree.Pattern): Tree.Expr | null {
  switch (pattern.kind) {
    case "variable":
      return { kind: "variable", name: { ...pattern.name }, span: pattern.span };
    case "ascribed":
      return argumentOf(pattern.pattern);
    case "tuple": {
      const items = pattern.items.map(argumentOf);
      return items.some((item) => item === null) ? null : { kind: "tuple", items: items.flatMap((item) => item ?? []), span: pattern.span }; // prettier-ignore
    }
    default:
      return null;
  }
}
