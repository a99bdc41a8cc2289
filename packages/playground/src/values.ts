// Numbers inside of documents, by the path to each.

export type Path = readonly (string | number)[];

type Given = Readonly<Record<string, unknown>>;

function isParts(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The paths of all numbers in a document, in order. */
export function numbersOf(value: unknown): readonly Path[] {
  if (typeof value === "number") return [[]];
  if (!isParts(value)) return [];
  const isList = Array.isArray(value) || ArrayBuffer.isView(value);
  return Object.entries(value).flatMap(([key, part]) =>
    numbersOf(part).map((rest) => [isList ? Number(key) : key, ...rest]),
  );
}

/** `w.bias`, `w.weights[2]`. */
export function pathText(path: Path): string {
  return path.map((key, i) => (typeof key === "number" ? `[${key}]` : i === 0 ? key : `.${key}`)).join("");
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, key) => (isParts(part) ? Reflect.get(part, key) : undefined), value);
}

/** A document with another value at a path. */
export function withNumberAt(args: Given, path: Path, value: unknown): Given {
  const [first, ...rest] = path;
  return first === undefined ? args : { ...args, [first]: replaced(args[first], rest, value) };
}

function replaced(whole: unknown, path: Path, value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined || !isParts(whole)) return value;
  const part = replaced(Reflect.get(whole, first), rest, value);
  if (!Array.isArray(whole)) return { ...whole, [first]: part };
  const items: readonly unknown[] = whole;
  return items.map((item, i) => (i === first ? part : item));
}

/** Whether two documents have the same fields, and so fit the same type, as far as that can be seen. */
export function sameShape(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === 0 || other.length === 0 || sameShape(one[0], other[0]);
  }
  if (typeof one !== typeof other || !isParts(one) || !isParts(other)) return typeof one === typeof other && isParts(one) === isParts(other); // prettier-ignore
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  // Data with tags has other fields for each
  if ("tag" in one || "tag" in other) return "tag" in one && "tag" in other;
  const [keys, others] = [Object.keys(one).sort(), Object.keys(other).sort()];
  return (
    keys.join() === others.join() && keys.every((key) => sameShape(Reflect.get(one, key), Reflect.get(other, key)))
  );
}

/** A value as text, its numbers with at most seven digits. */
export function shown(value: unknown): string {
  if (typeof value === "number") return shownNumber(value);
  if (ArrayBuffer.isView(value)) return shown(numbers(value));
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const more = items.length > 40 ? [`.. ${items.length - 40} more`] : [];
    return `[${[...items.slice(0, 40).map(shown), ...more].join(", ")}]`;
  }
  if (isParts(value)) return `{ ${Object.entries(value).map(([key, part]) => `${key}: ${shown(part)}`).join(", ")} }`; // prettier-ignore
  return String(value);
}

function numbers(view: ArrayBufferView): readonly number[] {
  return view instanceof Float64Array ? Array.from(view) : [];
}

export function shownNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return Object.is(value, -0) ? "-0" : String(value);
  return String(Number(value.toPrecision(7)));
}

/** A number at an axis: four digits, and an exponent where zeros would be in front of or behind them. */
export function axisNumber(value: number): string {
  const short = Number(value.toPrecision(4));
  const size = Math.abs(short);
  return size === 0 || (size >= 1e-3 && size < 1e5) ? String(short) : short.toExponential();
}

/** Whether all numbers in a document are finite. */
export function isFinitePoint(value: unknown): boolean {
  return numbersOf(value).every((path) => Number.isFinite(valueAt(value, path)));
}
