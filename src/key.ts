// Programs as keys: equal texts for parts that are written the same, and for no others.

/** Numbers that JSON has no text for: 0 and -0 would be one, and all that is not finite would be. */
const ambiguous = /"value":(?:0|null)[,}]/;

/** The text of a part of a program. */
export function keyOf(part: unknown): string {
  const text = JSON.stringify(part);
  return ambiguous.test(text) ? JSON.stringify(part, (_, value: unknown) => writtenOut(value)) : text;
}

/** For a replacer of JSON.stringify: numbers without a text of their own as something that is no number. */
export function writtenOut(value: unknown): unknown {
  if (typeof value !== "number" || (Number.isFinite(value) && !Object.is(value, -0))) return value;
  return { number: numberText(value) };
}

/** A number, or another literal, as text: -0 is not 0. */
export function numberText(value: number | boolean): string {
  return Object.is(value, -0) ? "-0" : String(value);
}
