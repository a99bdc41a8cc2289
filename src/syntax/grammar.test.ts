import { readFileSync } from "node:fs";
import {
  Alternation,
  Alternative,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  RepetitionMandatoryWithSeparator,
  RepetitionWithSeparator,
  Terminal,
  type TokenType,
} from "chevrotain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printEbnf, readEbnf, type Ebnf } from "../../test/support/ebnf.js";
import { propertyRuns } from "../../test/support/arbitrary-tree.js";
import { fixities } from "./operators.js";
import { parseModule } from "./parse.js";
import { Parser } from "./parser.js";
import { Integer, keywords, lexerOf, Lower, Real, symbols, Text, tokenize, Upper } from "./tokens.js";

const grammar = readEbnf(readFileSync(new URL("../../grammar/lam.ebnf", import.meta.url), "utf8"));

/** The terminals that the grammar has a rule for. */
const lexicalRules: ReadonlyMap<string, string> = new Map([
  ["->", "arrow"],
  ["|*|", "parallel"],
  ["\\", "lambda"],
  ...["upper", "lower", "integer", "real", "infix", "text"].map((name) => [name, name] as const),
]);

function terminal({ name }: TokenType): Ebnf {
  const rule = lexicalRules.get(name);
  return rule === undefined ? { kind: "text", text: name } : { kind: "rule", name: rule };
}

function sequence(parts: readonly Ebnf[]): Ebnf {
  const flat = parts.flatMap((part) => (part.kind === "sequence" ? part.parts : [part]));
  return flat.length === 1 && flat[0] !== undefined ? flat[0] : { kind: "sequence", parts: flat };
}

/** A parser rule as the grammar would write it. */
function fromParser(production: unknown): Ebnf {
  if (production instanceof Terminal) return terminal(production.terminalType);
  if (production instanceof NonTerminal) return { kind: "rule", name: production.nonTerminalName };
  if (production instanceof Alternation) {
    const parts = production.definition
      .filter((part) => !(part instanceof Alternative && part.definition.length === 0))
      .map(fromParser);
    const choice: Ebnf = { kind: "choice", parts };
    return parts.length === production.definition.length ? choice : { kind: "option", part: choice };
  }
  if (production instanceof Alternative) return sequence(production.definition.map(fromParser));
  if (production instanceof Option) return { kind: "option", part: sequence(production.definition.map(fromParser)) };
  if (production instanceof Repetition)
    return { kind: "repeat", part: sequence(production.definition.map(fromParser)) };
  if (production instanceof RepetitionMandatory) {
    const part = sequence(production.definition.map(fromParser));
    return sequence([part, { kind: "repeat", part }]);
  }
  if (production instanceof RepetitionMandatoryWithSeparator || production instanceof RepetitionWithSeparator) {
    const part = sequence(production.definition.map(fromParser));
    const several = sequence([part, { kind: "repeat", part: sequence([terminal(production.separator), part]) }]);
    return production instanceof RepetitionWithSeparator ? { kind: "option", part: several } : several;
  }
  throw new Error(`unknown production ${String(production)}`);
}

const ruleNames = [...grammar.keys()];
const syntactic = ruleNames.slice(1, ruleNames.indexOf("infix"));

describe("grammar/lam.ebnf", () => {
  test("has tokens that chevrotain finds valid", () => {
    expect(lexerOf(true).lexerDefinitionErrors).toEqual([]);
  });

  test("has the parser's rules, part by part", () => {
    const parser = new Parser(true);
    const productions = Object.entries(parser.getGAstProductions());
    const written = Object.fromEntries(
      syntactic.map((name) => [name, printEbnf(grammar.get(name) ?? { kind: "choice", parts: [] })]),
    );
    const parsed = Object.fromEntries(
      productions.map(([name, rule]) => [name, printEbnf(sequence(rule.definition.map(fromParser)))]),
    );
    expect(parsed).toEqual(written);
  });

  test("has every terminal of the lexer, and every operator", () => {
    const texts = new Set<string>();
    const collect = (ebnf: Ebnf): void => {
      if (ebnf.kind === "text") texts.add(ebnf.text);
      else if (ebnf.kind === "sequence" || ebnf.kind === "choice") ebnf.parts.forEach(collect);
      else if (ebnf.kind === "option" || ebnf.kind === "repeat") collect(ebnf.part);
    };
    for (const ebnf of grammar.values()) collect(ebnf);
    for (const { name } of [...keywords, ...symbols]) expect(texts).toContain(name);
    const [infix, keyword] = ["infix", "keyword"].map((name) =>
      printEbnf(grammar.get(name) ?? { kind: "choice", parts: [] }),
    );
    for (const operator of Object.keys(fixities)) expect(infix).toContain(`"${operator}"`);
    expect(keyword?.split(" | ").sort()).toEqual(keywords.map(({ name }) => `"${name}"`).sort());
  });

  test("its random sentences are modules", () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(sentence("module", 12), (text) => {
        const { value, mistakes } = parseModule({ name: "random.lam", text });
        // That comparisons do not associate is the operator table's business.
        expect(
          mistakes.filter(({ kind }) => kind !== "comparisonChain"),
          text,
        ).toEqual([]);
        for (const { kind } of value.items) kinds.add(kind);
      }),
      { numRuns: propertyRuns },
    );
    expect([...kinds].sort()).toEqual(["alias", "data", "def", "extern", "import", "rule"]);
  });

  test.each([
    ["upper", Upper],
    ["lower", Lower],
    ["integer", Integer],
    ["real", Real],
    ["text", Text],
  ] as const)("its %s is one token", (name, type) => {
    fc.assert(
      fc.property(sentence(name, 8), (text) => {
        expect(tokenize(text).tokens.map(({ tokenType }) => tokenType)).toEqual([type]);
      }),
      { numRuns: propertyRuns },
    );
  });
});

/** Samples of the rules that the grammar gives in words; without the letters that keywords are made of. */
const samples: ReadonlyMap<string, readonly string[]> = new Map([
  ["capitalLetter", ["A", "R", "ℝ", "Ω", "ǅ", "É"]],
  ["smallLetter", ["x", "q", "z", "ω", "ж", "ª", "变", "é"]],
  ["mark", ["\u0301", "\u0903"]],
  ["quote", ['"']],
  ["textCharacter", ["a", ".", "/", " ", "-", "é", "\\"]],
  ["digit", ["0", "7", "٣"]],
]);

/** Within names and numbers nothing separates the parts. */
const tight: ReadonlySet<string> = new Set(["upper", "lower", "integer", "real", "exponent", "nameCharacter", "text"]);

/** A random sentence. Below `depth` levels, options are left out and the first choice is taken that ends. */
function sentence(rule: string, depth: number): fc.Arbitrary<string> {
  const known = samples.get(rule);
  if (known !== undefined) return fc.constantFrom(...known);
  const ebnf = grammar.get(rule);
  if (ebnf === undefined) throw new Error(`no rule ${rule}`);
  return generate(ebnf, depth, tight.has(rule) ? "" : " ");
}

function generate(ebnf: Ebnf, depth: number, space: string): fc.Arbitrary<string> {
  switch (ebnf.kind) {
    case "text":
      return fc.constant(ebnf.text);
    case "special":
      throw new Error(`no sample of ${ebnf.text}`);
    case "rule":
      return fc.constant(null).chain(() => sentence(ebnf.name, depth - 1));
    case "sequence":
      return fc.tuple(...ebnf.parts.map((part) => generate(part, depth, space))).map((parts) => parts.join(space));
    case "choice": {
      const shallow = ebnf.parts.filter((part) => heightOf(part) <= Math.min(...ebnf.parts.map(heightOf)));
      return fc.oneof(...(depth > 0 ? ebnf.parts : shallow).map((part) => generate(part, depth, space)));
    }
    case "option":
      return depth > 0 ? fc.oneof(fc.constant(""), generate(ebnf.part, depth, space)) : fc.constant("");
    case "repeat":
      if (depth <= 0) return fc.constant("");
      return fc
        .array(generate(ebnf.part, depth, space), { maxLength: depth > 6 ? 3 : 1 })
        .map((parts) => parts.join(space));
  }
}

const heights = new Map<string, number>();

/** How many rules a shortest sentence goes through. */
function heightOf(ebnf: Ebnf): number {
  switch (ebnf.kind) {
    case "text":
    case "special":
    case "option":
    case "repeat":
      return 0;
    case "sequence":
      return Math.max(...ebnf.parts.map(heightOf));
    case "choice":
      return Math.min(...ebnf.parts.map(heightOf));
    case "rule": {
      const known = heights.get(ebnf.name);
      if (known !== undefined) return known;
      heights.set(ebnf.name, Infinity);
      const rule = grammar.get(ebnf.name);
      const height = samples.has(ebnf.name) || rule === undefined ? 1 : 1 + heightOf(rule);
      heights.set(ebnf.name, height);
      return height;
    }
  }
}
