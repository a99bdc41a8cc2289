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

/** Text that is ready, or a value to be printed. */
type Pending = { readonly text: string } | { readonly value: unknown };

/** The value on one line; null where that would be longer than `limit`. */
function printLine(document: unknown, limit: number): string | null {
  const parts: string[] = [];
  let length = 0;
  const add = (text: string): void => {
    parts.push(text);
    length += text.length;
  };
  const pending: Pending[] = [{ value: document }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (length > limit) return null;
    if ("text" in next) {
      add(next.text);
    } else if (!isComposite(next.value)) {
      add(printScalar(next.value));
    } else {
      const isList = isArray(next.value);
      const entries: readonly (readonly [string, unknown])[] = Object.entries(next.value);
      const empty = entries.length === 0;
      add(isList ? "[" : empty ? "{" : "{ ");
      pending.push({ text: isList ? "]" : empty ? "}" : " }" });
      for (let i = entries.length - 1; i >= 0; i -= 1) {
        const [key, value] = entries[i] ?? [];
        const separator = i === 0 ? "" : ", ";
        pending.push({ value }, { text: isList ? separator : `${separator}${JSON.stringify(key)}: ` });
      }
    }
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
