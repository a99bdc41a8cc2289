import type { Site } from "../core/term.js";
import type { Span } from "../syntax/source.js";

/** Whose text an expression is: the file's, the prelude's, or that of a function of the prelude that is expanded where the file uses it. */
export type Origin =
  | { readonly kind: "file" }
  | { readonly kind: "prelude" }
  | { readonly kind: "expansion"; readonly site: Site; readonly span: Span };

/** Where an expression stands. */
export interface Whereabouts {
  /** The definition of the source file that it is in. */
  readonly definition: string;
  readonly origin: Origin;
}
