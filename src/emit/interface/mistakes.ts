// What can be wrong with the names of an emitted module.

import type { Span } from "../../syntax/source.js";

/** What a name of the module stands for. `span` is null where it is of the prelude. */
export interface Claim {
  readonly what: "definition" | "vjp" | "grad" | "jvp" | "data" | "alias" | "cotangent" | "input" | "parameter";
  /** The name in the source that it comes from. */
  readonly source: string;
  readonly span: Span | null;
}

export type NameMistake =
  /** Two functions or two types of the module would have one name. */
  | {
      readonly kind: "exportClash";
      readonly name: string;
      readonly first: Claim;
      readonly second: Claim;
      readonly span: Span;
    }
  /** Two parameters of a definition would have one name: gradients are objects with the parameters' names. */
  | {
      readonly kind: "parameterClash";
      readonly definition: string;
      readonly name: string;
      readonly first: Claim;
      readonly second: Claim;
      readonly span: Span;
    };
