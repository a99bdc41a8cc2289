// What arrays of numbers are in the types of a module: since TypeScript 5.7 `Float64Array` may be one in memory that threads share, which fits neither
// `let g = new Float64Array(4); g = lossGrad(..).grad.x` nor a Blob. Those of a module have memory of their own, in the words of any version.

import { mentionedTypes } from "../typescript/print-module.js";
import type { TsDeclaration, TsModule } from "../typescript/tree.js";

/** The module with its own `Float64Array`, where its interface mentions arrays of numbers. */
export function withOwnMemory(module: TsModule): TsModule {
  const mentioned = new Set(mentionedTypes(module.declarations));
  return mentioned.has("Float64Array") ? { ...module, declarations: [ownNumbers, ...module.declarations] } : module;
}

/** The type. */
export const ownNumbers: Extract<TsDeclaration, { readonly kind: "type" }> = {
  kind: "type",
  doc: "An array of numbers in memory of its own, which no other thread shares.",
  exported: false,
  name: "Float64Array",
  typeParams: [],
  type: { kind: "name", name: "ReturnType", args: [{ kind: "name", name: "typeof Float64Array.of", args: [] }] },
};
