import { bindingClue } from "./clues-bindings.js";
import { bracketClue } from "./clues-brackets.js";
import { branchClue } from "./clues-branches.js";
import { closerClue } from "./clues-closers.js";
import { fieldClue } from "./clues-fields.js";
import { foreignClue } from "./clues-foreign.js";
import { habitClue } from "./clues-habits.js";
import type { Clue } from "./mistakes.js";
import {
  imageAt,
  indentOf,
  nameAt,
  spanBetween,
  spanOf,
  touches,
  wantsPattern,
  wantsToken,
  type Scene,
} from "./scene.js";
import { keywords } from "./tokens.js";

/** The most likely reason for a syntax mistake, if there is one. */
export function clueFor(scene: Scene): Clue | null {
  for (const detect of detectors) {
    const clue = detect(scene);
    if (clue !== null) return clue;
  }
  return null;
}

const keywordNames: ReadonlySet<string> = new Set(keywords.map(({ name }) => name));
/** Inside of an item they cannot be anything. */
const itemWords: ReadonlySet<string> = new Set(["def", "data", "type", "import", "rule"]);
const bareArguments: ReadonlySet<string> = new Set(["\\", "let", "if", "case"]);
const fieldRules: ReadonlySet<string> = new Set(["fieldValues", "fieldPatterns", "fieldDeclarations"]);

// Special cases first.
const detectors: readonly ((scene: Scene) => Clue | null)[] = [
  whereBinding,
  habitClue,
  bindingClue,
  branchClue,
  missingIn,
  importForm,
  externForm,
  foreignCase,
  foreignClue,
  fieldClue,
  bracketClue,
  point,
  misspeltArrow,
  outsideItems,
  missingDef,
  names,
  branchSeparators,
  letBindings,
  bareArgument,
  foreignWord,
  foreignOperator,
  operators,
  separators,
  closerClue,
];

/** `y where y = s` and `g 1 where g a = s`, read as a call up to the `=`. */
function whereBinding(scene: Scene): Clue | null {
  if (nameAt(scene, 0) !== "=") return null;
  const before = scene.tokens.slice(Math.max(0, scene.index - farthestWhere), scene.index - 1);
  const word = before.findLast(({ image, tokenType }) => image === "where" || keywordNames.has(tokenType.name));
  return word?.image === "where"
    ? { kind: "foreignWord", word: word.image, span: spanOf(scene, word), inItem: true }
    : null;
}

/** The name that is bound and its parameters have no more tokens. */
const farthestWhere = 12;

/** The first token behind the `let`'s `=` that begins a line no further right than the `let` itself. */
function missingIn(scene: Scene): Clue | null {
  if (!wantsToken(scene, "in") || nameAt(scene, 0) === "and" || nameAt(scene, 0) === "=") return null;
  const opener = scene.nesting.entries.findLast(({ construct }) => construct === "letValue" || construct === "let");
  if (opener === undefined) return null;
  const from = scene.tokens.indexOf(opener.token);
  const column = opener.token.startOffset - (scene.source.text.lastIndexOf("\n", opener.token.startOffset - 1) + 1);
  const place = scene.tokens
    .slice(from + 1, scene.index)
    .find((token) => (indentOf(scene, token) ?? Infinity) <= column);
  const hasSemicolon = nameAt(scene, 0) === ";";
  return { kind: "missingIn", place: place === undefined ? null : spanOf(scene, place), hasSemicolon };
}

/** `.5` and `2.`: behind an expression the parser takes the point for that of a field. */
function point(scene: Scene): Clue | null {
  const dot = nameAt(scene, 0) === "." ? 0 : -1;
  if (nameAt(scene, dot) !== ".") return null;
  if (nameAt(scene, dot + 1) === "integer" && touches(scene, dot)) {
    const text = `.${imageAt(scene, dot + 1)}`;
    return { kind: "point", text, suggestion: `0${text}`, span: spanBetween(scene, dot, dot + 1) };
  }
  if (nameAt(scene, dot - 1) === "integer" && touches(scene, dot - 1)) {
    const text = `${imageAt(scene, dot - 1)}.`;
    return { kind: "point", text, suggestion: `${text}0`, span: spanBetween(scene, dot - 1, dot) };
  }
  return null;
}

function importForm(scene: Scene): Clue | null {
  const { tokens } = scene;
  return tokens[0]?.tokenType.name === "import" && nameAt(scene, -1) !== "," ? { kind: "importForm" } : null;
}

function externForm({ tokens }: Scene): Clue | null {
  return tokens[0]?.tokenType.name === "extern def" ? { kind: "externForm" } : null;
}

function misspeltArrow(scene: Scene): Clue | null {
  if (wantsToken(scene, "->") && nameAt(scene, 0) === "-" && nameAt(scene, 1) === ">") return { kind: "splitArrow" };
  const fat = nameAt(scene, 0) === "=" && nameAt(scene, 1) === ">" && touches(scene, 0);
  const behindSign = nameAt(scene, -1) === "=" && nameAt(scene, 0) === ">" && touches(scene, -1);
  if (behindSign) return { kind: "bindingSign" };
  const arrow = nameAt(scene, 0) === "->";
  const top = scene.nesting.innermost;
  if (scene.nesting.inType || (top?.construct === "{" && !top.inBody)) return fat ? { kind: "fatArrow" } : null;
  if ((fat || arrow) && top?.construct === "lambda") return { kind: "lambdaArrow" };
  return fat || (arrow && top?.construct === "(") ? { kind: "arrowFunction" } : null;
}

function outsideItems(scene: Scene): Clue | null {
  if (scene.wanted.kind !== "rule" || scene.wanted.name !== "item") return null;
  if (nameAt(scene, 0) === "let") return { kind: "letForDef" };
  const [first] = scene.tokens;
  if (nameAt(scene, 0) !== "lower" || first === undefined) return null;
  const [name, span] = [first.image, spanOf(scene, first)];
  if (nameAt(scene, 1) === "::" || nameAt(scene, 1) === ":") return { kind: "signature", name, span };
  return foreign.has(name) || foreignItems.has(name)
    ? { kind: "foreignWord", word: name, span, inItem: false }
    : { kind: "missingDef", name, span };
}

/** `g x = ..` at the left margin, read as more arguments of the definition above. */
function missingDef(scene: Scene): Clue | null {
  if (nameAt(scene, 0) !== "=" && nameAt(scene, 0) !== ":") return null;
  const name = scene.tokens
    .slice(1, scene.index)
    .findLast((token) => token.tokenType.name === "lower" && indentOf(scene, token) === 0);
  return name === undefined ? null : { kind: "missingDef", name: name.image, span: spanOf(scene, name) };
}

function names(scene: Scene): Clue | null {
  const found = nameAt(scene, 0);
  const text = imageAt(scene, 0);
  if (wantsToken(scene, "upper") && found === "lower") return { kind: "wantsUpper", name: text };
  const wantsField = scene.wanted.kind === "rule" && fieldRules.has(scene.wanted.name);
  if ((wantsField || wantsToken(scene, "lower")) && found === "upper") return { kind: "wantsLower", name: text };
  const declares = scene.nesting.innermost?.construct === "data" || scene.nesting.innermost?.construct === "type";
  if (declares && wantsToken(scene, "=") && found === "upper") return { kind: "wantsLower", name: text };
  if (scene.wanted.kind === "rule" && scene.wanted.name === "dataDeclaration" && found === "lower")
    return { kind: "wantsUpper", name: text };
  const wantsName = wantsToken(scene, "lower", "upper") || wantsPattern(scene) || wantsField;
  if (wantsName && keywordNames.has(found)) return { kind: "reserved", word: text };
  // `let in = 1` and `\of. 1` stop behind patterns that could have gone on.
  if (wantsPattern(scene) && found === "real") return { kind: "realPattern" };
  const isBound = nameAt(scene, 1) === "=" || (nameAt(scene, 1) === ":" && nameAt(scene, -1) === "(");
  if (itemWords.has(found) || (keywordNames.has(found) && isBound)) return { kind: "reserved", word: text };
  return null;
}

function branchSeparators(scene: Scene): Clue | null {
  const top = scene.nesting.innermost;
  if (top?.construct !== "{" || !top.inBody) return null;
  const found = nameAt(scene, 0);
  if (found === "|" || found === ",") return { kind: "branchSeparator" };
  if (found !== "->") return null;
  const from = scene.tokens.indexOf(top.token);
  const place = scene.tokens.slice(from + 1, scene.index).findLast((token) => indentOf(scene, token) !== null);
  return { kind: "missingSemicolon", place: place === undefined ? null : spanOf(scene, place) };
}

function letBindings(scene: Scene): Clue | null {
  const binds = wantsToken(scene, "=");
  if (binds && (nameAt(scene, 0) === "==" || (nameAt(scene, 0) === ":" && nameAt(scene, 1) === "=")))
    return { kind: "bindingSign" };
  if (nameAt(scene, 0) === "=" && nameAt(scene, -1) === ":" && touches(scene, -1)) return { kind: "bindingSign" };
  if (binds && nameAt(scene, 0) === "->" && scene.nesting.innermost?.construct === "def")
    return { kind: "resultArrow" };
  if (wantsToken(scene, "in") && nameAt(scene, 0) === "and") return { kind: "andWithoutRec" };
  const equals = nameAt(scene, 0) === "=" || nameAt(scene, 0) === ":";
  return equals && nameAt(scene, -2) === "rec" ? { kind: "recursiveValue" } : null;
}

function bareArgument(scene: Scene): Clue | null {
  const behindOperand = scene.wanted.kind !== "rule" && bareArguments.has(nameAt(scene, 0));
  return behindOperand ? { kind: "bareArgument", word: imageAt(scene, 0) } : null;
}

function operators(scene: Scene): Clue | null {
  const found = nameAt(scene, 0);
  if (found === "*" && scene.nesting.inType) return { kind: "starType" };
  if (found === "*" && nameAt(scene, -1) === "*") return { kind: "power" };
  const top = scene.nesting.innermost;
  if (found === ":" && top?.construct === "lambda") return { kind: "bareAscription" };
  if (found === ":" && nameAt(scene, 1) === "=") return { kind: "bindingSign" };
  const inTerm = top !== undefined && (top.inBody || top.construct !== "{") && !scene.nesting.inType;
  if (found === "=" && inTerm && scene.wanted.kind !== "rule") return { kind: "comparison" };
  if (found === ":" && inTerm && scene.wanted.kind !== "rule") return { kind: "colon" };
  return null;
}

function separators(scene: Scene): Clue | null {
  const found = nameAt(scene, 0);
  const top = scene.nesting.innermost?.construct;
  if (found === "," && (top === "lambda" || top === "let" || (top === "def" && wantsToken(scene, "=")))) {
    return { kind: "separator", between: "parameters" };
  }
  if (found !== ";") return null;
  if (top === "{") return separates(scene) ? { kind: "separator", between: "branches" } : null;
  return top === "def" || top === "data" || top === "type" ? { kind: "separator", between: "definitions" } : null;
}

/** A `;` with nothing in front of it. */
function separates(scene: Scene): boolean {
  return nameAt(scene, -1) === ";" || nameAt(scene, -1) === "{";
}

const foreign: ReadonlySet<string> = new Set([
  "where",
  "elif",
  "elseif",
  "fun",
  "fn",
  "function",
  "match",
  "with",
  "return",
  "export",
  "const",
  "var",
  "for",
  "while",
  "lambda",
]);
/** With what they take apart and braces behind them. */
const foreignCases: ReadonlySet<string> = new Set(["switch", "match"]);
/** Where a definition should begin. */
const foreignItems: ReadonlySet<string> = new Set(["interface", "class", "struct", "enum", "record"]);
/** With a condition behind them. */
const foreignBranches: ReadonlySet<string> = new Set(["elif", "elseif"]);
const argumentStarts: ReadonlySet<string> = new Set(["lower", "upper", "integer", "real", "(", "_"]);

/** `switch x { .. }` and `match x { .. }`, whose braces were read as those of a record; behind a constructor they are. */
function foreignCase(scene: Scene): Clue | null {
  for (const { construct, token } of scene.nesting.entries) {
    if (construct !== "record") continue;
    const brace = scene.tokens.indexOf(token);
    if (scene.tokens[brace - 1]?.tokenType.name === "upper") continue;
    const at = scene.tokens.slice(0, brace).findLastIndex(({ image }) => foreignCases.has(image));
    const word = scene.tokens[at];
    const between = scene.tokens.slice(at + 1, brace).map(({ tokenType }) => tokenType.name);
    const takes =
      argumentStarts.has(between[0] ?? "") && !between.some((name) => name === "=" || keywordNames.has(name));
    if (word !== undefined && takes)
      return { kind: "foreignWord", word: word.image, span: spanOf(scene, word), inItem: true };
  }
  return null;
}

/** A word of another language just before the mistake, read as a function with arguments. */
function foreignWord(scene: Scene): Clue | null {
  for (const offset of [0, -1, -2, -3]) {
    const word = scene.tokens[scene.index + offset];
    if (word === undefined || !foreign.has(word.image) || !argumentStarts.has(nameAt(scene, offset + 1))) continue;
    return { kind: "foreignWord", word: word.image, span: spanOf(scene, word), inItem: true };
  }
  return nameAt(scene, 0) === "then" ? foreignBranch(scene) : null;
}

/** `if a then s elif b then t`: read up to the second `then` as a call of `s`. */
function foreignBranch(scene: Scene): Clue | null {
  const opener = scene.nesting.innermost;
  if (opener === undefined) return null;
  const inside = scene.tokens.slice(scene.tokens.indexOf(opener.token) + 1, scene.index);
  const word = inside.findLast(({ image }) => foreignBranches.has(image));
  return word === undefined ? null : { kind: "foreignWord", word: word.image, span: spanOf(scene, word), inItem: true };
}

/** `x |> f`, and `a and b` where nothing can be joined. */
function foreignOperator(scene: Scene): Clue | null {
  if (scene.wanted.kind === "rule") return null;
  if (nameAt(scene, 0) === "|" && nameAt(scene, 1) === ">" && touches(scene, 0)) return { kind: "pipe" };
  // Functions that are joined by it may lack something at their end
  const mayJoin = scene.nesting.has("let") || scene.nesting.has("letValue");
  return nameAt(scene, 0) === "and" && !mayJoin ? { kind: "andOperator" } : null;
}
