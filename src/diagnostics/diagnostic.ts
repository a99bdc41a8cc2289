import type { Span } from "../syntax/source.js";

/** A second place that a diagnostic points at. */
export interface RelatedPlace {
  readonly span: Span;
  readonly label: string;
}

/**
 * What the user is told about one mistake. `code` is stable (`E0203`); `title` is one sentence; `label` stands under the
 * underlined span; `notes` say what was expected and found; `hint` says what to try.
 */
export interface Diagnostic {
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly title: string;
  readonly span: Span;
  readonly label: string;
  readonly related: readonly RelatedPlace[];
  readonly notes: readonly string[];
  readonly hint: string | null;
}
