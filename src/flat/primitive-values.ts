// The primitive operations on numbers, as the table says that they are written.

import { InternalError } from "../internal-error.js";
import { primitive, type OpName, type Spelling } from "../core/primitives.js";
import * as numbers from "../runtime/numbers.js";
import * as debug from "../runtime/debug.js";

export type Scalar = number | boolean;

const runtime = { numbers, debug };

/** The value of an operation; an error says of `site` where it stands. Throws a RangeError where integers leave their range. */
export function valueOf(op: OpName, args: readonly Scalar[], site = ""): Scalar {
  const { typescript, mayFail } = primitive(op);
  const [x = NaN, y = NaN] = args;
  switch (typescript.kind) {
    case "infix":
      return infix(typescript, x, y);
    case "prefix":
      return -Number(x);
    case "same":
      return x;
    case "math":
      return called(Reflect.get(Math, typescript.fn), args);
    case "runtime":
      return called(Reflect.get(runtime[typescript.file], typescript.fn), mayFail ? [...args, site] : args);
  }
}

function infix({ operator }: Spelling & { readonly kind: "infix" }, left: Scalar, right: Scalar): Scalar {
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
    case ">>":
      return x >> y;
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
    case "||":
      return left === true || right === true;
  }
}

function called(fn: unknown, args: readonly unknown[]): Scalar {
  if (typeof fn !== "function") throw new InternalError("primitives", "no such function");
  const value: unknown = Reflect.apply(fn, undefined, args);
  if (typeof value === "number" || typeof value === "boolean") return value;
  throw new InternalError("primitives", "not a scalar");
}
