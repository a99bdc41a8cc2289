// What it costs to compute a value again, in operations.

import { costOf, primitive } from "../core/primitives.js";
import { literalsOf } from "./build.js";
import type { Operation } from "./program.js";

/** Recomputing a value of more operations than this costs more than saving it. */
export const cheapEnough = 8;

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
    case "extern":
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
  const cost = costOf(op, literalsOf(args));
  return site !== null && primitive(op).result === "Z" && cost > 0 ? Infinity : cost;
}

/** Whether an operation on numbers costs more than to save what it gives. */
export function isDear(op: Operation): boolean {
  return operationCost(op) > 2;
}
