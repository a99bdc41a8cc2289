// What it costs to compute a value again, in operations.

import { primitive } from "../core/primitives.js";
import type { Operation } from "./program.js";

/** Recomputing a value of more operations than this costs more than saving it. */
export const cheapEnough = 8;

const costOf: ReadonlyMap<string, number> = new Map([
  ...["add", "sub", "mul", "neg", "toReal", "addZ", "subZ", "mulZ", "negZ"].map((op) => [op, 1] as const),
  ...["abs", "min", "max", "sign", "relu", "absZ", "minZ", "maxZ"].map((op) => [op, 1] as const),
  ...["div", "sqrt", "remZ"].map((op) => [op, 4] as const),
]);

/** What an operation costs; infinite where it is not computed again. */
export function operationCost(op: Operation): number {
  switch (op.kind) {
    case "copy":
    case "known":
      return 0;
    case "prim":
      return primitiveCost(op);
    case "field":
    case "cell":
    case "length":
      return 1;
    case "object":
    case "array":
    case "closure":
    case "realStore":
    case "objectStore":
    case "zeroStore":
      return Infinity;
  }
}

function primitiveCost({ op, args, site }: Operation & { readonly kind: "prim" }): number {
  const { result } = primitive(op);
  const [, exponent] = args;
  // Both lengths are there
  if (op === "sameLength") return 0;
  if (site !== null && result === "Z") return Infinity;
  if (op === "powInt" && exponent?.kind === "int")
    return exponent.value === 2 ? 1 : exponent.value === 3 ? 2 : Infinity;
  return costOf.get(op) ?? (result === "B" ? 1 : Infinity);
}

/** Whether an operation on numbers costs more than to save what it gives. */
export function isDear(op: Operation): boolean {
  return operationCost(op) > 2;
}
