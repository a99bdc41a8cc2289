import type { IRecognitionException, IToken } from "chevrotain";
import type { Outcome } from "../outcome.js";
import { clueFor } from "./clues.js";
import { expectationOf, type Expectation } from "./expectation.js";
import type { SyntaxMistake, Unexpected } from "./mistakes.js";
import type { KnownItems } from "./known-items.js";
import { Nesting } from "./nesting.js";
import { Parser } from "./parser.js";
import { joinSpans, type SourceFile, type Span } from "./source.js";
import * as T from "./tokens.js";
import type { Comment, Item, Module } from "./tree.js";

/** How many brackets, `let`s, `if`s and `case`s may be open at once: what the parser's own recursion can bear anywhere. */
export const nestingLimit = 200;

/** A file with more mistakes than this is no program. */
const mistakeLimit = 100;

/** How often the reading of one item is taken up again. */
const restartLimit = 20;

let parser: Parser | null = null;

/**
 * The module of the items that could be read, and all that is wrong with the others. Never throws, whatever the text is. `known`: items of the file as it was
 * before, of which those that are still there are not read again.
 */
export function parseModule(source: SourceFile, known: KnownItems | null = null): Outcome<Module, SyntaxMistake> {
  const lexed = T.tokenize(source.text);
  const spanOf = (token: IToken): Span => ({
    file: source.name,
    start: token.startOffset,
    end: token.startOffset + token.image.length,
  });
  const comments = lexed.comments.map((token) => commentOf(token, spanOf(token)));
  const chunks = splitItems(lexed.tokens, source.text);
  const rangeOf = (i: number): { readonly start: number; readonly end: number } => ({
    start: i === 0 ? 0 : (chunks[i]?.[0]?.startOffset ?? 0),
    end: chunks[i + 1]?.[0]?.startOffset ?? source.text.length,
  });
  const mistakes = [...lexicalMistakes(source, lexed, spanOf)];
  const bad = mistakes.map(({ span }) => span);

  const items: Item[] = [];
  /** The comments between an item and the one before. */
  const above = { start: 0, end: 0 };
  chunks.forEach((tokens, i) => {
    const [first] = tokens;
    if (first === undefined || mistakes.length >= mistakeLimit) return;
    const previous = chunks[i - 1]?.at(-1);
    while ((comments[above.start]?.span.start ?? Infinity) < (previous?.startOffset ?? 0)) above.start += 1;
    above.end = Math.max(above.start, above.end);
    while ((comments[above.end]?.span.start ?? Infinity) < first.startOffset) above.end += 1;
    const between = comments.slice(above.start, above.end);
    const doc = documentation(
      source.text,
      between,
      previous === undefined ? null : spanOf(previous).end,
      first.startOffset,
    );
    const end = tokens.at(-1) ?? first;
    const place = { start: first.startOffset, end: end.startOffset + end.image.length };
    const same = known?.find(source.text.slice(place.start, place.end), doc, place.start) ?? null;
    const read = same === null ? new ItemReader(source, tokens).read(doc) : { item: same, mistakes: [] };
    if (read.item !== null && read.mistakes.length === 0)
      known?.keep(source.text.slice(place.start, place.end), doc, place.start, read.item);
    const range = rangeOf(i);
    const spoiled = bad.some((span) => isIn(span, range));
    // A comment without an end and characters that are no tokens leave holes: what follows from them is not reported.
    mistakes.push(...(spoiled ? [] : read.mistakes));
    if (read.item !== null && !spoiled) items.push(read.item);
  });
  known?.forgetOthers();
  mistakes.sort((a, b) => a.span.start - b.span.start);
  const span = { file: source.name, start: 0, end: source.text.length };
  return { value: { items, comments, span }, mistakes: mistakes.slice(0, mistakeLimit) };
}

function isIn(span: Span, range: { readonly start: number; readonly end: number }): boolean {
  return span.start >= range.start && span.start < range.end;
}

function commentOf(token: IToken, span: Span): Comment {
  const text = token.image;
  if (text.startsWith("{-")) return { kind: "block", text, span };
  return { kind: isDocumentation(text) ? "doc" : "line", text: text.trimEnd(), span };
}

/** A line of more than three dashes is a rule, not documentation. */
function isDocumentation(text: string): boolean {
  return text.startsWith("---") && !text.startsWith("----");
}

/**
 * The text of the `---` lines directly above an item that begins at `to`: the last run of them without another comment or an empty line between.
 * What ends the line of the item before, whose end is `from`, is no documentation.
 */
function documentation(text: string, comments: readonly Comment[], from: number | null, to: number): string {
  const run: string[] = [];
  let below = to;
  for (const comment of [...comments].reverse()) {
    const gap = text.slice(comment.span.end, below);
    const ownLine = from === null || text.slice(from, comment.span.start).includes("\n");
    if (comment.kind !== "doc" || !ownLine || gap.split("\n").length > 2) break;
    run.push(comment.text.slice(3).replace(/^ /, ""));
    below = comment.span.start;
  }
  return run.reverse().join("\n").trim();
}

function* lexicalMistakes(
  source: SourceFile,
  lexed: T.Lexed,
  spanOf: (token: IToken) => Span,
): Generator<SyntaxMistake> {
  let opened: string | null = null;
  for (const { offset, length } of lexed.unknown.slice(0, mistakeLimit)) {
    const text = source.text.slice(offset, offset + length);
    // Of a text in quotes only the opening one is reported.
    if (opened !== null && closingQuotes.get(opened) === text) {
      opened = null;
      continue;
    }
    opened = text;
    const span = { file: source.name, start: offset, end: offset + length };
    yield { kind: "unknownCharacters", text, span };
  }
  if (lexed.unterminated !== null) {
    const start = lexed.unterminated.startOffset;
    yield { kind: "unterminatedComment", span: { file: source.name, start, end: start + 2 } };
  }
  for (const [i, token] of lexed.tokens.entries()) {
    if (token.tokenType !== T.Integer && token.tokenType !== T.Real) continue;
    const next = lexed.tokens[i + 1];
    if (next === undefined || next.startOffset !== spanOf(token).end || !/^[\p{L}_]/u.test(next.image)) continue;
    const span = joinSpans(spanOf(token), spanOf(next));
    yield { kind: "gluedNumber", digits: token.image, rest: next.image, span };
  }
}

const closingQuotes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["“", "”"],
  ["„", "“"],
  ["‘", "’"],
  ["'", "'"],
  ["`", "`"],
]);

/** The words that begin items, with what follows them. */
const itemStarts: ReadonlyMap<unknown, unknown> = new Map([
  [T.Def, T.Lower],
  [T.Data, T.Upper],
  [T.Type, T.Upper],
  [T.Import, T.Text],
  [T.ExternDef, T.Lower],
  [T.FusedDef, T.Lower],
  [T.RuleDerivative, T.Lower],
  [T.RulePullback, T.Lower],
]);

/** Cuts at the words that can only begin an item; the first part holds what stands before the first of them. */
function splitItems(tokens: readonly IToken[], text: string): readonly (readonly IToken[])[] {
  const starts = [...tokens.keys()].filter((i) => i === 0 || beginsItem(tokens, i, text));
  return starts.map((start, i) => tokens.slice(start, starts[i + 1] ?? tokens.length));
}

/** `(data : R)`, `{ type = 1 }` and `c.data` are unhappy names, as far as one can tell from where they stand and from what is behind them. */
function beginsItem(tokens: readonly IToken[], i: number, text: string): boolean {
  const [before, token, behind] = tokens.slice(i - 1, i + 2);
  const behindStart = itemStarts.get(token?.tokenType);
  if (token === undefined || behindStart === undefined) return false;
  if (before?.tokenType === T.Dot && before.startOffset + 1 === token.startOffset) return false;
  const isIndented = token.startOffset > 0 && text[token.startOffset - 1] !== "\n";
  if (isIndented) return behindStart === behind?.tokenType;
  return !(beforeFields.includes(before?.tokenType) && behindFields.includes(behind?.tokenType));
}

const beforeFields: readonly unknown[] = [T.LeftBrace, T.Comma, T.Bar];
const behindFields: readonly unknown[] = [T.Equals, T.Colon, T.Comma, T.RightBrace];

type Rule = "item" | "branches" | "expression" | "functionBinding";

/** Reads the tokens of one item. After a mistake it goes on behind the next `;`, `in` or `and` that belongs to something open. */
class ItemReader {
  private readonly mistakes: SyntaxMistake[] = [];

  constructor(
    private readonly source: SourceFile,
    private tokens: readonly IToken[],
  ) {}

  read(doc: string): { readonly item: Item | null; readonly mistakes: readonly SyntaxMistake[] } {
    const tooDeep = this.nestingMistake();
    if (tooDeep !== null) return { item: null, mistakes: [tooDeep] };
    parser ??= new Parser();
    const { value, stop } = this.run(parser, "item", 0, doc);
    let at = stop;
    for (let restarts = 0; at !== null && restarts < restartLimit; restarts += 1) {
      const restart = this.restartBehind(at);
      at = restart === null ? null : this.run(parser, restart.rule, restart.index, doc).stop;
    }
    const item = this.mistakes.length === 0 ? value : null;
    return { item, mistakes: this.mistakes };
  }

  /** Parses the tokens from `from` on and reports the first mistake; `stop` is the index of the token where the rule had to end. */
  private run(by: Parser, rule: Rule, from: number, doc: string): { value: Item | null; stop: number | null } {
    let value = this.parse(by, rule, from, doc);
    for (let renamed = 0; renamed < restartLimit && this.allowsCapitalField(by.errors[0]); renamed += 1)
      value = this.parse(by, rule, from, doc);
    const words = this.tokens.filter(({ image }) => image === "or");
    for (const { first, second } of by.chains.slice(0, mistakeLimit)) {
      const word = words.find(({ startOffset }) => startOffset > first.start && startOffset < second.start);
      const start = word?.startOffset ?? 0;
      const or = word === undefined ? null : { file: this.source.name, start, end: start + word.image.length };
      this.mistakes.push({ kind: "comparisonChain", first, second, or, span: joinSpans(first, second) });
    }
    const glued = by.gluedBrackets;
    for (const span of glued) this.mistakes.push({ kind: "gluedBracket", span });
    const [error] = by.errors;
    if (error === undefined) return { value, stop: null };
    const index = this.indexOf(error);
    const wanted = expectationOf(error.message);
    // A part of an item ends where the whole item goes on.
    const mistake = this.unexpected(
      index,
      this.wantsBranch(wanted, index) ? { kind: "rule", name: "branches" } : wanted,
    );
    const inRecord = mistake.within.some(({ construct }) => construct === "record");
    const continues = continuations.has(mistake.found) || (mistake.found === "|" && inRecord);
    const goesOn = rule !== "item" && wanted.kind === "end" && continues;
    // What is wrong inside of `a[i:j]` is that it is not written `a ! i`.
    const inGlued = mistake.within.some(({ span }) => glued.some(({ start }) => start === span.start));
    if (!goesOn && !inGlued && !this.isKnown(mistake)) this.mistakes.push(mistake);
    return { value: null, stop: index };
  }

  private parse(by: Parser, rule: Rule, from: number, doc: string): Item | null {
    by.begin(this.source.name, doc, this.tokens.slice(from));
    if (rule === "item") return by.item();
    by[rule]();
    return null;
  }

  /**
   * Takes the name in `e.E` for a field's, if that is where the parser stopped. No record has such a field: inference says so, and which fields there
   * are.
   */
  private allowsCapitalField(error: IRecognitionException | undefined): boolean {
    if (error === undefined || expectationOf(error.message).kind !== "token") return false;
    const index = this.indexOf(error);
    const [record, dot, name] = this.tokens.slice(index - 2, index + 1);
    if (record === undefined || dot?.tokenType !== T.Dot || name?.tokenType !== T.Upper) return false;
    const touches = record.startOffset + record.image.length === dot.startOffset;
    // `Shape.Circle` and `Math.PI` are told here
    if (record.tokenType === T.Upper || !touches || dot.startOffset + 1 !== name.startOffset) return false;
    const field = { ...name, tokenType: T.Lower, tokenTypeIdx: T.Lower.tokenTypeIdx ?? 0 };
    this.tokens = this.tokens.with(index, field);
    return true;
  }

  /** Behind the `;` of a branch the parser wants the end of them all: it may be the last. */
  private wantsBranch(wanted: Expectation, index: number): boolean {
    const atEnd = wanted.kind === "end" || (wanted.kind === "token" && wanted.name === T.RightBrace.name);
    return atEnd && this.tokens[index - 1]?.tokenType === T.Semicolon;
  }

  /** Whether a word of the language has been used as a name before. */
  private isKnown({ clue }: Unexpected): boolean {
    if (clue?.kind !== "reserved") return false;
    return this.mistakes.some((mistake) => {
      const before = mistake.kind === "unexpected" ? mistake.clue : null;
      return before?.kind === "reserved" && before.word === clue.word;
    });
  }

  private indexOf(error: IRecognitionException): number {
    const index = this.tokens.indexOf(error.token);
    return index === -1 ? this.tokens.length : index;
  }

  private unexpected(index: number, wanted: Expectation): Unexpected {
    const nesting = new Nesting();
    for (const token of this.tokens.slice(0, index)) nesting.read(token);
    const token = this.tokens[index];
    const file = this.source.name;
    const end = this.endSpan();
    return {
      kind: "unexpected",
      found: token?.tokenType.name ?? "end",
      text: token?.image ?? "",
      wanted,
      within: nesting.open(file),
      clue: clueFor({ source: this.source, tokens: this.tokens, index, wanted, nesting }),
      span: token === undefined ? end : { file, start: token.startOffset, end: token.startOffset + token.image.length },
    };
  }

  /** Behind the last token. */
  private endSpan(): Span {
    const last = this.tokens.at(-1);
    const offset = last === undefined ? 0 : last.startOffset + last.image.length;
    return { file: this.source.name, start: offset, end: offset };
  }

  private nestingMistake(): SyntaxMistake | null {
    const nesting = new Nesting();
    for (const token of this.tokens) {
      nesting.read(token);
      if (nesting.depth > nestingLimit) {
        const span = { file: this.source.name, start: token.startOffset, end: token.startOffset + token.image.length };
        return { kind: "nesting", limit: nestingLimit, span };
      }
    }
    return null;
  }

  private restartBehind(index: number): { readonly rule: Rule; readonly index: number } | null {
    const nesting = new Nesting();
    let braces = 0;
    let lets = 0;
    for (const [i, token] of this.tokens.entries()) {
      if (i >= index) {
        const last = i + 1 >= this.tokens.length || this.tokens[i + 1]?.tokenType === T.RightBrace;
        switch (token.tokenType) {
          case T.LeftBrace:
            braces += 1;
            break;
          case T.RightBrace:
            braces = Math.max(0, braces - 1);
            break;
          case T.Let:
            lets += 1;
            break;
          case T.In:
            if (lets === 0 && (nesting.has("let") || nesting.has("letValue")))
              return { rule: "expression", index: i + 1 };
            lets = Math.max(0, lets - 1);
            break;
          case T.And:
            if (lets === 0 && nesting.has("letValue")) return { rule: "functionBinding", index: i + 1 };
            break;
          case T.Semicolon:
            if (braces === 0 && nesting.innerBraces === "{" && !last) return { rule: "branches", index: i + 1 };
            break;
        }
      }
      nesting.read(token);
    }
    return null;
  }
}

/** What may stand behind a part of an item. */
const continuations: ReadonlySet<string> = new Set([")", "]", "}", ";", ",", ":", "in", "and", "then", "else", "of"]);
