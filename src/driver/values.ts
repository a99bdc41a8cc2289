// Values of models outside of emitted modules: decoded from JSON, taken apart into their real numbers, and put together again. All iterative,
// as values may be lists of a million cells.

import { propertyName } from "../emit/interface/public-names.js";
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

/** The way to a part of a value, from the value itself; what comes after `depth` steps is left from an earlier part. */
export type Path = (string | number)[];

/** What has fields or elements. */
type Holder = Record<string | number, unknown> | unknown[];

function setPart(holder: Holder, key: string | number, value: unknown): void {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else holder[key] = value;
}

/** Part of a value or document whose turn comes later: under `key`, after `depth` keys. */
interface Place {
  readonly origin: unknown;
  readonly type: ValueType;
  readonly key: string | number;
  readonly depth: number;
}

/** The same, and where what is made of it goes. */
interface Target extends Place {
  readonly holder: Holder;
}

/**
 * The value of a type that a parsed JSON document stands for. Non-finite numbers are the strings "NaN", "Infinity" and "-Infinity"; objects have
 * exactly the fields of their constructor. `name` begins the path of a mistake.
 */
export function decodeValue(document: unknown, type: ValueType, name: string): Decoded<unknown> {
  const root: Record<string, unknown> = { [name]: null };
  const path: Path = [];
  const waiting: Target[] = [{ origin: document, type, key: name, depth: 0, holder: root }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { origin, type: of, key, depth, holder } = place;
    path[depth] = key;
    const found = decodePart(origin, of, path, depth);
    if (found.kind === "mistake") return { ok: false, mistake: found.mistake };
    const made = found.kind === "done" ? found.value : found.made;
    setPart(holder, key, made);
    if (found.kind === "open") pushParts(waiting, origin, of, found.made, depth);
  }
  return { ok: true, value: root[name] };
}

/** The values of named parameters, from a document that is one object with their names; `whole` is what mistakes call it. */
export function decodeArguments(
  document: unknown,
  params: readonly { readonly name: string; readonly type: ValueType }[],
  whole = "the arguments",
): Decoded<readonly unknown[]> {
  const expected = params.length === 0 ? "{}" : `an object with ${listed(params.map(({ name }) => name))}`;
  const wrong = (path: string, found: string, wanted = expected): Decoded<never> => ({
    ok: false,
    mistake: { path, expected: wanted, found },
  });
  if (!isObject(document)) return wrong(whole, describeJson(document));
  const missing = params.find(({ name }) => !Object.hasOwn(document, name));
  if (missing !== undefined) return wrong(whole, asInModel(document, missing.name) ?? `no "${missing.name}"`);
  const extra = Object.keys(document).find((key) => !params.some(({ name }) => name === key));
  if (extra !== undefined) return wrong(whole, `also ${JSON.stringify(extra)}`);
  const values: unknown[] = [];
  for (const { name, type } of params) {
    const decoded = decodeValue(fieldOf(document, name), type, name);
    if (!decoded.ok) return decoded;
    values.push(decoded.value);
  }
  return { ok: true, value: values };
}

/** What has become of part of a document: a value, one whose parts are still to be made, or a mistake. */
type DecodedPart =
  | { readonly kind: "done"; readonly value: unknown }
  | { readonly kind: "open"; readonly made: Holder }
  | { readonly kind: "mistake"; readonly mistake: ValueMistake };

function decodePart(origin: unknown, type: ValueType, path: Path, depth: number): DecodedPart {
  const misfit = (expected: string, found = describeJson(origin)): DecodedPart => ({
    kind: "mistake",
    mistake: { path: pathText(path, depth), expected, found },
  });
  switch (type.kind) {
    case "real": {
      const value = realOf(origin);
      return value === null ? misfit(aReal) : { kind: "done", value };
    }
    case "int":
      if (!Number.isSafeInteger(origin)) return misfit(Number.isInteger(origin) ? safeInteger : "an integer");
      return { kind: "done", value: origin === 0 ? 0 : origin };
    case "bool":
      return typeof origin === "boolean" ? { kind: "done", value: origin } : misfit("true or false");
    case "unit":
      return origin === null ? { kind: "done", value: null } : misfit("null");
    case "tuple": {
      const { length } = type.parts;
      if (!Array.isArray(origin)) return misfit(`an array of ${length}`);
      if (origin.length !== length) return misfit(`an array of ${length}`, `one of ${origin.length}`);
      return { kind: "open", made: new Array<unknown>(length) };
    }
    case "array": {
      if (!isList(origin)) return misfit("an array");
      const items = origin;
      if (type.element.kind !== "real") return { kind: "open", made: new Array<unknown>(items.length) };
      const numbers = new Float64Array(items.length);
      for (let i = 0; i < items.length; i += 1) {
        const value = realOf(items[i]);
        if (value === null) {
          path[depth + 1] = i;
          const mistake = { path: pathText(path, depth + 1), expected: aReal, found: describeJson(items[i]) };
          return { kind: "mistake", mistake };
        }
        numbers[i] = value;
      }
      return { kind: "done", value: numbers };
    }
    case "record": {
      const { parts } = type;
      if (!isObject(origin)) return misfit(`an object with ${listed(parts.map((part) => String(part.key)))}`);
      const wrong = misfitOf(origin, parts, null);
      return wrong === null ? { kind: "open", made: objectWith(null, parts) } : misfit(wrong.expected, wrong.found);
    }
    case "data": {
      if (!isObject(origin)) return misfit(anyOf(type.cases));
      const tag = fieldOf(origin, "tag");
      const parts = typeof tag === "string" ? type.cases.get(tag) : undefined;
      if (typeof tag !== "string" || parts === undefined)
        return misfit(anyOf(type.cases), tag === undefined ? "no tag" : `"tag": ${describeJson(tag)}`);
      const wrong = misfitOf(origin, parts, tag);
      return wrong === null ? { kind: "open", made: objectWith(tag, parts) } : misfit(wrong.expected, wrong.found);
    }
  }
}

function anyOf(cases: ReadonlyMap<string, unknown>): string {
  return `an object with "tag": ${[...cases.keys()].map((tag) => JSON.stringify(tag)).join(" or ")}`;
}

/** What is missing in an object, or too much; `tag` is null in a record. */
function misfitOf(
  origin: object,
  parts: readonly ValuePart[],
  tag: string | null,
): { readonly expected: string; readonly found: string } | null {
  const keys = Object.keys(origin);
  const missing = parts.find(({ key }) => !Object.hasOwn(origin, key));
  if (missing !== undefined) {
    const name = JSON.stringify(missing.key);
    const written = asInModel(origin, String(missing.key));
    return tag === null
      ? { expected: `an object with ${listed(parts.map(({ key }) => String(key)))}`, found: written ?? `no ${name}` }
      : { expected: `${name} beside "tag": ${JSON.stringify(tag)}`, found: written ?? "none" };
  }
  if (keys.length === parts.length + (tag === null ? 0 : 1)) return null;
  const extra = keys.find((key) => (tag === null || key !== "tag") && !parts.some((part) => part.key === key));
  const alone =
    tag === null
      ? `${listed(parts.map(({ key }) => String(key)))} alone`
      : `the fields of ${JSON.stringify(tag)} alone`;
  return { expected: alone, found: `also ${JSON.stringify(extra)}` };
}

/** What is there in the place of a missing key: its name as the model has it, `x'` for "xPrime"; null where it is not there either. */
function asInModel(origin: object, key: string): string | null {
  const written = Object.keys(origin).find((other) => other !== key && propertyName(other) === key);
  return written === undefined
    ? null
    : `${JSON.stringify(written)}, which is called ${JSON.stringify(key)} in documents`;
}

const safeInteger = "an integer of at most 2^53 - 1 in magnitude";
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

/** Objects with nothing filled in: copies of them are made faster than objects key by key. */
const blanks = new WeakMap<readonly ValuePart[], Readonly<Record<string | number, unknown>>>();

/** An object with the parts still to be filled in, in their order; `tag` is null in a record. */
function objectWith(tag: string | null, parts: readonly ValuePart[]): Record<string | number, unknown> {
  const known = blanks.get(parts);
  if (known !== undefined) return { ...known };
  const object: Record<string | number, unknown> = tag === null ? {} : { tag };
  for (const { key } of parts) {
    // Set, this one would be the object's prototype
    if (key !== "__proto__") object[key] = null;
    else Object.defineProperty(object, key, { value: null, writable: true, enumerable: true, configurable: true });
  }
  blanks.set(parts, object);
  return { ...object };
}

/** Has the parts of a composite wait, the first to come first. */
function pushParts(waiting: Target[], origin: unknown, type: ValueType, holder: Holder, depth: number): void {
  const { parts, element, length } = partsOf(origin, type);
  for (let i = length - 1; i >= 0; i -= 1) {
    const part = parts[i];
    const [key, of] = part === undefined ? [i, element] : [part.key, part.type];
    waiting.push({ origin: fieldOf(origin, key), type: of, key, depth: depth + 1, holder });
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
  walk(value, type, name, (real, path, depth) => {
    leaves.push({ path: pathText(path, depth), value: real });
  });
  return leaves;
}

function walk(
  value: unknown,
  type: ValueType,
  name: string,
  visit: (real: number, path: Path, depth: number) => void,
): void {
  const path: Path = [];
  const waiting: Place[] = [{ origin: value, type, key: name, depth: 0 }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { origin, type: of, key, depth } = place;
    path[depth] = key;
    if (of.kind === "real") {
      if (typeof origin === "number") visit(origin, path, depth);
      continue;
    }
    if (origin instanceof Float64Array) {
      for (let i = 0; i < origin.length; i += 1) {
        path[depth + 1] = i;
        visit(origin[i] ?? NaN, path, depth + 1);
      }
      continue;
    }
    const { parts, element, length } = partsOf(origin, of);
    for (let i = length - 1; i >= 0; i -= 1) {
      const part = parts[i];
      const [partKey, partType] = part === undefined ? [i, element] : [part.key, part.type];
      waiting.push({ origin: fieldOf(origin, partKey), type: partType, key: partKey, depth: depth + 1 });
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
  const root = { value: null };
  const waiting: Target[] = [{ origin: model, type, key: "value", depth: 0, holder: root }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { origin, type: of, key, depth, holder } = place;
    switch (of.kind) {
      case "real":
        setPart(holder, key, reals[next]);
        next += 1;
        break;
      case "int":
        setPart(holder, key, what === "value" ? origin : 0);
        break;
      case "bool":
      case "unit":
        setPart(holder, key, origin);
        break;
      case "tuple":
      case "array":
      case "record":
      case "data": {
        if (of.kind === "array" && of.element.kind === "real") {
          const from = next;
          next += lengthOf(origin);
          setPart(holder, key, Float64Array.from(reals.slice(from, next)));
          break;
        }
        const { parts, length } = partsOf(origin, of);
        const tag = of.kind === "data" ? String(fieldOf(origin, "tag")) : null;
        const made = of.kind === "record" || of.kind === "data" ? objectWith(tag, parts) : new Array<unknown>(length);
        setPart(holder, key, made);
        pushParts(waiting, origin, of, made, depth);
      }
    }
  }
  if (next !== reals.length) throw new InternalError("values", `${reals.length} numbers for ${next} places`);
  return root.value;
}

/** The cotangent that is 1 at one real number of a value, counted from 0 in the order of `realsOf`, and 0 elsewhere. */
export function oneHotCotangent(value: unknown, type: ValueType, position: number): unknown {
  const zeros = realsOf(value, type).map(() => 0);
  zeros[position] = 1;
  return withReals(value, type, zeros, "cotangent");
}

/** The parts of a composite: each with its own key and type; or `length` elements of one type. */
export interface Parts {
  readonly parts: readonly ValuePart[];
  readonly element: ValueType;
  readonly length: number;
}

export function partsOf(value: unknown, type: ValueType): Parts {
  switch (type.kind) {
    case "tuple":
    case "record":
      return { parts: type.parts, element: type, length: type.parts.length };
    case "array":
      return { parts: [], element: type.element, length: lengthOf(value) };
    case "data": {
      const tag = fieldOf(value, "tag");
      const parts = typeof tag === "string" ? type.cases.get(tag) : undefined;
      if (parts === undefined) throw new InternalError("values", `no value of type ${type.name}`, describeJson(value));
      return { parts, element: type, length: parts.length };
    }
    case "real":
    case "int":
    case "bool":
    case "unit":
      return { parts: [], element: type, length: 0 };
  }
}

/** Arrays, of numbers also typed ones: what a gradient holds may be an argument. */
function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

function lengthOf(array: unknown): number {
  if (!isList(array)) throw new InternalError("values", "no array", describeJson(array));
  return array.length;
}

export function fieldOf(value: unknown, key: string | number): unknown {
  return isKeyed(value) ? value[key] : undefined;
}

function isKeyed(value: unknown): value is Readonly<Record<string | number, unknown>> {
  return typeof value === "object" && value !== null;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value in a few words: one of JSON, or whatever a program may have passed. */
function describeJson(value: unknown): string {
  switch (typeof value) {
    case "undefined":
      return "nothing";
    case "string":
      return JSON.stringify(value);
    case "function":
      return "a function";
    case "object":
      return isList(value) ? `an array of ${value.length}` : value === null ? "null" : "an object";
    case "number":
    case "bigint":
    case "boolean":
    case "symbol":
      return String(value);
  }
}

/** `xs._1[0]`; of a long path the beginning and the end. `depth` is the number of keys after the first. */
export function pathText(path: Path, depth: number): string {
  const step = (key: string | number, at: number): string =>
    at === 0 ? String(key) : typeof key === "number" ? `[${key}]` : `.${key}`;
  const text = (from: number, to: number): string =>
    path
      .slice(from, to)
      .map((key, i) => step(key, from + i))
      .join("");
  const length = depth + 1;
  if (length <= 16) return text(0, length);
  return `${text(0, 5)} (${length - 9} steps) ${text(length - 4, length)}`;
}

function listed(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(", ");
}
