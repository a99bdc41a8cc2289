// Random values of a type: small ones, with numbers at which finite differences are exact enough.

import fc from "fast-check";
import type { ValuePart, ValueType } from "../../src/driver/value-types.js";

/** Which numbers occur. */
export interface Numbers {
  readonly reals: fc.Arbitrary<number>;
  readonly integers: fc.Arbitrary<number>;
}

const small: Numbers = {
  reals: fc.integer({ min: -24, max: 24 }).map((eighths) => eighths / 8),
  integers: fc.integer({ min: -4, max: 4 }),
};

/** Numbers of all sizes, those that are not finite, and -0. */
export const allNumbers: Numbers = {
  reals: fc.oneof(fc.double(), fc.constantFrom(NaN, Infinity, -Infinity, -0, 0, 5e-324, 1e21, 1 / 3)),
  integers: fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -4, max: 4 })),
};

/** Values of a type. Data nests at most `depth` deep where the type lets it end. */
export function valuesOf(type: ValueType, depth = 4, numbers: Numbers = small): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case "real":
      return numbers.reals;
    case "int":
      return numbers.integers;
    case "bool":
      return fc.boolean();
    case "unit":
      return fc.constant(null);
    case "tuple":
      return fc.tuple(...type.parts.map((part) => valuesOf(part.type, depth, numbers)));
    case "array": {
      // A type may hold itself in an array, and then ends where that is empty
      if (depth <= 0) return fc.constant(type.element.kind === "real" ? new Float64Array(0) : []);
      const items = fc.array(valuesOf(type.element, depth - 1, numbers), { maxLength: 4 });
      return type.element.kind === "real" ? items.map((reals) => Float64Array.from(reals, Number)) : items;
    }
    case "record":
      return objects(null, type.parts, depth - 1, numbers);
    case "data": {
      const all = [...type.cases];
      const least = Math.min(...all.map(([, parts]) => height(parts)));
      const usable = all.filter(([, parts]) => height(parts) <= Math.max(depth, least));
      return fc.oneof(...usable.map(([tag, parts]) => objects(tag, parts, depth - 1, numbers)));
    }
  }
}

function objects(
  tag: string | null,
  parts: readonly ValuePart[],
  depth: number,
  numbers: Numbers,
): fc.Arbitrary<unknown> {
  const fields = fc.tuple(...parts.map((part) => valuesOf(part.type, depth, numbers)));
  return fields.map((values) => ({
    ...(tag === null ? {} : { tag }),
    ...Object.fromEntries(parts.map(({ key }, index) => [key, values[index]])),
  }));
}

/** How many levels of data the smallest object with these fields has; `within` are the types around it. */
function height(parts: readonly ValuePart[], within: readonly ValueType[] = []): number {
  const levels = parts.map(({ type }): number => {
    if (type.kind === "tuple") return height(type.parts, within) - 1;
    if (type.kind === "record") return within.includes(type) ? Infinity : height(type.parts, [...within, type]);
    if (type.kind !== "data") return 0;
    if (within.includes(type)) return Infinity;
    return Math.min(...[...type.cases.values()].map((fields) => height(fields, [...within, type])));
  });
  return 1 + Math.max(0, ...levels);
}
