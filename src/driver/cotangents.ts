// Whether a decoded cotangent or tangent is one of a value: both have the type, but constructors, lengths, integers and Booleans must go together too.

import type { ValueType } from "./value-types.js";
import { fieldOf, partsOf, pathText, type Path, type ValueMistake } from "./values.js";

/** A part of both whose turn comes later: under `key`, after `depth` keys. */
interface Place {
  readonly cotangent: unknown;
  readonly value: unknown;
  readonly type: ValueType;
  readonly key: string | number;
  readonly depth: number;
}

/** What messages call a cotangent or tangent: where its paths begin, what it is, and of what. */
export interface Called {
  readonly name: string;
  readonly what: "cotangent" | "tangent";
  readonly of: "value" | "argument";
}

export const resultCotangent: Called = { name: "cotangent", what: "cotangent", of: "value" };

/** Where a cotangent or tangent does not go with a value of its type; null where it does. Iterative, as both may be lists of a million cells. */
export function cotangentMistake(
  cotangent: unknown,
  value: unknown,
  type: ValueType,
  called: Called,
): ValueMistake | null {
  const path: Path = [];
  const waiting: Place[] = [{ cotangent, value, type, key: called.name, depth: 0 }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    path[place.depth] = place.key;
    const wrong = differenceOf(place.cotangent, place.value, place.type, called);
    if (wrong !== null) return { path: pathText(path, place.depth), ...wrong };
    // Numbers go with numbers
    if (place.type.kind === "array" && place.type.element.kind === "real") continue;
    const { parts, element, length } = partsOf(place.value, place.type);
    for (let i = length - 1; i >= 0; i -= 1) {
      const part = parts[i];
      const [key, of] = part === undefined ? [i, element] : [part.key, part.type];
      waiting.push({
        cotangent: fieldOf(place.cotangent, key),
        value: fieldOf(place.value, key),
        type: of,
        key,
        depth: place.depth + 1,
      });
    }
  }
  return null;
}

/** What is wrong at one place, whatever its parts are. */
function differenceOf(
  cotangent: unknown,
  value: unknown,
  type: ValueType,
  { what, of }: Called,
): Omit<ValueMistake, "path"> | null {
  switch (type.kind) {
    case "int":
      return cotangent === 0 ? null : { expected: `0, the ${what} of an integer`, found: String(cotangent) };
    case "bool":
      return cotangent === value ? null : { expected: `${String(value)}, as in the ${of}`, found: String(cotangent) };
    case "array": {
      const [found, length] = [fieldOf(cotangent, "length"), fieldOf(value, "length")];
      if (found === length) return null;
      return { expected: `an array of ${String(length)}, as in the ${of}`, found: `one of ${String(found)}` };
    }
    case "data": {
      const [found, tag] = [fieldOf(cotangent, "tag"), fieldOf(value, "tag")];
      if (found === tag) return null;
      return { expected: `"tag": ${JSON.stringify(tag)}, as in the ${of}`, found: `"tag": ${JSON.stringify(found)}` };
    }
    case "real":
    case "unit":
    case "tuple":
    case "record":
      return null;
  }
}
