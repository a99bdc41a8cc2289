import { printType } from "../core/print-type.js";
import type { Type } from "../core/type.js";

/** `1st`, `2nd`, .. */
export function ordinal(position: number): string {
  const tens = position % 100;
  if (tens >= 11 && tens <= 13) return `${position}th`;
  return `${position}${["th", "st", "nd", "rd"][position % 10] ?? "th"}`;
}

/** `1 argument`, `2 arguments`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `` `a` ``, `` `a` and `b` ``, `` `a`, `b` and `c` ``. */
export function listed(names: readonly string[], last: "and" | "or" = "and"): string {
  const quoted = names.map((name) => `\`${name}\``);
  const end = quoted.pop() ?? "";
  return quoted.length === 0 ? end : `${quoted.join(", ")} ${last} ${end}`;
}

/** `has the type (R, Z)`; for a literal that may be R or Z, `is a number`. */
export function hasType(type: Type): string {
  return isNumber(type) ? "is a number" : `has the type ${printType(type)}`;
}

/** R or Z, not decided yet. */
export function isNumber(type: Type): boolean {
  return type.kind === "typeVar" && type.name === "number";
}

/** `did you mean ..?`; null without suggestions. */
export function didYouMean(suggestions: readonly string[]): string | null {
  return suggestions.length === 0 ? null : `did you mean ${listed(suggestions, "or")}?`;
}
