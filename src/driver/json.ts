// JSON of the command line: documents of any depth, with "NaN", "Infinity" and "-Infinity" for the numbers that JSON lacks.

/** How far a line may reach, and how deep a document is broken into lines: deeper, the indentation would outweigh the content. */
const lineWidth = 100;
const brokenLevels = 4;

/** A value of plain objects, arrays and scalars as JSON text, broken into lines where it is long. Iterative: it may be a list of a million cells. */
export function printJson(value: unknown): string {
  return printLevel(value, 0, 0);
}

/** `used` is what stands on the line before the value. */
function printLevel(value: unknown, level: number, used: number): string {
  if (!isComposite(value)) return printScalar(value);
  const line = printLine(value, level === brokenLevels ? Infinity : lineWidth - used);
  if (line !== null) return line;
  const indent = "  ".repeat(level + 1);
  const items = isArray(value)
    ? Array.from(value, (item) => indent + printLevel(item, level + 1, indent.length))
    : Object.entries(value).map(([key, field]) => {
        const start = `${indent}${JSON.stringify(key)}: `;
        return start + printLevel(field, level + 1, start.length);
      });
  const [open, close] = isArray(value) ? "[]" : "{}";
  return `${open ?? ""}\n${items.join(",\n")}\n${"  ".repeat(level)}${close ?? ""}`;
}

/** A composite that is being printed: `items[next]` is what follows. */
interface Frame {
  readonly parent: Frame | null;
  readonly items: ArrayLike<unknown>;
  /** Of an object, the names of its fields. */
  readonly keys: readonly string[] | null;
  next: number;
}

function frameOf(value: object, parent: Frame | null): Frame {
  if (isArray(value)) return { parent, items: value, keys: null, next: 0 };
  return { parent, items: Object.values(value), keys: Object.keys(value), next: 0 };
}

/** The value on one line; null where that would be longer than `limit`. */
function printLine(document: object, limit: number): string | null {
  const parts: string[] = [];
  let length = 0;
  const add = (text: string): void => {
    parts.push(text);
    length += text.length;
  };
  for (let frame: Frame | null = frameOf(document, null); frame !== null;) {
    if (length > limit) return null;
    const { items, keys, next } = frame;
    const isEmpty = items.length === 0;
    if (next === 0) add(keys === null ? "[" : isEmpty ? "{" : "{ ");
    if (next === items.length) {
      add(keys === null ? "]" : isEmpty ? "}" : " }");
      frame = frame.parent;
      continue;
    }
    if (next > 0) add(", ");
    if (keys !== null) add(`${JSON.stringify(keys[next])}: `);
    frame.next += 1;
    const value = items[next];
    if (isComposite(value)) frame = frameOf(value, frame);
    else add(printScalar(value));
  }
  return length > limit ? null : parts.join("");
}

function printScalar(value: unknown): string {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return JSON.stringify(String(value));
    return Object.is(value, -0) ? "-0" : String(value);
  }
  return typeof value === "string" || typeof value === "boolean" ? JSON.stringify(value) : "null";
}

function isArray(value: object): value is readonly unknown[] | Float64Array {
  return Array.isArray(value) || value instanceof Float64Array;
}

function isComposite(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
