// JSON documents: their values, or what is wrong with the text and where.

import { createScanner, printParseErrorCode, visit } from "jsonc-parser";
import { UsageError } from "./usage-error.js";

/** Values of the language are made of objects with far fewer names. */
const mostNames = 100;

/** The value of a document that messages call `name`; a UsageError for one that is not JSON, or gives a name twice in one object. */
export function parseJson(text: string, name: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (text.trim() === "") throw new UsageError(`${name} is not JSON: it is empty`);
    const mistake = firstMistake(text) ?? (error instanceof Error ? error.message : String(error));
    throw new UsageError(`${name} is not JSON: ${mistake}`);
  }
  const repeated = repeatedName(text);
  if (repeated === null) return value;
  throw new UsageError(`${name}: ${repeated.name} is given twice in one object, ${placeOf(text, repeated.offset)}`);
}

const wanted: ReadonlyMap<string, string> = new Map([
  ["InvalidSymbol", 'a value is expected (strings stand in double quotes, also "NaN" and "Infinity")'],
  ["InvalidNumberFormat", "this number is not complete"],
  ["PropertyNameExpected", "a name in double quotes is expected"],
  ["ValueExpected", "a value is expected"],
  ["ColonExpected", "`:` is expected"],
  ["CommaExpected", "`,` is expected"],
  ["CloseBraceExpected", "`}` is expected"],
  ["CloseBracketExpected", "`]` is expected"],
  ["EndOfFileExpected", "nothing may follow the value"],
  ["InvalidCommentToken", "there are no comments"],
  ["UnexpectedEndOfComment", "there are no comments"],
  ["UnexpectedEndOfString", "this string has no end in its line"],
  ["UnexpectedEndOfNumber", "this number is not complete"],
  ["InvalidUnicode", "this string has an escape that means nothing"],
  ["InvalidEscapeCharacter", "this string has an escape that means nothing"],
  ["InvalidCharacter", "this string has a control character, which must be escaped"],
]);

/** The first thing that is wrong with a text that is not JSON; null where it is nested so deep that nobody can tell. */
function firstMistake(text: string): string | null {
  const mistakes: string[] = [];
  try {
    const onError = (code: Parameters<typeof printParseErrorCode>[0], offset: number): void => {
      if (mistakes.length === 0) mistakes.push(`${wanted.get(printParseErrorCode(code)) ?? "this is wrong"}, ${placeOf(text, offset)}`); // prettier-ignore
    };
    visit(text, { onError }, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return mistakes[0] ?? null;
}

/** The first name, as written, that an object of a JSON text gives a second time. */
function repeatedName(text: string): { readonly name: string; readonly offset: number } | null {
  const scanner = createScanner(text, true);
  const open: string[][] = [];
  let last = { name: "", written: "", offset: 0 };
  for (;;) {
    scanner.scan();
    const at = scanner.getTokenOffset();
    switch (text[at]) {
      case undefined:
        return null;
      case "{":
      case "[":
        open.push([]);
        break;
      case "}":
      case "]":
        open.pop();
        break;
      case '"':
        last = { name: scanner.getTokenValue(), written: text.slice(at, at + scanner.getTokenLength()), offset: at };
        break;
      case ":": {
        const names = open.at(-1) ?? [];
        if (names.includes(last.name)) return { name: last.written, offset: last.offset };
        if (names.length < mostNames) names.push(last.name);
      }
    }
  }
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}
