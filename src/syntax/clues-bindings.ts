import type { IToken } from "chevrotain";
import type { Clue } from "./mistakes.js";
import {
  imageAt,
  indentOf,
  isInPattern,
  nameAt,
  spanBetween,
  spanOf,
  touches,
  wantsToken,
  type Scene,
} from "./scene.js";

/** The most likely reason for a mistake where a name is bound, at a condition, or in front of a body. */
export function bindingClue(scene: Scene): Clue | null {
  return (
    parallelPattern(scene) ??
    turnedSign(scene) ??
    severalBindings(scene) ??
    bareBinding(scene) ??
    condition(scene) ??
    withoutBody(scene) ??
    missingEquals(scene) ??
    header(scene)
  );
}

/** `let (a |*| b) = s`, with the sign that makes a pair. */
function parallelPattern(scene: Scene): Clue | null {
  return nameAt(scene, 0) === "|*|" && isInPattern(scene) ? { kind: "parallelPattern" } : null;
}

/** `=<`, `<>`, and `=>` in a condition. */
function turnedSign(scene: Scene): Clue | null {
  const isRight = scene.wanted.kind === "rule";
  const at = isRight ? -1 : 0;
  if (!touches(scene, at)) return null;
  const text = `${imageAt(scene, at)}${imageAt(scene, at + 1)}`;
  const inCondition = scene.nesting.innermost?.construct === "if";
  const meant = isRight
    ? text === "<>"
      ? "/="
      : null
    : text === "=<"
      ? "<="
      : inCondition && text === "=>"
        ? ">="
        : null;
  return meant === null ? null : { kind: "turnedSign", text, meant, span: spanBetween(scene, at, at + 1) };
}

/** `let x = s, y = t in u`, also with `;` and with a new line in between. */
function severalBindings(scene: Scene): Clue | null {
  if (!wantsToken(scene, "in") || scene.nesting.innermost?.construct !== "letValue") return null;
  const found = nameAt(scene, 0);
  if (found === "=") {
    const [name] = namesOfLine(scene);
    const before = name === undefined ? undefined : scene.tokens[scene.tokens.indexOf(name) - 1];
    return name === undefined || before?.tokenType.name === "="
      ? null
      : { kind: "severalBindings", span: spanOf(scene, name) };
  }
  const behind = scene.tokens.slice(scene.index + 1);
  const equals = behind.findIndex(({ tokenType }) => tokenType.name === "=");
  const [name] = behind;
  const isBinding = equals > 0 && behind.slice(0, equals).every(isName);
  return (found === "," || found === ";") && isBinding && name !== undefined
    ? { kind: "severalBindings", span: spanOf(scene, name) }
    : null;
}

/** The name that begins a line in front of a `=`, and its parameters; none where there is something else. */
function namesOfLine(scene: Scene): readonly IToken[] {
  for (let i = scene.index - 1; i >= 0; i -= 1) {
    const token = scene.tokens[i];
    if (token === undefined || !isName(token)) return [];
    const indent = indentOf(scene, token);
    if (indent === null) continue;
    const isBinding = indent > 0 && token.tokenType.name === "lower" && !foreign.has(token.image);
    return isBinding ? scene.tokens.slice(i, scene.index) : [];
  }
  return [];
}

/** Words that are told in another way. */
const foreign: ReadonlySet<string> = new Set(["where", "const", "var", "return"]);

function isName({ tokenType }: IToken): boolean {
  return tokenType.name === "lower" || tokenType.name === "_";
}

/** A line `y = t` in a body, and `p.x = t`. */
function bareBinding(scene: Scene): Clue | null {
  if (nameAt(scene, 0) !== "=" || nameAt(scene, 1) === ">" || scene.wanted.kind !== "end") return null;
  const [name, ...params] = namesOfLine(scene);
  if (name !== undefined) {
    // `int x = 1` binds the second one
    return { kind: "bareBinding", name: params.length === 0 ? name.image : null, span: spanOf(scene, name) };
  }
  const isField = nameAt(scene, -1) === "lower" && nameAt(scene, -2) === ".";
  return isField ? { kind: "fieldAssignment", name: imageAt(scene, -1) } : null;
}

/** `if c: t`, and `t if c else u`. */
function condition(scene: Scene): Clue | null {
  if (nameAt(scene, 0) === ":" && wantsToken(scene, "then")) return { kind: "conditionColon" };
  if (nameAt(scene, 0) !== "if" || scene.wanted.kind === "rule") return null;
  const behind = scene.tokens.slice(scene.index + 1).map(({ tokenType }) => tokenType.name);
  const next = behind.find((name) => name === "then" || name === "else");
  return next === "else" ? { kind: "conditionBehind" } : null;
}

/** `let x = s in` with nothing behind it. */
function withoutBody(scene: Scene): Clue | null {
  return nameAt(scene, 0) === "end" && nameAt(scene, -1) === "in" ? { kind: "letWithoutBody" } : null;
}

const bodyStarts: ReadonlySet<string> = new Set(["lower", "integer", "real", "let", "if", "case", "\\", "[", "-"]);
const operators: ReadonlySet<string> = new Set(["+", "-", "*", "/", "^", "!", "==", "<", ">", "<=", ">=", "::", "end"]);

/** A body on a new line, which was read as more of the head. */
function missingEquals(scene: Scene): Clue | null {
  const top = scene.nesting.innermost;
  if (top?.construct !== "def" || top.inBody) return null;
  const place = scene.tokens
    .slice(2, scene.index + 1)
    .find((token) => bodyStarts.has(token.tokenType.name) && (indentOf(scene, token) ?? 0) > 0);
  if (place === undefined) return null;
  const isBody = place === scene.tokens[scene.index] || top.inType || operators.has(nameAt(scene, 0));
  const isType = top.inType && place.tokenType.name === "[";
  return isBody && !isType ? { kind: "missingEquals", span: spanOf(scene, place) } : null;
}

/** `def f (x R)`, `def my-name`, `data Shape = Circle of R`. */
function header(scene: Scene): Clue | null {
  const top = scene.nesting.innermost;
  const found = nameAt(scene, 0);
  if (found === "of" && scene.nesting.has("data")) return { kind: "fieldsWithOf" };
  if (top?.construct === "def" && wantsToken(scene, "=") && found === "-" && scene.index === 2) {
    const name = `${imageAt(scene, -1)}_${imageAt(scene, 1)}`;
    return nameAt(scene, 1) === "lower" && touches(scene, -1) && touches(scene, 0) ? { kind: "hyphen", name } : null;
  }
  const outer = scene.nesting.entries.at(-2);
  const inHead = top?.construct === "(" && !top.inType && outer?.construct === "def" && !outer.inBody;
  const isFirst = nameAt(scene, -2) === "(" || nameAt(scene, -2) === ",";
  return inHead && found === "upper" && nameAt(scene, -1) === "lower" && isFirst
    ? { kind: "parameterType", name: imageAt(scene, -1), type: imageAt(scene, 0) }
    : null;
}
