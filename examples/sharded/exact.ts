// Numbers on their way through Redis. BullMQ sends JSON, where finite numbers keep their bits, but not -0, and there are no infinities and no NaN, which a loss may
// be where a step is too long: so numbers are sent as text that has their bytes.

import { Buffer } from "node:buffer";

/** Any float64, as text. */
export function textOf(numbers: readonly number[]): string {
  const bytes = Buffer.alloc(8 * numbers.length);
  numbers.forEach((number, i) => bytes.writeDoubleLE(number, 8 * i));
  return bytes.toString("base64");
}

/** The numbers in a text. */
export function numbersIn(text: string): number[] {
  const bytes = Buffer.from(text, "base64");
  return Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readDoubleLE(8 * i));
}
