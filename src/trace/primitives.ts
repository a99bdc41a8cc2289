// The primitive operations on numbers, as the table says that they are written.

import { InternalError } from "../internal-error.js";
import { type OpName, type Partial, primitive } from "../core/primitives.js";
import * as numbers from "../runtime/numbers.js";

type Scalar = number | boolean;

/** The value of an operation. Throws a RangeError where integers leave their range. */
export function valueOf(op: OpName, args: readonly Scalar[]): Scalar {
  const { typescript } = primitive(op);
  const [x = NaN, y = NaN] = args;
  switch (typescript.kind) {
    case "infix":
      return infix(typescript.operator, x, y);
    case "prefix":
      return -Number(x);
    case "same":
      return x;
    case "math":
      return called(Reflect.get(Math, typescript.fn), args);
    case "runtime":
      return called(Reflect.get(numbers, typescript.fn), args);
  }
}

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

function infix(operator: string, left: Scalar, right: Scalar): Scalar {
  const [x, y] = [Number(left), Number(right)];
  switch (operator) {
    case "+":
      return x + y;
    case "-":
      return x - y;
    case "*":
      return x * y;
    case "/":
      return x / y;
    case "%":
      return x % y;
    case "===":
      return left === right;
    case "!==":
      return left !== right;
    case "<":
      return x < y;
    case "<=":
      return x <= y;
    case ">":
      return x > y;
    case ">=":
      return x >= y;
    case "&&":
      return left === true && right === true;
    default:
      return left === true || right === true;
  }
}

function called(fn: unknown, args: readonly Scalar[]): Scalar {
  if (typeof fn !== "function") throw new InternalError("trace", "no such function");
  const value: unknown = Reflect.apply(fn, undefined, args);
  if (typeof value === "number" || typeof value === "boolean") return value;
  throw new InternalError("trace", "not a scalar");
}
