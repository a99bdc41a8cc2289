import type { Span } from "../syntax/source.js";
import type { Diagnostic, RelatedPlace } from "./diagnostic.js";

export interface ErrorParts {
  readonly related?: readonly RelatedPlace[];
  readonly notes?: readonly string[];
  readonly hint?: string | null;
}

/** An error with what belongs to it, as far as there is something. */
export function error(code: string, title: string, span: Span, label: string, parts: ErrorParts = {}): Diagnostic {
  const { related = [], notes = [], hint = null } = parts;
  return { code, severity: "error", title, span, label, related, notes, hint };
}

/** A declaration as a second place; built-in things have none. */
export function declaredAt(span: Span | null, label: string): readonly RelatedPlace[] {
  return span === null ? [] : [{ span, label }];
}
