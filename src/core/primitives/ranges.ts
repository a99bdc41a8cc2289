// Between which numbers operations and their partial derivatives are.

import { any, mayBeInfinite, point, union, type Interval } from "../intervals.js";
import { primitive, type OpName, type Partial } from "../primitives.js";

/** What an operation gives. `isSame`: its two arguments are one number. */
export function intervalOf(op: OpName, args: readonly Interval[], isSame: boolean): Interval {
  const [x = any, y = any, z = any] = args;
  return primitive(op).range?.({ x, y, z, isSame }) ?? any;
}

/** What a partial derivative is, of arguments and a result within these intervals. `isSame`: two arguments are one number. */
export function partialInterval(
  partial: Partial,
  args: readonly Interval[],
  result: Interval,
  isSame: boolean,
): Interval {
  const value = (part: Partial): Interval => partialInterval(part, args, result, isSame);
  switch (partial.kind) {
    case "arg":
      return args[partial.index] ?? any;
    case "result":
      return result;
    case "number":
      return point(partial.value);
    case "op": {
      const [left, right] = partial.args;
      const isSquare = left?.kind === "arg" && right?.kind === "arg" && (left.index === right.index || isSame);
      const values = partial.args.map(value);
      // What may be infinite may be NaN, also in a function whose values are bounded
      const isUnknown = partial.args.some((part, index) => part.kind !== "op" && mayBeInfinite(values[index] ?? any));
      return isUnknown ? any : intervalOf(partial.op, values, isSquare);
    }
    case "if":
      return union(value(partial.then), value(partial.else));
  }
}
