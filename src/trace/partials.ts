// Partial derivatives of the primitive operations on numbers, as the table says that they are written.

import type { Partial } from "../core/primitives.js";
import { valueOf, type Scalar } from "../flat/primitive-values.js";

/** A partial derivative of an operation, from its arguments and its value. */
export function partialOf(partial: Partial, args: readonly Scalar[], result: Scalar): Scalar {
  switch (partial.kind) {
    case "arg":
      return args[partial.index] ?? NaN;
    case "result":
      return result;
    case "number":
      return partial.value;
    case "op":
      return valueOf(
        partial.op,
        partial.args.map((arg) => partialOf(arg, args, result)),
      );
    case "if":
      return partialOf(partialOf(partial.cond, args, result) === true ? partial.then : partial.else, args, result);
  }
}
