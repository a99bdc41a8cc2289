// Random and mutated text never crashes the compiler: it gives a module or diagnostics.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile } from "../src/driver/compile.js";
import { format } from "../src/driver/format.js";
import { fixtureNames, fixturesFolder } from "./support/fixture.js";
import { readFileSync } from "node:fs";

const runs = Number(process.env["DUALREV_RUNS"] ?? 100);

/** Compiles and formats; what both throw is a bug. Diagnostics point into the text. */
function survives(text: string): void {
  const source = { name: "fuzz.lam", text };
  const compiled = compile(source, { verify: true });
  if (!compiled.ok) expect(compiled.diagnostics).not.toEqual([]);
  for (const { span } of compiled.diagnostics) {
    if (span.file !== source.name) continue;
    expect(span.start).toBeGreaterThanOrEqual(0);
    expect(span.end).toBeGreaterThanOrEqual(span.start);
    expect(span.end).toBeLessThanOrEqual(text.length);
  }
  const formatted = format(source);
  if (formatted.ok)
    expect(format({ ...source, text: formatted.value })).toMatchObject({ ok: true, value: formatted.value });
}

const pieces = [
  "def", "data", "type", "let", "rec", "and", "in", "if", "then", "else", "case", "of", "true", "false", "inl", "inr", "import", "rule",
  "f", "g", "x", "y", "xs", "x'", "_", "A", "B", "List", "Cons", "Nil", "R", "Z", "Bool", "fst", "snd", "sin", "max", "pi", "listSum",
  "0", "1", "2.5", "1e-3", "9007199254740993", "(", ")", "{", "}", "[", "]", ",", ";", ":", ".", "=", "->", "\\", "λ", "→", "×", "⋆",
  "build", "length", "!", "map", "foldl", "sum", "r.x", "{ r | x = 1 }", "Vec { x = 1 }", "[x]", "[]", "xs ! 0", "data Vec = Vec { x : R }",
  "+", "-", "*", "/", "^", "::", "==", "/=", "<", "<=", ">", ">=", "&&", "||", "|*|", "|", "-- c\n", "{- c -}", "{-", "\n", "\n\n", "--- d\n",
]; // prettier-ignore

const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join(" "));

const groups = [
  "paper",
  "authors",
  "constructs",
  "parallel",
  "table1",
  "names",
  "diagnostics",
  "errors-runtime",
  "gradbench",
  "gradients",
  "models",
  "interfaces",
];
const models = groups.flatMap((group) =>
  fixtureNames(group).map((name) => readFileSync(`${fixturesFolder}${group}/${name}.lam`, "utf8")),
);

interface Mutation {
  readonly at: number;
  readonly length: number;
  readonly insert: string;
}

/** A place, in thousandths of the text, what is deleted there, and what is put in its place. */
const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.integer({ min: 0, max: 999 }),
  length: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12 })),
  insert: fc.oneof(fc.constant(""), fc.constantFrom(...pieces), fc.string({ unit: "grapheme", maxLength: 3 })),
});

function mutate(text: string, mutations: readonly Mutation[]): string {
  return mutations.reduce((now, { at, length, insert }) => {
    const start = Math.floor((at / 1000) * now.length);
    return now.slice(0, start) + insert + now.slice(start + length);
  }, text);
}

describe("the compiler survives", () => {
  test("random text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 60 }), survives), { numRuns: runs });
  });

  test("random words of the language", () => {
    fc.assert(fc.property(soup, survives), { numRuns: 3 * runs });
  });

  test("definitions of random words", () => {
    fc.assert(fc.property(soup, (words) => { survives(`def f (x : R) = ${words}`); }), { numRuns: 3 * runs }); // prettier-ignore
  });

  test("fixtures with pieces changed", () => {
    const mutated = fc.tuple(fc.constantFrom(...models), fc.array(mutation, { minLength: 1, maxLength: 4 }));
    fc.assert(fc.property(mutated, ([text, mutations]) => { survives(mutate(text, mutations)); }), { numRuns: 3 * runs }); // prettier-ignore
  });

  test("fixtures cut short", () => {
    fc.assert(fc.property(fc.constantFrom(...models), fc.integer({ min: 0, max: 999 }), (text, at) => {
      survives(text.slice(0, Math.floor((at / 1000) * text.length)));
    }), { numRuns: runs }); // prettier-ignore
  });
});
