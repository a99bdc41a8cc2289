// Operations of a run, in words.

import { primitive } from "../core/primitives.js";
import { isTuple, type Meaning } from "./machine.js";
import type { Node, Traced } from "./tape.js";

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

/** So many elements of an array are printed. */
const most = 12;

/** A value as JSON writes it, shortened; `real` prints the numbers of type R. */
export function meaningText(meaning: Meaning<Traced>, real: (value: Traced) => string): string {
  const go = (part: Meaning<Traced>): string => {
    if (typeof part !== "object") return String(part);
    if (isTuple(part)) return `[${part.map(go).join(", ")}]`;
    if ("elements" in part) {
      const { length } = part.elements;
      const items = part.elements.slice(0, most).map(go);
      return `[${[...items, ...(length > most ? [`.. ${length - most} more`] : [])].join(", ")}]`;
    }
    if ("tag" in part) {
      const fields = part.fields.map((field, i) => `${part.layout.keys[i] ?? ""}: ${go(field)}`);
      return `${part.tag} { ${fields.join(", ")} }`;
    }
    return "id" in part ? real(part) : "a function";
  };
  return go(meaning);
}
