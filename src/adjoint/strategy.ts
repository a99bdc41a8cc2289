// How a value of the forward sweep gets to where the reverse sweep needs it.

import type { Var } from "../flat/program.js";
import type { LoopStmt } from "./places.js";

/** How a variable gets to the reverse sweep. */
export type Strategy =
  | { readonly kind: "kept" }
  /** Defined in a branch: in a variable of this name in front of it. */
  | { readonly kind: "outside"; readonly name: string }
  | { readonly kind: "again" }
  | { readonly kind: "tape" }
  | { readonly kind: "array"; readonly saved: Var; readonly cursor: string | null }
  /** An array of what a loop saves: the part of the loop that fills it is run again. */
  | { readonly kind: "rerun"; readonly stmt: LoopStmt & { readonly kind: "for" } }
  /** An array that the loop makes anyway holds it. */
  | { readonly kind: "element"; readonly array: Var };
