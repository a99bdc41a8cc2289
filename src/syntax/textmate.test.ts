import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";
import { keywords, symbols, tokenize } from "./tokens.js";

const grammarFile = new URL("../../grammar/lam.tmLanguage.json", import.meta.url);
const wasm = readFileSync(createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm"));

const onigLib = oniguruma.loadWASM(new Uint8Array(wasm)).then(() => ({
  createOnigScanner: (patterns: string[]) => new oniguruma.OnigScanner(patterns),
  createOnigString: (text: string) => new oniguruma.OnigString(text),
}));

const registry = new textmate.Registry({
  onigLib,
  loadGrammar: () =>
    Promise.resolve(textmate.parseRawGrammar(readFileSync(grammarFile, "utf8"), "lam.tmLanguage.json")),
});

/** Each piece of the text that has a scope of its own, with its innermost scope. */
async function scopes(text: string): Promise<readonly string[]> {
  const grammar = await registry.loadGrammar("source.lam");
  if (grammar === null) throw new Error("no grammar");
  let state = textmate.INITIAL;
  return text.split("\n").flatMap((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    return tokens
      .filter(({ startIndex, endIndex }) => line.slice(startIndex, endIndex).trim() !== "")
      .map(({ startIndex, endIndex, scopes }) => {
        const scope = (scopes.at(-1) ?? "").replace(/\.lam$/, "");
        return `${line.slice(startIndex, endIndex).trim()} ${scope}`;
      });
  });
}

test("a sample is coloured", async () => {
  const sample = `--- The sum.
def sum' (xs : List ℝ) : R = -- a list
  case xs of { Nil -> 0; x :: rest → x + 2.5e-3 } {- a {- nested
  -} one -}
data List a = Nil | Cons a (List a)
def f = λindex. let inner = fst (index, true) in inner |*| -x1 ^ 2
import "a--b.lam" (g)
def h c = { c.x | y = [1] ! 0 }`;
  expect(await scopes(sample)).toMatchInlineSnapshot(`
    [
      "--- The sum. comment.line.documentation",
      "def keyword.declaration.definition",
      "sum' entity.name.function",
      "( punctuation.bracket",
      "xs variable.other",
      ": keyword.operator.definition",
      "List entity.name.type",
      "ℝ support.type",
      ") punctuation.bracket",
      ": keyword.operator.definition",
      "R support.type",
      "= keyword.operator.definition",
      "-- a list comment.line.double-dash",
      "case keyword.control",
      "xs variable.other",
      "of keyword.control",
      "{ punctuation.bracket",
      "Nil entity.name.type",
      "-> storage.type.function.arrow",
      "0 constant.numeric.integer",
      "; punctuation.separator",
      "x variable.other",
      ":: keyword.operator",
      "rest variable.other",
      "→ storage.type.function.arrow",
      "x variable.other",
      "+ keyword.operator",
      "2.5e-3 constant.numeric.real",
      "} punctuation.bracket",
      "{- comment.block",
      "a comment.block",
      "{- comment.block",
      "nested comment.block",
      "-} comment.block",
      "one comment.block",
      "-} comment.block",
      "data keyword.declaration.type",
      "List entity.name.type",
      "a variable.other",
      "= keyword.operator.definition",
      "Nil entity.name.type",
      "| keyword.operator.definition",
      "Cons entity.name.type",
      "a variable.other",
      "( punctuation.bracket",
      "List entity.name.type",
      "a variable.other",
      ") punctuation.bracket",
      "def keyword.declaration.definition",
      "f entity.name.function",
      "= keyword.operator.definition",
      "λ storage.type.function.lambda",
      "index variable.other",
      ". punctuation.separator",
      "let keyword.other.binding",
      "inner variable.other",
      "= keyword.operator.definition",
      "fst support.function.builtin",
      "( punctuation.bracket",
      "index variable.other",
      ", punctuation.separator",
      "true constant.language.boolean",
      ") punctuation.bracket",
      "in keyword.other.binding",
      "inner variable.other",
      "|*| keyword.operator.parallel",
      "- keyword.operator",
      "x1 variable.other",
      "^ keyword.operator",
      "2 constant.numeric.integer",
      "import keyword.declaration",
      ""a--b.lam" string.quoted.double",
      "( punctuation.bracket",
      "g variable.other",
      ") punctuation.bracket",
      "def keyword.declaration.definition",
      "h entity.name.function",
      "c variable.other",
      "= keyword.operator.definition",
      "{ punctuation.bracket",
      "c variable.other",
      ". punctuation.separator",
      "x variable.other",
      "| keyword.operator.definition",
      "y variable.other",
      "= keyword.operator.definition",
      "[ punctuation.bracket",
      "1 constant.numeric.integer",
      "] punctuation.bracket",
      "! keyword.operator",
      "0 constant.numeric.integer",
      "} punctuation.bracket",
    ]
  `);
});

test("every keyword and symbol has a scope", async () => {
  for (const { name } of [...keywords, ...symbols]) {
    const [only, ...others] = await scopes(name);
    expect(others, name).toEqual([]);
    expect(only).toMatch(/ (keyword|storage|constant|support|punctuation)\./);
  }
});

test("names and numbers end where the lexer ends them", async () => {
  const text = "x' x1 inner iffy deft _x X' 1 2.5 1e-3 λx ifs' élan λxλ";
  const coloured = (await scopes(text)).map((piece) => piece.split(" ")[0]);
  expect(coloured).toEqual(tokenize(text).tokens.map(({ image }) => image));
});
