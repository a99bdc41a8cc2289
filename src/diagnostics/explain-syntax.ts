import { unreachable } from "../internal-error.js";
import type { Expectation } from "../syntax/expectation.js";
import type { Clue, SyntaxMistake, Unexpected } from "../syntax/mistakes.js";
import type { Construct, Open } from "../syntax/nesting.js";
import type { Span } from "../syntax/source.js";
import type { Diagnostic, RelatedPlace } from "./diagnostic.js";

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

const lookAlikes: ReadonlyMap<string, readonly [string, string]> = new Map([
  ["“", ["a typographic quote", "the language has no texts; comments begin with `--`"]],
  ["”", ["a typographic quote", "the language has no texts; comments begin with `--`"]],
  ["‘", ["a typographic quote", "a name may end in a plain `'`"]],
  ["’", ["a typographic quote", "a name may end in a plain `'`, as in `x'`"]],
  ["′", ["a prime sign", "a name may end in a plain `'`, as in `x'`"]],
  ['"', ["a quote", "the language has no texts; comments begin with `--`"]],
  ["'", ["a quote", "a name may end in `'` but not begin with it"]],
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
  ["!", ["an exclamation mark", "`not equal` is `/=`; negate a comparison by its opposite"]],
  ["!=", ["`!=`", "`not equal` is `/=`"]],
  ["~", ["a tilde", "negation is `-`"]],
  ["@", ["an at sign", "apply a function by writing its arguments behind it: `f x y`"]],
  ["$", ["a dollar sign", "put the argument in parentheses"]],
  ["?", ["a question mark", "write `if c then s else t`"]],
]);

function explainCharacters(text: string, span: Span): Diagnostic {
  const [first = ""] = text.match(/./su) ?? [];
  const known = lookAlikes.get(text) ?? lookAlikes.get(first);
  const code = [...new Intl.Segmenter().segment(text)]
    .slice(0, 4)
    .map(({ segment }) => `U+${(segment.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`)
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
  const clue = mistake.clue === null ? null : explainClue(mistake.clue, mistake);
  const wanted = describeWanted(mistake);
  const found = describeFound(mistake);
  const where = describeWhere(mistake.within);
  const opener = unclosedOpener(mistake);
  return error(
    clue?.code ?? "E0101",
    clue?.title ?? (mistake.found === "end" ? `${where.title} is not finished` : `I did not expect ${found} here`),
    clue?.span ?? mistake.span,
    clue?.label ?? `expected ${wanted}`,
    {
      related: [...(clue?.related ?? []), ...(opener === null ? where.related : [opener])],
      notes: [`Expected ${wanted}, found ${found}${where.note}.`],
      hint: clue === null ? genericHint(mistake) : clue.hint,
    },
  );
}

/** How a clue changes what is said about an unexpected token. */
interface ClueWords {
  readonly code: string;
  readonly title: string;
  readonly label: string | null;
  readonly hint: string;
  readonly span?: Span;
  readonly related?: readonly RelatedPlace[];
}

function explainClue(clue: Clue, mistake: Unexpected): ClueWords {
  switch (clue.kind) {
    case "comparison":
      return {
        code: "E0106",
        title: "`=` defines, it does not compare",
        label: "a definition's `=` inside an expression",
        hint: "write `==` to compare",
      };
    case "missingDef":
      return {
        code: "E0107",
        title: `the definition of \`${clue.name}\` has no \`def\``,
        label: `\`${clue.name}\` looks like the beginning of a definition`,
        span: clue.span,
        hint: `write \`def ${clue.name} ..\`; every definition at top level begins with \`def\``,
      };
    case "letForDef":
      return {
        code: "E0107",
        title: "`let` stands inside a definition",
        label: "not inside a definition",
        hint: "at top level write `def` in place of `let` (and no `in`)",
      };
    case "missingIn":
      return {
        code: "E0108",
        title: "this `let` has no `in`",
        label: clue.place === null ? "expected `in`" : "the body of the `let` seems to begin here",
        ...(clue.place === null ? {} : { span: clue.place }),
        hint: "every `let p = s` is followed by `in` and the expression that uses it: `let p = s in t`",
      };
    case "lambdaArrow":
      return {
        code: "E0109",
        title: "a lambda has a point behind its parameters",
        label: "expected `.`",
        hint: "write `\\x y. t`, or `λx y. t`",
      };
    case "fatArrow":
      return {
        code: "E0109",
        title: "`=>` is written `->`",
        label: "expected `->`",
        hint: "write `->`, as in `p -> t`",
      };
    case "missingSemicolon":
      return {
        code: "E0110",
        title: "a `;` is missing between two branches",
        label: clue.place === null ? "the `->` of a second branch" : "a new branch seems to begin here",
        ...(clue.place === null ? {} : { span: clue.place }),
        hint: "branches are separated by `;`, as in `case s of { p -> t; q -> u }`",
      };
    case "branchSeparator":
      return {
        code: "E0110",
        title: "branches are separated by `;`",
        label: `\`${mistake.text}\` separates no branches`,
        hint: "write `case s of { p -> t; q -> u }`",
      };
    case "reserved":
      return {
        code: "E0111",
        title: `\`${clue.word}\` is a word of the language`,
        label: "a name was expected here",
        hint: `choose another name, for example \`${clue.word}'\` or \`${clue.word}1\``,
      };
    case "wantsUpper": {
      const upper = clue.name.charAt(0).toUpperCase() + clue.name.slice(1);
      return {
        code: "E0112",
        title: `\`${clue.name}\` must begin with a capital letter`,
        label: "the name of a type or a constructor",
        hint: `types and constructors begin with a capital letter: \`${upper}\``,
      };
    }
    case "wantsLower": {
      const lower = clue.name.charAt(0).toLowerCase() + clue.name.slice(1);
      return {
        code: "E0112",
        title: `\`${clue.name}\` must begin with a small letter`,
        label: "the name of a definition, a variable or a type variable",
        hint: `only types and constructors begin with a capital letter: \`${lower}\``,
      };
    }
    case "point":
      return {
        code: "E0104",
        title: clue.text.startsWith(".") ? "a number cannot begin with a point" : "a number cannot end with a point",
        label: `\`${clue.text}\` is not a number`,
        hint: `write \`${clue.suggestion}\``,
      };
    case "bareArgument":
      return {
        code: "E0113",
        title: `${clue.word === "\\" || clue.word === "λ" ? "a lambda" : `\`${clue.word}\``} as an argument needs parentheses`,
        label: "only after an operator can it stand without them",
        hint:
          clue.word === "let" || clue.word === "if" || clue.word === "case"
            ? `write \`f (${clue.word} ..)\``
            : "write `f (\\x. t)`",
      };
    case "starType":
      return {
        code: "E0114",
        title: "`*` is no operator of types",
        label: "a tuple of types is meant",
        hint: "write `(R, R)` or `R × R` for the type of pairs",
      };
    case "stray":
      return {
        code: "E0115",
        title: `this \`${mistake.text}\` closes nothing`,
        label: "no bracket is open here",
        hint: `delete it, or add the opening bracket`,
      };
    case "andWithoutRec":
      return {
        code: "E0116",
        title: "`and` joins the functions of a `let rec`",
        label: "this `let` is not recursive",
        hint: "write `let rec f x = s and g y = t in u`, or two `let`s one after the other",
      };
    case "recursiveValue":
      return {
        code: "E0116",
        title: "`let rec` defines functions only",
        label: "expected a parameter",
        hint: "give it a parameter, or leave out `rec`",
      };
    case "colon":
      return {
        code: "E0117",
        title: "`:` gives a type, and only inside parentheses",
        label: "not inside parentheses, and not behind a pattern",
        hint: "write `(t : T)` to state a type, `x :: xs` to put an element in front of a list",
      };
    case "realPattern":
      return {
        code: "E0118",
        title: "real numbers are no patterns",
        label: "expected a pattern",
        hint: "only integers and `true`, `false` can be matched; compare real numbers with `if x == 0.5 then .. else ..`",
      };
    case "later":
      return {
        code: "E0119",
        title: { arrays: "arrays", imports: "imports", fields: "named fields" }[clue.what] + " are not in this version",
        label: "not in this version",
        hint: {
          arrays: "use `List`: `1 :: 2 :: Nil`",
          imports: "put the definitions into one file",
          fields: "use a pattern to take a value apart",
        }[clue.what],
      };
    case "power":
      return {
        code: "E0120",
        title: "`**` is no operator",
        label: "expected an expression",
        hint: "a power is `x ^ n`",
      };
    default:
      return unreachable(clue);
  }
}

const ruleWords: Readonly<Record<string, string>> = {
  item: "a definition (`def`, `data` or `type`)",
  type: "a type",
  sumType: "a type",
  productType: "a type",
  appliedType: "a type",
  atomicType: "a type",
  simpleType: "a type",
  pattern: "a pattern",
  appliedPattern: "a pattern",
  atomicPattern: "a pattern",
  simplePattern: "a pattern",
  ascribedPattern: "a pattern",
  parameters: "a parameter",
  letHead: "a name or a pattern",
  data: "a constructor",
  parenthesised: "an expression or `)`",
};

const tokenWords: Readonly<Record<string, string>> = {
  upper: "a name with a capital letter",
  lower: "a name with a small letter",
  integer: "an integer",
  real: "a number",
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
  if (wanted.name === "}" && construct === "{") return "`;` and another branch, or `}`";
  if (wanted.name === "=" && (construct === "def" || construct === "let")) return "`=` or a parameter";
  return quoted(wanted.name);
}

function describeFound({ found, text }: Unexpected): string {
  if (found === "end") return "the end of the definition";
  if (found === "upper" || found === "lower") return `the name \`${shorten(text)}\``;
  if (found === "integer" || found === "real") return `the number \`${shorten(text)}\``;
  if (/^[a-z]/.test(found)) return `the word \`${text}\``;
  return `\`${text}\``;
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 38)}..` : text;
}

const constructWords: Readonly<Record<Construct, string>> = {
  def: "this definition",
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
  "{": "these branches",
};

interface Where {
  readonly title: string;
  readonly note: string;
  readonly related: readonly RelatedPlace[];
}

function describeWhere(within: readonly Open[]): Where {
  const [inner] = within;
  if (inner === undefined) return { title: "this", note: "", related: [] };
  const words = constructWords[inner.construct];
  return {
    title: words,
    note: ` while reading ${words.replace(/^(this|these)/, "the")}`,
    related: [{ span: inner.span, label: `${words} ${words.startsWith("these") ? "begin" : "begins"} here` }],
  };
}

/** The bracket that a missing closing one belongs to. */
function unclosedOpener({ wanted, within }: Unexpected): RelatedPlace | null {
  const openers: Readonly<Record<string, Construct>> = { ")": "(", "]": "[", "}": "{" };
  const construct = wanted.kind === "token" ? openers[wanted.name] : undefined;
  const open = within.find((entry) => entry.construct === construct);
  return open === undefined ? null : { span: open.span, label: `this \`${open.construct}\` is still open` };
}

function genericHint({ wanted, found }: Unexpected): string | null {
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
