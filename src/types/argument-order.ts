// Whether an argument seems to have been meant for another parameter of the function that is called.

import type { Type } from "../core/type.js";
import type { Mismatch } from "./mistakes.js";

/** Types that are hardly taken for each other. */
type Sort = "function" | "array" | "other";

/** Whether an argument is a function, an array, or neither, where a parameter of another of these sorts stands, and the function has one of its own sort. */
export function isOutOfOrder({ expected, found, reason }: Mismatch): boolean {
  const outer = reason.kind === "tupleLambda" ? reason.outer : reason;
  if (outer.kind !== "argument" || outer.given < 2) return false;
  const [wanted, given] = [sortOf(expected), sortOf(found)];
  const sorts = paramsOf(outer.calleeType).map(sortOf);
  return wanted !== given && (sorts.includes("function") || (sorts.includes(given) && sorts.includes(wanted)));
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
