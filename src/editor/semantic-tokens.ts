// What each name is, for colours.

import type { Analysis } from "../driver/analyse.js";
import type { Span } from "../syntax/source.js";
import type { Entity } from "./entities.js";
import { occurrencesIn } from "./occurrences.js";

export const tokenKinds = ["function", "parameter", "type", "typeParameter", "enumMember", "property"] as const;
export const tokenModifiers = ["declaration", "defaultLibrary"] as const;

export interface SemanticToken {
  readonly span: Span;
  readonly kind: (typeof tokenKinds)[number];
  readonly modifiers: readonly (typeof tokenModifiers)[number][];
}

/** The names of a file in their order; what the grammar for editors colours by itself is left out. */
export function semanticTokensOf(analysis: Analysis): readonly SemanticToken[] {
  const found = occurrencesIn(analysis);
  return found.flatMap(({ span, entity, isDefinition }, i): readonly SemanticToken[] => {
    const kind = kindOf(entity);
    // `{ focal }` is one token
    if (kind === null || found[i - 1]?.span.start === span.start) return [];
    const isLibrary = entity.kind === "builtIn" || entity.kind === "builtInType" || isStandard(entity);
    return [{ span, kind, modifiers: [...(isDefinition ? ["declaration" as const] : []), ...(isLibrary ? ["defaultLibrary" as const] : [])] }]; // prettier-ignore
  });
}

function isStandard(entity: Entity): boolean {
  return entity.kind === "function" && entity.symbol.nameSpan.file.startsWith("<");
}

function kindOf(entity: Entity): SemanticToken["kind"] | null {
  switch (entity.kind) {
    case "function":
      return "function";
    case "builtIn":
      return /^\w+$/.test(entity.name) ? "function" : null;
    case "local":
      return "parameter";
    case "constructor":
      return "enumMember";
    case "field":
      return "property";
    case "type":
    case "builtInType":
      return "type";
    case "typeVariable":
      return "typeParameter";
    case "file":
      return null;
  }
}
