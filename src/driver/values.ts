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

/** What has fields or elements. */
type Holder = Record<string | number, unknown> | unknown[];

function setPart(holder: Holder, key: string | number, value: unknown): void {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else holder[key] = value;
}

/** The parts of a composite: each with its own key and type, or the elements of an array. */
interface Parts {
  readonly parts: readonly ValuePart[];
  readonly element: { readonly key: null; readonly type: ValueType } | null;
  readonly length: number;
}

/** A composite value that is being made of part of a document: `next` of its parts is the next one. */
interface Frame extends Parts, Path {
  readonly kind: "open";
  readonly parent: Frame | null;
  readonly origin: object;
  readonly made: Holder;
  next: number;
}

/**
 * The value of a type that a parsed JSON document stands for. Non-finite numbers are the strings "NaN", "Infinity" and "-Infinity"; objects have
 * exactly the fields of their constructor. `name` begins the path of a mistake.
 */
export function decodeValue(document: unknown, type: ValueType, name: string): Decoded<unknown> {
  const root = decodePart(document, type, null, name);
  if (root.kind === "mistake") return { ok: false, mistake: root.mistake };
  if (root.kind === "done") return { ok: true, value: root.value };
  for (let frame: Frame | null = root; frame !== null;) {
    const index = frame.next;
    if (index === frame.length) {
      frame = frame.parent;
      continue;
    }
    frame.next += 1;
    const { key, type: of } = frame.element ?? frame.parts[index] ?? noPart();
    const at = key ?? index;
    const origin = fieldOf(frame.origin, at);
    if (of.kind === "real" && typeof origin === "number") {
      setPart(frame.made, at, origin);
      continue;
    }
    const found = decodePart(origin, of, frame, at);
    if (found.kind === "mistake") return { ok: false, mistake: found.mistake };
    setPart(frame.made, at, found.kind === "done" ? found.value : found.made);
    if (found.kind === "open") frame = found;
  }
  return { ok: true, value: root.made };
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

/** What has become of part of a document: a value, one whose parts are still to be made, or a mistake. */
type DecodedPart =
  | { readonly kind: "done"; readonly value: unknown }
  | { readonly kind: "mistake"; readonly mistake: ValueMistake }
  | Frame;

function decodePart(origin: unknown, type: ValueType, parent: Frame | null, key: string | number): DecodedPart {
  const place = { parent, key };
  switch (type.kind) {
    case "real": {
      const value = realOf(origin);
      return value === null ? misfit(place, origin, aReal) : { kind: "done", value };
    }
    case "int":
      if (!Number.isSafeInteger(origin)) return misfit(place, origin, "an integer");
      return { kind: "done", value: origin === 0 ? 0 : origin };
    case "bool":
      return typeof origin === "boolean" ? { kind: "done", value: origin } : misfit(place, origin, "true or false");
    case "unit":
      return origin === null ? { kind: "done", value: null } : misfit(place, origin, "null");
    case "tuple": {
      const { parts } = type;
      if (!Array.isArray(origin)) return misfit(place, origin, `an array of ${parts.length}`);
      if (origin.length !== parts.length)
        return misfit(place, origin, `an array of ${parts.length}`, `one of ${origin.length}`);
      return opened(place, origin, new Array<unknown>(parts.length), parts);
    }
    case "array": {
      if (!Array.isArray(origin)) return misfit(place, origin, "an array");
      const items: readonly unknown[] = origin;
      if (type.element.kind !== "real") {
        return { kind: "open", parent, key, origin, parts: [], element: { key: null, type: type.element }, length: items.length, made: new Array<unknown>(items.length), next: 0 }; // prettier-ignore
      }
      const numbers = new Float64Array(items.length);
      for (let i = 0; i < items.length; i += 1) {
        const value = realOf(items[i]);
        if (value === null) return misfit({ parent: place, key: i }, items[i], aReal);
        numbers[i] = value;
      }
      return { kind: "done", value: numbers };
    }
    case "record": {
      const { parts } = type;
      if (!isObject(origin))
        return misfit(place, origin, `an object with ${listed(parts.map((part) => String(part.key)))}`);
      const wrong = misfitOf(origin, parts, null);
      if (wrong !== null) return misfit(place, origin, wrong.expected, wrong.found);
      return opened(place, origin, objectWith({}, parts), parts);
    }
    case "data": {
      if (!isObject(origin)) return misfit(place, origin, anyOf(type.cases));
      const tag = fieldOf(origin, "tag");
      const parts = typeof tag === "string" ? type.cases.get(tag) : undefined;
      if (typeof tag !== "string" || parts === undefined)
        return misfit(place, origin, anyOf(type.cases), tag === undefined ? "no tag" : `"tag": ${describeJson(tag)}`);
      const wrong = misfitOf(origin, parts, tag);
      if (wrong !== null) return misfit(place, origin, wrong.expected, wrong.found);
      return opened(place, origin, objectWith({ tag }, parts), parts);
    }
  }
}

function misfit(path: Path, origin: unknown, expected: string, found = describeJson(origin)): DecodedPart {
  return { kind: "mistake", mistake: { path: pathText(path), expected, found } };
}

function opened(
  { parent, key }: Pick<Frame, "parent" | "key">,
  origin: object,
  made: Holder,
  parts: readonly ValuePart[],
): Frame {
  return { kind: "open", parent, key, origin, parts, element: null, length: parts.length, made, next: 0 };
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
    return tag === null
      ? { expected: `an object with ${listed(parts.map(({ key }) => String(key)))}`, found: `no ${name}` }
      : { expected: `${name} beside "tag": ${JSON.stringify(tag)}`, found: "none" };
  }
  if (keys.length === parts.length + (tag === null ? 0 : 1)) return null;
  const extra = keys.find((key) => (tag === null || key !== "tag") && !parts.some((part) => part.key === key));
  const alone =
    tag === null
      ? `${listed(parts.map(({ key }) => String(key)))} alone`
      : `the fields of ${JSON.stringify(tag)} alone`;
  return { expected: alone, found: `also ${JSON.stringify(extra)}` };
}

function noPart(): never {
  throw new InternalError("values", "a part without a type");
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

// Real numbers of a value

/** Part of a value whose turn comes later. */
interface Place {
  readonly origin: unknown;
  readonly type: ValueType;
  readonly path: Path;
}

/** The same, and where its copy goes. */
interface Target extends Omit<Place, "path"> {
  readonly holder: Holder;
  readonly key: string | number;
}

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
  const waiting: Place[] = [{ origin: value, type, path: { parent: null, key: name } }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { origin, type: of, path } = place;
    if (of.kind === "real" && typeof origin === "number") visit(origin, path);
    const parts = partsOf(origin, of);
    for (let i = parts.length - 1; i >= 0; i -= 1) {
      const { key, type: part } = parts[i] ?? noPart();
      waiting.push({ origin: fieldOf(origin, key), type: part, path: { parent: path, key } });
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
  const root: { value: unknown } = { value: null };
  const waiting: Target[] = [{ origin: model, type, holder: root, key: "value" }];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { origin, type: of, holder, key } = place;
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
      default: {
        if (of.kind === "array" && of.element.kind === "real") {
          const from = next;
          next += lengthOf(origin);
          setPart(holder, key, Float64Array.from(reals.slice(from, next)));
          break;
        }
        const parts = partsOf(origin, of);
        const tag = of.kind === "data" ? { tag: fieldOf(origin, "tag") } : {};
        const made: Holder =
          of.kind === "record" || of.kind === "data" ? objectWith(tag, parts) : new Array<unknown>(parts.length);
        setPart(holder, key, made);
        for (let i = parts.length - 1; i >= 0; i -= 1) {
          const part = parts[i] ?? noPart();
          waiting.push({ origin: fieldOf(origin, part.key), type: part.type, holder: made, key: part.key });
        }
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
