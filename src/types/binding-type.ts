import type { Type } from "../core/type.js";
import type * as Typed from "./typed.js";

/** The type of a definition: a function of its parameters. */
export function typeOf({ params, result }: Typed.Binding): Type {
  return params.reduceRight<Type>((to, { type: from }): Type => ({ kind: "fn", from, to }), result);
}
