// Random values of a type: small ones, with numbers at which finite differences are exact enough.

import fc from "fast-check";
import type { ValuePart, ValueType } from "../../src/driver/value-types.js";

/** Values of a type. Data nests at most `depth` deep where the type lets it end. */
export function valuesOf(type: ValueType, depth = 4): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case "real":
      return fc.integer({ min: -24, max: 24 }).map((eighths) => eighths / 8);
    case "int":
      return fc.integer({ min: -4, max: 4 });
    case "bool":
      return fc.boolean();
    case "unit":
      return fc.constant(null);
    case "tuple":
      return fc.tuple(...type.parts.map((part) => valuesOf(part.type, depth)));
    case "array": {
      // A type that holds arrays of itself ends with empty ones
      const isEnd = levels(type.element) >= depth;
      const items = isEnd ? fc.constant([]) : fc.array(valuesOf(type.element, depth - 1), { maxLength: 3 });
      return type.element.kind === "real" ? items.map((numbers) => Float64Array.from(numbers, Number)) : items;
    }
    case "record":
      return properties(type.parts, depth - 1);
    case "data": {
      const all = [...type.cases];
      const least = Math.min(...all.map(([, parts]) => height(parts)));
      const usable = all.filter(([, parts]) => height(parts) <= Math.max(depth, least));
      return fc.oneof(...usable.map(([tag, parts]) => objects(tag, parts, depth - 1)));
    }
  }
}

function objects(tag: string, parts: readonly ValuePart[], depth: number): fc.Arbitrary<unknown> {
  return properties(parts, depth).map((object) => ({ tag, ...object }));
}

function properties(parts: readonly ValuePart[], depth: number): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const fields = fc.tuple(...parts.map((part) => valuesOf(part.type, depth)));
  return fields.map((values) => Object.fromEntries(parts.map(({ key }, index) => [key, values[index]])));
}

/** How many levels of data the smallest object with these fields has; `within` are the types around it. */
function height(parts: readonly ValuePart[], within: readonly ValueType[] = []): number {
  return 1 + Math.max(0, ...parts.map(({ type }) => levels(type, within)));
}

/** As `height`, of the smallest value of a type. */
function levels(type: ValueType, within: readonly ValueType[] = []): number {
  if (type.kind === "tuple") return height(type.parts, within) - 1;
  if (type.kind !== "data" && type.kind !== "record") return 0;
  if (within.includes(type)) return Infinity;
  const cases = type.kind === "record" ? [type.parts] : [...type.cases.values()];
  return Math.min(...cases.map((fields) => height(fields, [...within, type])));
}
