// Whether an argument seems to have been meant for another parameter of the function that is called.

import type { Type } from "../core/type.js";
import type { Mismatch, Reason } from "./mistakes.js";

/** Types that are hardly taken for each other. */
type Sort = "function" | "array" | "other";

/**
 * Whether an argument is a function, an array, or neither, where a parameter of another of these sorts stands: in a call of what takes a function, or
 * parameters of both sorts.
 */
export function isOutOfOrder(mistake: Mismatch): boolean {
  const reason = argumentReason(mistake);
  if (reason === null || reason.given < 2) return false;
  const [wanted, given] = [sortOf(mistake.expected), sortOf(mistake.found)];
  const sorts = paramsOf(reason.calleeType).map(sortOf);
  return wanted !== given && (sorts.includes("function") || (sorts.includes(given) && sorts.includes(wanted)));
}

/** Why an argument as a whole, or the body of one that is a lambda, should have a type; null for other places. */
export function argumentReason({ reason }: Mismatch): Extract<Reason, { kind: "argument" }> | null {
  const outer = reason.kind === "tupleLambda" ? reason.outer : reason;
  return outer.kind === "argument" ? outer : null;
}

/** The types of a function's parameters. */
export function paramsOf(type: Type): readonly Type[] {
  const params: Type[] = [];
  for (let rest = type; rest.kind === "fn"; rest = rest.to) params.push(rest.from);
  return params;
}

function sortOf({ kind }: Type): Sort {
  return kind === "fn" ? "function" : kind === "array" ? "array" : "other";
}
