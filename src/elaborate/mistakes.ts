// What elaboration finds: entries that cannot be exported, and programs that grow out of bounds.

import type { Span } from "../syntax/source.js";
import type { Type } from "../core/type.js";

/** Where in an entry a type stands: a parameter, counted from 1 and by the name its pattern gives it (or null), or the result. */
export type EntryPart =
  { readonly kind: "parameter"; readonly position: number; readonly name: string | null } | { readonly kind: "result" };

/** A step from a type to a part of it: a component (counted from 1) of a tuple, an element, or a field (counted from 1) of a constructor. */
export type TypeStep =
  | { readonly kind: "element" }
  | { readonly kind: "component"; readonly index: number }
  | { readonly kind: "field"; readonly data: Type; readonly constructor: string; readonly index: number; readonly name: string | null }; // prettier-ignore

export type EntryMistake =
  | { readonly kind: "unknownEntry"; readonly name: string; readonly known: readonly string[]; readonly span: Span }
  | { readonly kind: "polymorphicEntry"; readonly name: string; readonly type: Type; readonly typeVars: readonly string[]; readonly span: Span } // prettier-ignore
  | {
      readonly kind: "notFirstOrder";
      readonly name: string;
      readonly part: EntryPart;
      readonly type: Type;
      /** The way from `type` to the function in it; empty where it is one itself. */
      readonly path: readonly TypeStep[];
      readonly function: Type;
      readonly span: Span;
      /** The parameter's pattern, where a parameter is to blame. */
      readonly partSpan: Span | null;
    }
  | {
      readonly kind: "derivativeOfFunctions";
      /** What the source asks for: `grad`. */
      readonly name: string;
      readonly part: "argument" | "result";
      readonly type: Type;
      readonly path: readonly TypeStep[];
      readonly function: Type;
      readonly span: Span;
    }
  | { readonly kind: "tooManyInstances"; readonly name: string; readonly limit: number; readonly span: Span }
  | { readonly kind: "tooMuchCode"; readonly name: string; readonly limit: number; readonly span: Span }
  | { readonly kind: "typeTooLarge"; readonly name: string; readonly limit: number; readonly span: Span }
  | { readonly kind: "nestedTooDeeply"; readonly name: string; readonly limit: number; readonly span: Span }
  | { readonly kind: "caseTooLarge"; readonly name: string; readonly limit: number; readonly span: Span };
