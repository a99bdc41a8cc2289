import { InternalError } from "../internal-error.js";
import type { Type } from "../target-calculus/type.js";

/** A type that is not first-order has come to a family that is not defined there (SV25 Fig. 7: "not defined"). */
export function undefinedAt(family: string, type: Type): never {
  throw new InternalError(
    family,
    "not defined at this type: what is differentiated must be first-order",
    JSON.stringify(type),
  );
}
