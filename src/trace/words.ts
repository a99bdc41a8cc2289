// Operations of a run, in words.

import { primitive } from "../core/primitives.js";
import type { Node } from "./tape.js";

/** What the source calls an operation. */
export function notationOf({ op }: Node): string {
  return op === null ? "an argument" : primitive(op).notation;
}

/** `2 * x`, `log 0`: the operation, without its value. */
export function operationText(node: Node, print: (arg: number | boolean) => string): string {
  const notation = notationOf(node);
  const args = node.args.map(print);
  const [x = "", y = ""] = args;
  const isOperator = !/^\w/.test(notation);
  return isOperator && args.length === 2 ? `${x} ${notation} ${y}` : [notation, ...args].join(" ");
}

/** A number as an operand: in parentheses where it is negative. */
export function shownOperand(value: number | boolean): string {
  const text = typeof value === "number" && Object.is(value, -0) ? "-0" : String(value);
  return text.startsWith("-") && text !== "-Infinity" ? `(${text})` : text;
}

/** A number with at most seven digits. */
export function shownNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return Object.is(value, -0) ? "-0" : String(value);
  return String(Number(value.toPrecision(7)));
}
