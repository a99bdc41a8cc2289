import { describe, expect, test } from "vitest";
import { parseJson } from "./json-text.js";

function saidOf(text: string): string {
  try {
    return JSON.stringify(parseJson(text, "args.json"));
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

describe("what is wrong with a JSON document, and where", () => {
  test.each([
    ["", "args.json is not JSON: it is empty"],
    ['{ "a": 1,\n  "xs": [1, 2,] }', "args.json is not JSON: a value is expected, line 2, column 15"],
    [
      "{ a: 1 }",
      'args.json is not JSON: a value is expected (strings stand in double quotes, also "NaN" and "Infinity"), line 1, column 3',
    ],
    [
      '{ "a": NaN }',
      'args.json is not JSON: a value is expected (strings stand in double quotes, also "NaN" and "Infinity"), line 1, column 8',
    ],
    ['{ "a" 1 }', "args.json is not JSON: `:` is expected, line 1, column 7"],
    ['{ "a": 1 "b": 2 }', "args.json is not JSON: `,` is expected, line 1, column 10"],
    ["[1, 2", "args.json is not JSON: `]` is expected, line 1, column 6"],
    ['{ "a": 1 } }', "args.json is not JSON: nothing may follow the value, line 1, column 12"],
    ['{ "a": 1 } // one', "args.json is not JSON: there are no comments, line 1, column 12"],
    ['{ "a": "b\n" }', "args.json is not JSON: this string has no end in its line, line 1, column 8"],
    ['{ "a": { "b": 1, "c": 2, "b": 3 } }', 'args.json: "b" is given twice in one object, line 1, column 26'],
    [
      '{ "a": 1, "__proto__": 2,\n "__proto__": 3 }',
      'args.json: "__proto__" is given twice in one object, line 2, column 2',
    ],
  ])("%j", (text, message) => {
    expect(saidOf(text)).toBe(`UsageError: ${message}`);
  });

  test("the same names in several objects, and as values", () => {
    const text = '[{"a":"a","b":"a"},{"a":["b","b"],"b":{"a":":","b":"{"}}]';
    expect(saidOf(text)).toBe(text);
  });

  test("documents that are nested deeper than a stack", () => {
    const depth = 300_000;
    expect(() => parseJson(`${"[".repeat(depth)}${"]".repeat(depth)}`, "deep.json")).not.toThrow();
    expect(saidOf(`${"[".repeat(depth)}${"]".repeat(depth)}}`)).toMatch(/^UsageError: args\.json is not JSON: /);
  });
});
