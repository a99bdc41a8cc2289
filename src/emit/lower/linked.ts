// What the lowering of a program has to know of other modules.

import type { Fn } from "../../target-calculus/term.js";

/** A program's definitions that are called from other modules, and those of other modules that it calls. */
export interface Linked {
  /** What the module calls them, by their names in the calculus. */
  readonly own: ReadonlyMap<string, string>;
  readonly imported: ReadonlyMap<string, Imported>;
  /** What the module calls the function that makes its constants be computed anew, and those of the modules that it imports; null where constants stay. */
  readonly reset: { readonly own: string; readonly imported: readonly string[] } | null;
}

export interface Imported {
  /** What the module calls it. */
  readonly name: string;
  /** Its signature; what its text is the other module knows. */
  readonly fn: Fn;
}
