// What a derivative takes and gives, as a known function.

import type { Span } from "../syntax/source.js";
import { fnType, tupleType } from "./build.js";
import type { OpName } from "./primitives.js";
import type { Derivative, Extern, Site } from "./term.js";
import type { Type } from "./type.js";

export interface Signature {
  readonly params: readonly { readonly type: Type }[];
  readonly result: Type;
}

export function signatureOf({ kind, from, to }: Derivative): Signature {
  const signature = (result: Type, ...params: readonly Type[]): Signature => ({
    params: params.map((type) => ({ type })),
    result,
  });
  switch (kind) {
    case "jvp":
      return signature(tupleType(to, to), fnType(from, to), from, from);
    case "vjp":
      return signature(tupleType(to, fnType(to, from)), fnType(from, to), from);
    case "pullback":
      return signature(from, fnType(from, to), from, to);
    case "checkpoint":
      return signature(to, fnType(from, to), from);
    case "tangentRule":
    case "functionRule":
      return signature(to, fnType(from, to), fnType(from, fnType(from, fnType(to, to))), from);
    case "pullbackRule":
      return signature(to, fnType(from, to), fnType(from, fnType(to, fnType(to, from))), from);
    case "stop":
      return signature(from, from);
    case "pack":
      return signature(to, from);
    case "unpack":
      return signature(from, from, to);
  }
}
// What is wrong with derivatives that are well typed.

export type DerivativeMistake =
  | UnruledExtern
  /** The derivative at `span`, null of one in the prelude, is taken of something that takes it again: `cycle`, from a definition back to it. */
  | { readonly kind: "ownDerivative"; readonly cycle: readonly string[]; readonly span: Span | null }
  /** The rule at `span` uses what it is for: with the functions that it takes, or, perhaps by way of another rule, at its tangents or its cotangent. */
  | { readonly kind: "ownRule"; readonly at: "functions" | "tangents" | "cotangent"; readonly span: Span | null }
  /** The rule at `span` is not linear in its tangents, or its cotangent, since .. */
  | {
      readonly kind: "notLinear";
      readonly of: "tangents" | "cotangent";
      readonly because: NotLinearReason;
      /** The operation, where operations have sites. */
      readonly at: Site | null;
      readonly span: Span | null;
    };

/** What is the caller's is differentiated, and has no rule. */
export interface UnruledExtern {
  readonly kind: "unruledExtern";
  readonly extern: Extern;
}

/** What stands in the way of a rule's being linear in its tangents, or its cotangent. */
export type NotLinearReason =
  | { readonly kind: "operation"; readonly op: OpName }
  /** Two of them are multiplied, they divide something, or a derivative is taken at them. */
  | { readonly kind: "product" | "divisor" | "point" }
  /** Something that does not vanish with them is added to them or stands beside them, or is the result. */
  | { readonly kind: "affine" | "constant" }
  /** They decide something. */
  | { readonly kind: "size" | "index" | "condition" | "constructor" }
  /** An unknown function is applied. */
  | { readonly kind: "function" };

/** Whether it is of a function, and not of a value. */
export function takesFunction(kind: Derivative["kind"]): boolean {
  return kind !== "stop" && kind !== "pack" && kind !== "unpack";
}
