import type { Span } from "../syntax/source.js";
import type { RelatedPlace } from "./diagnostic.js";

/** How a clue changes what is said about an unexpected token. */
export interface ClueWords {
  readonly code: string;
  readonly title: string;
  readonly label: string | null;
  readonly hint: string;
  readonly span?: Span;
  readonly related?: readonly RelatedPlace[];
}
