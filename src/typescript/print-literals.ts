// Literals and comments, as prettier leaves them.

import type { Target } from "./print-normal.js";
import { isIdentifierName } from "./print-normal.js";

/** A finite number that is not negative. */
export function printNumber(value: number): string {
  return String(value).replace("e+", "e");
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** Backslashes, control characters, the two line separators and lone surrogates. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const special = /[\\\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]|\p{Surrogate}/gu;

/** A string literal in the quotes that need fewer escapes, double ones where both need as many. */
export function printString(value: string): string {
  const quote = count(value, '"') > count(value, "'") ? "'" : '"';
  const escaped = value.replace(special, (character) => shortEscapes.get(character) ?? codeEscape(character));
  return quote + escaped.replaceAll(quote, `\\${quote}`) + quote;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

function codeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A property's name in an object literal. `__proto__` is computed: it would otherwise set the prototype. */
export function printKey(name: string, target: Target): string {
  if (name === "__proto__") return '["__proto__"]';
  return printTypeKey(name, target);
}

/** A property's name in an object type. */
export function printTypeKey(name: string, target: Target): string {
  if (isIdentifierName(name)) return name;
  // prettier takes the quotes from such keys in JavaScript
  if (target === "js" && /^(?:\d+|\d+\.\d+)$/.test(name) && String(Number(name)) === name) return name;
  return printString(name);
}

// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

function commentLines(text: string): readonly string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/).map((one) => one.replace(control, " ").trimEnd());
}

/** `// ..`, one line for each line of the text. */
export function printComment(text: string): readonly string[] {
  return commentLines(text).map((one) => (one === "" ? "//" : `// ${one}`));
}

/** `/** .. *\/`; "" where there is no text. */
export function printDocComment(text: string): string {
  if (text.trim() === "") return "";
  const lines = commentLines(text.trim().replaceAll("*/", "*\\/"));
  const [first = ""] = lines;
  if (lines.length === 1) return `/** ${first} */`;
  return ["/**", ...lines.map((one) => (one === "" ? " *" : ` * ${one}`)), " */"].join("\n");
}

/** A line of a module's header: a comment as it stands, or text that becomes one. */
export function printHeaderLine(text: string): string {
  const isComment = text.startsWith("//") || (text.startsWith("/*") && text.trimEnd().endsWith("*/"));
  return isComment ? commentLines(text).join(" ") : printComment(text).join("\n");
}
