import { unreachable } from "../internal-error.js";
import type { Expectation } from "../syntax/expectation.js";
import type { SyntaxMistake, Unexpected } from "../syntax/mistakes.js";
import type { Construct, Open } from "../syntax/nesting.js";
import type { Span } from "../syntax/source.js";
import type { Diagnostic, RelatedPlace } from "./diagnostic.js";
import { explainClue } from "./explain-clue.js";

/** The words for a syntax mistake. */
export function explainSyntax(mistake: SyntaxMistake): Diagnostic {
  switch (mistake.kind) {
    case "unexpected":
      return explainUnexpected(mistake);
    case "unknownCharacters":
      return explainCharacters(mistake.text, mistake.span);
    case "unterminatedComment":
      return error("E0103", "this comment is never closed", mistake.span, "the comment begins here", {
        notes: ["Comments nest: every `{-` needs a `-}` of its own, and the end of the file came first."],
        hint: "add the missing `-}`",
      });
    case "gluedNumber":
      return explainGluedNumber(mistake.digits, mistake.rest, mistake.span);
    case "comparisonChain":
      if (mistake.or !== null)
        return error("E0121", "`or` is an ordinary name here", mistake.or, "not a word of this language", {
          hint: "write `a || b`",
        });
      return error(
        "E0105",
        "comparisons cannot be chained",
        mistake.second,
        "a second comparison of the same expression",
        {
          related: [{ span: mistake.first, label: "the first one" }],
          notes: ["`a < b < c` would compare a `Bool` with a number, so the grammar does not have it."],
          hint: "join two comparisons with `&&`, as in `a < b && b < c`, or put one of them in parentheses",
        },
      );
    case "gluedBracket":
      return error("E0122", "an element of an array is `a ! i`", mistake.span, "a `[` right behind an expression", {
        hint: "write `a ! i` for an element, `slice i j a` for a part; a space in front, as in `f [x, y]`, applies a function to an array",
      });
    case "nesting":
      return error("E0701", "this is nested too deeply", mistake.span, `level ${mistake.limit + 1} begins here`, {
        notes: [`At most ${mistake.limit} brackets, \`let\`s, \`if\`s and \`case\`s may be open at once.`],
        hint: "give an inner part a name, with `let` or a `def` of its own",
      });
    default:
      return unreachable(mistake);
  }
}

interface Rest {
  readonly related?: readonly RelatedPlace[];
  readonly notes?: readonly string[];
  readonly hint?: string | null;
}

function error(code: string, title: string, span: Span, label: string, rest: Rest = {}): Diagnostic {
  const { related = [], notes = [], hint = null } = rest;
  return { code, severity: "error", title, span, label, related, notes, hint };
}

type LookAlike = readonly [character: string, explanation: readonly [what: string, hint: string]];

/** Digits in order, each with what it is, and what to write in its place. */
function digits(characters: string, what: string, instead: (place: number) => string): readonly LookAlike[] {
  return Array.from(characters).map((character, place) => [character, [what, instead(place)]]);
}

const subscripts = digits("₀₁₂₃₄₅₆₇₈₉", "a subscript digit", (i) => `write it as any other digit: \`x${String(i)}\``);
const superscripts = digits("¹²³", "a superscript digit", (i) => `write \`x ^ ${String(i + 1)}\``);

const lookAlikes: ReadonlyMap<string, readonly [string, string]> = new Map([
  ["“", ["a typographic quote", "the language has no texts; comments begin with `--`"]],
  ["”", ["a typographic quote", "the language has no texts; comments begin with `--`"]],
  ["‘", ["a typographic quote", "a name may end in a plain `'`"]],
  ["’", ["a typographic quote", "a name may end in a plain `'`, as in `x'`"]],
  ["′", ["a prime sign", "a name may end in a plain `'`, as in `x'`"]],
  [
    '"',
    [
      "a quote without its counterpart",
      'only the file of an import, and what `debug` calls a value, stand in quotes: `import "file.lam" (f)`',
    ],
  ],
  ["'", ["a quote", "a name may end in `'` but not begin with it; the name of a file stands in double quotes"]],
  ...subscripts,
  ...superscripts,
  ["`", ["a backtick", "write the function in front of its arguments: `div a b`"]],
  ["−", ["a Unicode minus sign", "write `-`"]],
  ["–", ["a dash", "write `-`"]],
  ["—", ["a dash", "a comment begins with `--`"]],
  ["·", ["a middle dot", "write `*`"]],
  ["∙", ["a bullet operator", "write `*`"]],
  ["⋅", ["a dot operator", "write `*`"]],
  ["÷", ["a division sign", "write `/`"]],
  ["⊸", ["a linear arrow", "that is an arrow of the target calculus; models have `->` alone"]],
  ["⇒", ["a double arrow", "write `->`"]],
  ["\u00a0", ["a no-break space", "replace it by an ordinary space"]],
  ["\u200b", ["an invisible zero-width space", "delete it"]],
  ["#", ["a number sign", "comments begin with `--`"]],
  ["%", ["a percent sign", "the remainder of integers is `mod a b`"]],
  ["&", ["a single `&`", "logical and is `&&`"]],
  ["~", ["a tilde", "negation is `-`"]],
  [
    "@",
    [
      "an at sign",
      "arguments stand behind a function: `f x y`; products of matrices are `matMul a b` and `matVec a v`",
    ],
  ],
  ["$", ["a dollar sign", "put the argument in parentheses"]],
  [
    "?",
    [
      "a question mark",
      "a condition is `if c then s else t`; what may be absent is a data type, `data Option a = None | Some a`",
    ],
  ],
]);

function explainCharacters(text: string, span: Span): Diagnostic {
  const [first = ""] = text.slice(0, 2).match(/./su) ?? [];
  const known = lookAlikes.get(text) ?? lookAlikes.get(first);
  const code = (text.slice(0, 8).match(/./gsu) ?? [])
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`)
    .join(" ");
  const shown = /^[\p{C}\p{Z}]/u.test(first) ? code : `\`${text.length > 20 ? `${text.slice(0, 20)}..` : text}\``;
  return error("E0102", `${shown} is not part of the language`, span, known?.[0] ?? "nothing begins with this", {
    notes: known === undefined ? [`Its code is ${code}.`] : [],
    hint: known?.[1] ?? null,
  });
}

function explainGluedNumber(digits: string, rest: string, span: Span): Diagnostic {
  const title = `\`${digits}${rest}\` is neither a number nor a name`;
  const label = "a number with letters right behind it";
  let hint = `write \`${digits} * ${rest}\` for a product; names cannot begin with a digit`;
  if (/^_\d/.test(rest)) hint = `digits are written without separators: \`${digits}${rest.replaceAll("_", "")}\``;
  else if (/^[eE]$/.test(rest)) hint = `an exponent has digits: \`${digits}e3\``;
  else if (digits === "0" && /^[xXbBoO]/.test(rest)) hint = "numbers are written in decimal";
  else if (/^[fFdDnL]$/.test(rest)) hint = `numbers have no suffix: \`${digits}\``;
  return error("E0104", title, span, label, { hint });
}

function explainUnexpected(mistake: Unexpected): Diagnostic {
  const wanted = describeWanted(mistake);
  const found = describeFound(mistake);
  const [inner] = mistake.within;
  const opener = unclosedOpener(mistake);
  const where =
    inner === undefined ? [] : [{ span: inner.span, label: `${constructWords[inner.construct]} begins here` }];
  const related = opener === null ? where : [opener];
  if (mistake.clue !== null) {
    const { code, title, span = mistake.span, label, related: also = [], hint } = explainClue(mistake.clue, mistake);
    const notes = [`Expected ${wanted}, found ${found}.`];
    return error(code, title, span, label ?? `expected ${wanted}`, { related: [...also, ...related], notes, hint });
  }
  const reading = inner === undefined ? "the file" : constructWords[inner.construct];
  const unfinished =
    opener === null ? `${reading} is not finished` : `${opener.label.replace(/ is.*/, "")} is never closed`;
  const title = mistake.found === "end" ? unfinished : `I did not expect ${found} here`;
  return error("E0101", title, mistake.span, `expected ${wanted}`, { related, hint: genericHint(mistake) });
}

const ruleWords: Readonly<Record<string, string>> = {
  item: "a definition (`def`, `data`, `type` or `import`)",
  externDefinition: "a parameter with its type, `(x : R)`",
  externParameter: "a parameter with its type, `(x : R)`",
  typeExpression: "a type",
  sumType: "a type",
  productType: "a type",
  appliedType: "a type",
  atomicType: "a type",
  simpleType: "a type",
  branches: "another branch, or `}`",
  pattern: "a pattern",
  appliedPattern: "a pattern",
  atomicPattern: "a pattern",
  simplePattern: "a pattern",
  ascribedPattern: "a pattern",
  parameters: "a parameter",
  letHead: "a name or a pattern",
  dataDeclaration: "a constructor",
  parenthesised: "an expression or `)`",
  fieldValues: "the name of a field",
  fieldPatterns: "the name of a field",
  fieldDeclarations: "the name of a field",
  importDeclaration: "the name of a definition",
};

const tokenWords: Readonly<Record<string, string>> = {
  upper: "a name with a capital letter",
  lower: "a name with a small letter",
  integer: "an integer",
  real: "a number",
  text: "a path in quotes",
};

function quoted(name: string): string {
  return tokenWords[name] ?? `\`${name}\``;
}

function describeWanted({ wanted, within, found }: Unexpected): string {
  switch (wanted.kind) {
    case "token":
      return describeToken(wanted, within);
    case "rule":
      return ruleWords[wanted.name] ?? "an expression";
    case "end":
      return found === "end" ? "nothing more" : "an operator, an argument, or the next definition";
  }
}

function describeToken(wanted: Extract<Expectation, { kind: "token" }>, within: readonly Open[]): string {
  const construct = within[0]?.construct;
  // An expression has been read: it could have gone on.
  if (wanted.name === ")" && construct === "(") return "`)`, or more of what the parentheses hold";
  if (wanted.name === "]") return "`]`, or more of what the brackets hold";
  if (wanted.name === "}" && construct === "record") return "`,` and another field, or `}`";
  if (wanted.name === "|" && construct === "record") return "`|` and the fields of an update";
  if (wanted.name === "lower" && construct === "record") return "the name of a field";
  if (wanted.name === "}" && construct === "{") return "`;` and another branch, or `}`";
  if (wanted.name === "=" && (construct === "def" || construct === "let")) return "`=` or a parameter";
  if (wanted.name === "=" && (construct === "data" || construct === "type")) return "`=` or a type parameter";
  return quoted(wanted.name);
}

function describeFound({ found, text, within }: Unexpected): string {
  const declares = within.some(({ construct }) => construct === "data" || construct === "type");
  if (found === "end") return `the end of the ${declares ? "declaration" : "definition"}`;
  if (found === "upper" || found === "lower") return `the name \`${shorten(text)}\``;
  if (found === "integer" || found === "real") return `the number \`${shorten(text)}\``;
  if (found === "text") return `the text ${shorten(text)}`;
  if (/^[a-z]/.test(found)) return `the word \`${text}\``;
  return `\`${text}\``;
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 38)}..` : text;
}

const constructWords: Readonly<Record<Construct, string>> = {
  def: "this definition",
  extern: "this `extern def`",
  rule: "this rule",
  data: "this `data` declaration",
  type: "this `type` declaration",
  let: "this `let`",
  letValue: "this `let`",
  if: "this `if`",
  then: "this `if`",
  case: "this `case`",
  of: "this `case`",
  lambda: "this lambda",
  "(": "this parenthesis",
  "[": "this bracket",
  "{": "this `case`",
  record: "this record",
  import: "this `import`",
};

/** The closing bracket, or another token, that may stand at the place. */
function wantedBracket(wanted: Expectation): string | null {
  if (wanted.kind === "token") return wanted.name;
  return wanted.kind === "rule" && wanted.name === "branches" ? "}" : null;
}

/** The bracket that a missing closing one belongs to. */
function unclosedOpener({ wanted, within }: Unexpected): RelatedPlace | null {
  const openers: Readonly<Record<string, readonly Construct[]>> = { ")": ["("], "]": ["["], "}": ["{", "record"] };
  const constructs = openers[wantedBracket(wanted) ?? ""];
  const open = within.find((entry) => constructs?.includes(entry.construct));
  if (open === undefined) return null;
  const bracket = open.construct === "record" ? "{" : open.construct;
  return { span: open.span, label: `this \`${bracket}\` is still open` };
}

function genericHint({ wanted, found }: Unexpected): string | null {
  if (wanted.kind === "rule" && wanted.name === "branches" && found === "end") return "add the missing `}`";
  if (wanted.kind !== "token") return null;
  switch (wanted.name) {
    case ")":
    case "]":
    case "}":
      return `add the missing \`${wanted.name}\``;
    case "else":
      return "an `if` always has an `else`: `if c then s else t`";
    case "then":
      return "write `if c then s else t`";
    case "of":
    case "{":
      return "write `case s of { p -> t; q -> u }`";
    case "=":
      return found === "->" ? "a definition has `=` between its parameters and its body" : null;
    default:
      return null;
  }
}
