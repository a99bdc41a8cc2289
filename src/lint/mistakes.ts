import type { Span } from "../syntax/source.js";

/** What is right, and yet probably not what its author meant. */
export type Suspicion = { readonly span: Span } & (
  | { readonly kind: "unusedVariable"; readonly what: LocalKind; readonly name: string }
  /** Nothing that is exported uses it, and it cannot be exported itself. */
  | { readonly kind: "unusedDefinition"; readonly name: string }
  | { readonly kind: "unusedImport"; readonly name: string }
  | { readonly kind: "strayDocumentation" }
  /** It calls itself whatever it is given. */
  | { readonly kind: "endlessRecursion"; readonly name: string }
  /** A definition, or a local function, that is used where one may expect the prelude's. */
  | { readonly kind: "hidesPrelude"; readonly isLocal: boolean; readonly name: string; readonly use: Span }
);

/** What a definition binds; a field is the variable that a record pattern has by the name of the field alone. */
export type LocalKind = "variable" | "parameter" | "function" | "field";
