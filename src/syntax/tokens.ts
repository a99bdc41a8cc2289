// The lexical part of grammar/lam.ebnf: one token type for each terminal, in the order in which the lexer tries them.

import { createToken, Lexer, type IToken, type TokenType } from "chevrotain";

const upperName = /(?:\p{Lu}|\p{Lt})[\p{L}\p{Mn}\p{Mc}\p{Nd}_']*/uy;
// `λx` is a lambda and a variable, so no name starts with λ.
const lowerName = /(?!λ)(?:[\p{Ll}\p{Lo}\p{Lm}]|_(?=[\p{L}\p{Mn}\p{Mc}\p{Nd}_']))[\p{L}\p{Mn}\p{Mc}\p{Nd}_']*/uy;

/** A custom pattern for chevrotain, whose own analysis does not know Unicode classes. */
function sticky(pattern: RegExp): (text: string, offset: number) => RegExpExecArray | null {
  return (text, offset) => {
    pattern.lastIndex = offset;
    return pattern.exec(text);
  };
}

/** The end of the nested comment that opens at `start`, or -1 where it is not closed. */
function endOfBlockComment(text: string, start: number): number {
  let depth = 0;
  const delimiter = /\{-|-\}/g;
  delimiter.lastIndex = start;
  for (let match = delimiter.exec(text); match !== null; match = delimiter.exec(text)) {
    depth += match[0] === "{-" ? 1 : -1;
    if (depth === 0) return delimiter.lastIndex;
  }
  return -1;
}

function blockComment(closed: boolean): (text: string, offset: number) => [string] | null {
  return (text, offset) => {
    if (!text.startsWith("{-", offset)) return null;
    const end = endOfBlockComment(text, offset);
    if ((end !== -1) !== closed) return null;
    return [text.slice(offset, closed ? end : text.length)];
  };
}

// Chevrotain picks candidates by the first UTF-16 unit. Beyond Latin-1 it looks at blocks of 255 units only, and every block that
// holds a letter must be named.
const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => from + i * step);
const capitals = range(0x41, 0x5b, 1);
const smallLetters = [0x5f, ...range(0x61, 0x7b, 1)];
const beyondAscii = [...range(0x80, 0x100, 1), ...range(0x100, 0x10000, 255), 0xffff];

export const Upper = createToken({
  name: "upper",
  pattern: sticky(upperName),
  start_chars_hint: [...capitals, ...beyondAscii],
  line_breaks: false,
});
export const Lower = createToken({
  name: "lower",
  pattern: sticky(lowerName),
  start_chars_hint: [...smallLetters, ...beyondAscii],
  line_breaks: false,
});

function keyword(text: string): TokenType {
  return createToken({ name: text, pattern: text, longer_alt: Lower, label: text });
}

function symbol(name: string, pattern: string | RegExp, categories: TokenType[] = []): TokenType {
  return createToken({ name, pattern, categories, label: name });
}

export const Def = keyword("def");
export const Data = keyword("data");
export const Type = keyword("type");
export const Import = keyword("import");
export const Let = keyword("let");
export const Rec = keyword("rec");
export const And = keyword("and");
export const In = keyword("in");
export const If = keyword("if");
export const Then = keyword("then");
export const Else = keyword("else");
export const Case = keyword("case");
export const Of = keyword("of");
export const True = keyword("true");
export const False = keyword("false");
export const Inl = keyword("inl");
export const Inr = keyword("inr");

/** Every infix operator that makes a `binary` node. */
export const Infix = createToken({ name: "infix", pattern: Lexer.NA });

export const Parallel = symbol("|*|", /\|\*\||⋆/);
export const OrElse = symbol("||", /\|\||∨/, [Infix]);
export const AndAlso = symbol("&&", /&&|∧/, [Infix]);
export const Equal = symbol("==", "==", [Infix]);
export const NotEqual = symbol("/=", /\/=|≠/, [Infix]);
export const LessEqual = symbol("<=", /<=|≤/, [Infix]);
export const Less = symbol("<", "<", [Infix]);
export const GreaterEqual = symbol(">=", />=|≥/, [Infix]);
export const Greater = symbol(">", ">", [Infix]);
export const Cons = symbol("::", "::", [Infix]);
export const Arrow = symbol("->", /->|→/);
export const Plus = symbol("+", "+", [Infix]);
export const Minus = symbol("-", "-", [Infix]);
export const Star = symbol("*", "*", [Infix]);
export const Times = symbol("×", "×", [Infix]);
export const Slash = symbol("/", "/", [Infix]);
export const Caret = symbol("^", "^", [Infix]);
export const Bang = symbol("!", "!");
export const Bar = symbol("|", "|");
export const Equals = symbol("=", "=");
export const Colon = symbol(":", ":");
export const Comma = symbol(",", ",");
export const Semicolon = symbol(";", ";");
export const Dot = symbol(".", ".");
export const Lambda = symbol("\\", /\\|λ/);
export const LeftParen = symbol("(", "(");
export const RightParen = symbol(")", ")");
export const LeftBracket = symbol("[", "[");
export const RightBracket = symbol("]", "]");
export const LeftBrace = symbol("{", "{");
export const RightBrace = symbol("}", "}");

export const Wildcard = createToken({ name: "_", pattern: "_", longer_alt: Lower });
export const Real = createToken({ name: "real", pattern: /\d+(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)/ });
export const Integer = createToken({ name: "integer", pattern: /\d+/ });
/** `debug` before a text; by itself it is a name like any other. */
export const Debug = createToken({
  name: "debug",
  label: "debug",
  pattern: /debug(?=[ \t\r\n]*")/y,
  start_chars_hint: ["d"],
  line_breaks: false,
});
/** `fail` before a text; by itself it is a name like any other. */
export const Fail = createToken({
  name: "fail",
  label: "fail",
  pattern: /fail(?=[ \t\r\n]*")/y,
  start_chars_hint: ["f"],
  line_breaks: false,
});
/** `failAt` before a text; by itself it is a name like any other. */
export const FailAt = createToken({
  name: "failAt",
  label: "failAt",
  pattern: /failAt(?=[ \t\r\n]*")/y,
  start_chars_hint: ["f"],
  line_breaks: false,
});
/** `from` before a text, and `extern def` before the name of a definition; by themselves these are names, or `def`. */
export const From = createToken({
  name: "from",
  label: "from",
  pattern: /from(?=[ \t\r\n]*")/y,
  start_chars_hint: ["f"],
  line_breaks: false,
});
export const ExternDef = beginningOf("extern", "def");
/** `fused def`; by itself `fused` is a name like any other. */
export const FusedDef = createToken({
  name: "fused def",
  label: "fused def",
  pattern: sticky(/fused[ \t]+def(?![\p{L}\p{Mn}\p{Mc}\p{Nd}_'])/uy),
  start_chars_hint: ["f"],
  line_breaks: false,
});
/** `rule derivative` before the name of a definition; by themselves both are names like any other. */
export const RuleDerivative = beginningOf("rule", "derivative");
export const RulePullback = beginningOf("rule", "pullback");

function beginningOf(word: string, kind: string): TokenType {
  return createToken({
    name: `${word} ${kind}`,
    label: `${word} ${kind}`,
    pattern: sticky(new RegExp(`${word}[ \\t]+${kind}(?=[ \\t\\r\\n]+[\\p{Ll}\\p{Lo}\\p{Lm}_])`, "uy")),
    start_chars_hint: word.slice(0, 1).split(""),
    line_breaks: false,
  });
}

/** The path of an import or of an `extern def`, and what `debug` calls a value; nothing else is written in quotes. */
export const Text = createToken({ name: "text", pattern: /"[^"\n\r]*"/ });

const Space = createToken({ name: "space", pattern: /[ \t\r\n\f]+|\uFEFF/, group: Lexer.SKIPPED, line_breaks: true });

export const LineComment = createToken({ name: "line comment", pattern: /--[^\n\r]*/, group: "comments" });
export const BlockComment = createToken({
  name: "block comment",
  pattern: blockComment(true),
  start_chars_hint: ["{"],
  line_breaks: true,
  group: "comments",
});
export const UnterminatedComment = createToken({
  name: "unterminated comment",
  pattern: blockComment(false),
  start_chars_hint: ["{"],
  line_breaks: true,
  group: "unterminated",
});

/** `inl` and `inr` before `in`: the lexer takes the first that matches, and asks only whether a name is longer. */
export const keywords: readonly TokenType[] = [
  Def, Data, Type, Import, Let, Rec, And, Inl, Inr, In, If, Then, Else, Case, Of, True, False,
]; // prettier-ignore

export const symbols: readonly TokenType[] = [
  Parallel, OrElse, AndAlso, Equal, NotEqual, LessEqual, Less, GreaterEqual, Greater, Cons, Arrow, Plus, Minus, Star, Times, Slash,
  Caret, Bang, Bar, Equals, Colon, Comma, Semicolon, Dot, Lambda, LeftParen, RightParen, LeftBracket, RightBracket, LeftBrace, RightBrace,
]; // prettier-ignore

export const allTokens: TokenType[] = [
  Space, LineComment, BlockComment, UnterminatedComment, ...keywords, Debug, Fail, FailAt, From, ExternDef, FusedDef, RuleDerivative, RulePullback, Upper, Lower, Wildcard, Real, Integer, Text, ...symbols, Infix,
]; // prettier-ignore

let lexer: Lexer | null = null;

/** The lexer of these tokens. Validating them takes as long as reading a model of a hundred lines: it is done once, by the tests. */
export function lexerOf(validate = false): Lexer {
  return new Lexer(allTokens, {
    positionTracking: "onlyOffset",
    ensureOptimizations: true,
    skipValidations: !validate,
  });
}

export interface Lexed {
  readonly tokens: readonly IToken[];
  readonly comments: readonly IToken[];
  readonly unterminated: IToken | null;
  /** Runs of characters that start no token. */
  readonly unknown: readonly { readonly offset: number; readonly length: number }[];
}

/** Never fails: what is no token is reported beside those that are. */
export function tokenize(text: string): Lexed {
  lexer ??= lexerOf();
  const result = lexer.tokenize(text);
  return {
    tokens: result.tokens,
    comments: result.groups["comments"] ?? [],
    unterminated: result.groups["unterminated"]?.[0] ?? null,
    unknown: result.errors.map(({ offset, length }) => ({ offset, length })),
  };
}
