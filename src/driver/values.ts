// Values of models outside of emitted modules: decoded from JSON, taken apart into their real numbers, and put together again. All iterative,
// as values may be lists of a million cells.

import { InternalError } from "../internal-error.js";
import type { ValuePart, ValueType } from "./value-types.js";

/** Where a JSON document is not what was expected: `xs._1._0`. */
export interface ValueMistake {
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

export type Decoded<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly mistake: ValueMistake };

/** The way to a part of a value, from the part upwards. */
interface Path {
  readonly parent: Path | null;
  readonly key: string | number;
}

/** A place that waits to be filled with a value. */
interface Place<Origin> {
  readonly origin: Origin;
  readonly type: ValueType;
  readonly path: Path;
  readonly fill: (value: unknown) => void;
}

/**
 * The value of a type that a parsed JSON document stands for. Non-finite numbers are the strings "NaN", "Infinity" and "-Infinity"; objects have
 * exactly the fields of their constructor. `name` begins the path of a mistake.
 */
export function decodeValue(document: unknown, type: ValueType, name: string): Decoded<unknown> {
  let result: unknown;
  const fill = (value: unknown): void => {
    result = value;
  };
  const waiting: Place<unknown>[] = [{ origin: document, type, path: { parent: null, key: name }, fill }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const mistake = isComposite(place.type) ? openPlace(place, waiting) : fillScalar(place);
    if (mistake !== null) return { ok: false, mistake };
  }
  return { ok: true, value: result };
}

/** The values of named parameters, from a document that is one object with their names. */
export function decodeArguments(
  document: unknown,
  params: readonly { readonly name: string; readonly type: ValueType }[],
): Decoded<readonly unknown[]> {
  const expected = params.length === 0 ? "{}" : `an object with ${listed(params.map(({ name }) => name))}`;
  const wrong = (path: string, found: string, wanted = expected): Decoded<never> => ({
    ok: false,
    mistake: { path, expected: wanted, found },
  });
  if (!isObject(document)) return wrong("the arguments", describeJson(document));
  const missing = params.find(({ name }) => !Object.hasOwn(document, name));
  if (missing !== undefined) return wrong("the arguments", `no "${missing.name}"`);
  const extra = Object.keys(document).find((key) => !params.some(({ name }) => name === key));
  if (extra !== undefined) return wrong("the arguments", `also ${JSON.stringify(extra)}`);
  const values: unknown[] = [];
  for (const { name, type } of params) {
    const decoded = decodeValue(fieldOf(document, name), type, name);
    if (!decoded.ok) return decoded;
    values.push(decoded.value);
  }
  return { ok: true, value: values };
}

function fillScalar({ origin, type, path, fill }: Place<unknown>): ValueMistake | null {
  const wrong = (expected: string): ValueMistake => ({ path: pathText(path), expected, found: describeJson(origin) });
  switch (type.kind) {
    case "real": {
      const value = realOf(origin);
      if (value === null) return wrong(aReal);
      fill(value);
      return null;
    }
    case "int":
      if (!Number.isSafeInteger(origin)) return wrong("an integer");
      fill(origin === 0 ? 0 : origin);
      return null;
    case "bool":
      if (typeof origin !== "boolean") return wrong("true or false");
      fill(origin);
      return null;
    default:
      if (origin !== null) return wrong("null");
      fill(null);
      return null;
  }
}

const aReal = 'a number ("NaN", "Infinity" and "-Infinity" are numbers too)';

function realOf(document: unknown): number | null {
  const value = typeof document === "string" ? nonFinite.get(document) : document;
  return typeof value === "number" ? value : null;
}

const nonFinite: ReadonlyMap<string, number> = new Map([
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
]);

function openPlace(place: Place<unknown>, waiting: Place<unknown>[]): ValueMistake | null {
  const { origin, type, path, fill } = place;
  const wrong = (expected: string, found = describeJson(origin)): ValueMistake => ({
    path: pathText(path),
    expected,
    found,
  });
  switch (type.kind) {
    case "tuple": {
      const { parts } = type;
      if (!Array.isArray(origin)) return wrong(`an array of ${parts.length}`);
      if (origin.length !== parts.length) return wrong(`an array of ${parts.length}`, `one of ${origin.length}`);
      const items: unknown[] = [];
      waitFor(parts, place, waiting, (key) => (value) => (items[Number(key)] = value));
      fill(items);
      return null;
    }
    case "array": {
      if (!Array.isArray(origin)) return wrong("an array");
      if (type.element.kind === "real") return fillNumbers(origin, place);
      const items: unknown[] = [];
      waitFor(elementsOf(origin, type.element), place, waiting, (key) => (value) => (items[Number(key)] = value));
      fill(items);
      return null;
    }
    case "record":
      if (!isObject(origin)) return wrong(`an object with ${listed(type.parts.map(({ key }) => String(key)))}`);
      return openObject(place, {}, type.parts, "", waiting);
    case "data": {
      const tags = [...type.cases.keys()].map((tag) => JSON.stringify(tag));
      const expected = `an object with "tag": ${tags.join(" or ")}`;
      if (!isObject(origin)) return wrong(expected);
      const tag = fieldOf(origin, "tag");
      const parts = typeof tag === "string" ? type.cases.get(tag) : undefined;
      if (parts === undefined) return wrong(expected, tag === undefined ? "no tag" : `"tag": ${describeJson(tag)}`);
      return openObject(place, { tag }, parts, `"tag": ${describeJson(tag)}`, waiting);
    }
    default:
      return null;
  }
}

/** `object` is what is known of the value; `constructor` says which constructor's it is, "" for a record. */
function openObject(
  place: Place<unknown>,
  object: Readonly<Record<string, unknown>>,
  parts: readonly ValuePart[],
  constructor: string,
  waiting: Place<unknown>[],
): ValueMistake | null {
  const { origin, path, fill } = place;
  if (!isObject(origin)) return null;
  const wrong = (expected: string, found: string): ValueMistake => ({ path: pathText(path), expected, found });
  const missing = parts.find(({ key }) => !Object.hasOwn(origin, key));
  if (missing !== undefined) {
    const name = JSON.stringify(missing.key);
    return constructor === ""
      ? wrong(`an object with ${listed(parts.map(({ key }) => String(key)))}`, `no ${name}`)
      : wrong(`${name} beside ${constructor}`, "none");
  }
  const extra = Object.keys(origin).find(
    (key) => !Object.hasOwn(object, key) && !parts.some((part) => part.key === key),
  );
  if (extra !== undefined) {
    const alone =
      constructor === ""
        ? `${listed(parts.map(({ key }) => String(key)))} alone`
        : `the fields of ${constructor.slice(7)} alone`;
    return wrong(alone, `also ${JSON.stringify(extra)}`);
  }
  const made = objectWith(object, parts);
  waitFor(parts, place, waiting, (key) => (value) => (made[key] = value));
  fill(made);
  return null;
}

function fillNumbers(items: readonly unknown[], { path, fill }: Place<unknown>): ValueMistake | null {
  const numbers = new Float64Array(items.length);
  for (const [index, item] of items.entries()) {
    const value = realOf(item);
    if (value === null)
      return { path: pathText({ parent: path, key: index }), expected: aReal, found: describeJson(item) };
    numbers[index] = value;
  }
  fill(numbers);
  return null;
}

/** An object with the parts still to be filled in, in their order; one may have the name of the property that sets an object's prototype. */
function objectWith(
  start: Readonly<Record<string, unknown>>,
  parts: readonly ValuePart[],
): Record<string | number, unknown> {
  const object: Record<string | number, unknown> = { ...start };
  for (const { key } of parts) {
    if (key !== "__proto__") object[key] = null;
    else Object.defineProperty(object, key, { value: null, writable: true, enumerable: true, configurable: true });
  }
  return object;
}

function waitFor(
  parts: readonly ValuePart[],
  { origin, path }: Place<unknown>,
  waiting: Place<unknown>[],
  filler: (key: string | number) => (value: unknown) => void,
): void {
  for (const { key, type } of [...parts].reverse()) {
    waiting.push({ origin: fieldOf(origin, key), type, path: { parent: path, key }, fill: filler(key) });
  }
}

// Real numbers of a value

/** A real number of a value: its path (`xs._1._0`) and its value. */
export interface Leaf {
  readonly path: string;
  readonly value: number;
}

/** The real numbers of a value, in the order in which it is read. */
export function realsOf(value: unknown, type: ValueType): readonly number[] {
  const reals: number[] = [];
  walk(value, type, "", (real) => {
    reals.push(real);
  });
  return reals;
}

/** The real numbers of a value, with the way to each. */
export function scalarLeaves(value: unknown, type: ValueType, name: string): readonly Leaf[] {
  const leaves: Leaf[] = [];
  walk(value, type, name, (real, path) => {
    leaves.push({ path: pathText(path), value: real });
  });
  return leaves;
}

function walk(value: unknown, type: ValueType, name: string, visit: (real: number, path: Path) => void): void {
  const waiting: Omit<Place<unknown>, "fill">[] = [{ origin: value, type, path: { parent: null, key: name } }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (place.type.kind === "real" && typeof place.origin === "number") visit(place.origin, place.path);
    const parts = partsOf(place.origin, place.type);
    for (let i = parts.length - 1; i >= 0; i -= 1) {
      const part = parts[i];
      if (part === undefined) continue;
      const { key } = part;
      waiting.push({ origin: fieldOf(place.origin, key), type: part.type, path: { parent: place.path, key } });
    }
  }
}

/**
 * A value like `model` with other real numbers, given in the order of `realsOf`. As a cotangent, its integers are 0: those of type Z
 * have none other.
 */
export function withReals(
  model: unknown,
  type: ValueType,
  reals: readonly number[],
  what: "value" | "cotangent",
): unknown {
  let next = 0;
  let result: unknown;
  const fillResult = (value: unknown): void => {
    result = value;
  };
  const waiting: Omit<Place<unknown>, "path">[] = [{ origin: model, type, fill: fillResult }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { origin, fill } = place;
    if (place.type.kind === "array" && place.type.element.kind === "real") {
      const from = next;
      next += lengthOf(origin);
      fill(Float64Array.from(reals.slice(from, next)));
      continue;
    }
    switch (place.type.kind) {
      case "real":
        fill(reals[next]);
        next += 1;
        break;
      case "int":
        fill(what === "value" ? origin : 0);
        break;
      case "bool":
      case "unit":
        fill(origin);
        break;
      default: {
        const parts = partsOf(origin, place.type);
        const isObjectType = place.type.kind === "record" || place.type.kind === "data";
        const items: unknown[] = [];
        const tag = place.type.kind === "data" ? { tag: fieldOf(origin, "tag") } : {};
        const object = isObjectType ? objectWith(tag, parts) : {};
        for (let i = parts.length - 1; i >= 0; i -= 1) {
          const part = parts[i];
          if (part === undefined) continue;
          const { key } = part;
          const fillPart = isObjectType
            ? (value: unknown): void => void (object[key] = value)
            : (value: unknown): void => void (items[Number(key)] = value);
          waiting.push({ origin: fieldOf(origin, key), type: part.type, fill: fillPart });
        }
        fill(isObjectType ? object : items);
      }
    }
  }
  if (next !== reals.length) throw new InternalError("values", `${reals.length} numbers for ${next} places`);
  return result;
}

/** The cotangent that is 1 at one real number of a value, counted from 0 in the order of `realsOf`, and 0 elsewhere. */
export function oneHotCotangent(value: unknown, type: ValueType, position: number): unknown {
  const zeros = realsOf(value, type).map(() => 0);
  zeros[position] = 1;
  return withReals(value, type, zeros, "cotangent");
}

function partsOf(value: unknown, type: ValueType): readonly ValuePart[] {
  switch (type.kind) {
    case "tuple":
    case "record":
      return type.parts;
    case "array":
      return elementsOf(value, type.element);
    case "data": {
      const tag = fieldOf(value, "tag");
      const parts = typeof tag === "string" ? type.cases.get(tag) : undefined;
      if (parts === undefined) throw new InternalError("values", `no value of type ${type.name}`, describeJson(value));
      return parts;
    }
    default:
      return [];
  }
}

function elementsOf(array: unknown, element: ValueType): readonly ValuePart[] {
  return Array.from({ length: lengthOf(array) }, (_, key) => ({ key, type: element }));
}

function lengthOf(array: unknown): number {
  if (!Array.isArray(array) && !(array instanceof Float64Array))
    throw new InternalError("values", "no array", describeJson(array));
  return array.length;
}

function isComposite(type: ValueType): boolean {
  return type.kind === "tuple" || type.kind === "array" || type.kind === "record" || type.kind === "data";
}

function fieldOf(value: unknown, key: string | number): unknown {
  if (!isObject(value) && !Array.isArray(value)) return undefined;
  const field: unknown = Reflect.get(value, key);
  return field;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A JSON value in a few words. */
function describeJson(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (isObject(value)) return "an object";
  if (typeof value === "number") return String(value);
  return value === undefined ? "nothing" : JSON.stringify(value);
}

/** `xs._1[0]`; of a long path the beginning and the end. */
function pathText(path: Path): string {
  const steps: string[] = [];
  for (let at: Path = path; ; at = at.parent) {
    steps.push(at.parent === null ? String(at.key) : typeof at.key === "number" ? `[${at.key}]` : `.${at.key}`);
    if (at.parent === null) break;
  }
  steps.reverse();
  if (steps.length <= 16) return steps.join("");
  return `${steps.slice(0, 5).join("")} (${steps.length - 9} steps) ${steps.slice(-4).join("")}`;
}

function listed(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(", ");
}
