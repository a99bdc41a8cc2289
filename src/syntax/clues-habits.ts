import type { Clue } from "./mistakes.js";
import { imageAt, nameAt, spanBetween, spanOf, touches, wantsToken, type Scene } from "./scene.js";

/** A way of writing from elsewhere that the parser has followed a good way before it stopped. */
export function habitClue(scene: Scene): Clue | null {
  return (
    lambdaColon(scene) ??
    fromImport(scene) ??
    mutation(scene) ??
    nestedUpdate(scene) ??
    severalItemTypes(scene) ??
    doBlock(scene) ??
    innerDef(scene) ??
    bareParameters(scene) ??
    bodyBehindType(scene) ??
    absoluteBars(scene)
  );
}

/** `lambda x: x + 1`, read as a call with a type behind it. */
function lambdaColon(scene: Scene): Clue | null {
  const before = scene.tokens.slice(0, scene.index + 1);
  const at = before.findLastIndex(({ image }) => image === "lambda");
  const word = before[at];
  const params = before.slice(at + 1).findIndex(({ tokenType }) => tokenType.name === ":");
  const isLambda = params > 0 && before.slice(at + 1, at + 1 + params).every(({ tokenType }) => tokenType.name === "lower" || tokenType.name === ","); // prettier-ignore
  return word !== undefined && isLambda ? { kind: "lambdaColon", span: spanOf(scene, word) } : null;
}

function fromImport(scene: Scene): Clue | null {
  const [first, second] = scene.tokens;
  const isFrom = first?.image === "from" && second?.tokenType.name === "text";
  return isFrom ? { kind: "fromImport", span: spanOf(scene, first) } : null;
}

/** `y := y + x`, where no `let` binds a name. */
function mutation(scene: Scene): Clue | null {
  const isSign = nameAt(scene, 0) === ":" && nameAt(scene, 1) === "=" && touches(scene, 0);
  if (!isSign || nameAt(scene, -1) !== "lower" || wantsToken(scene, "=")) return null;
  return { kind: "mutation", name: imageAt(scene, -1), span: spanBetween(scene, -1, 1) };
}

function nestedUpdate(scene: Scene): Clue | null {
  if (nameAt(scene, 0) !== "." || scene.nesting.innermost?.construct !== "record" || nameAt(scene, 1) !== "lower")
    return null;
  const brace = scene.tokens.indexOf(scene.nesting.innermost.token);
  const bar = scene.tokens.slice(brace, scene.index).findIndex(({ tokenType }) => tokenType.name === "|");
  if (bar < 0 || nameAt(scene, -1) !== "lower") return null;
  const record = scene.tokens.slice(brace + 1, brace + bar).map(({ image }) => image).join(""); // prettier-ignore
  return { kind: "nestedUpdate", record, outer: imageAt(scene, -1), inner: imageAt(scene, 1) };
}

function severalItemTypes(scene: Scene): Clue | null {
  const [outer, inner] = scene.nesting.entries.slice(-2);
  const isInside = inner?.construct === "[" && (outer?.inType === true || scene.nesting.inType);
  return nameAt(scene, 0) === "," && isInside ? { kind: "severalItemTypes" } : null;
}

function doBlock(scene: Scene): Clue | null {
  for (const { construct, token } of scene.nesting.entries) {
    const word = scene.tokens[scene.tokens.indexOf(token) - 1];
    if (construct === "record" && word?.image === "do") return { kind: "doBlock", span: spanOf(scene, word) };
  }
  return null;
}

/** A `def` further right than the margin, which the parser takes for the next definition. */
function innerDef(scene: Scene): Clue | null {
  const last = scene.tokens.at(-1);
  if (nameAt(scene, 0) !== "end" || scene.nesting.innermost?.construct !== "def" || last === undefined) return null;
  const start = last.startOffset + last.image.length;
  const [, blank = ""] = /^(\s*\n[ \t]+)def\b/.exec(scene.source.text.slice(start)) ?? [];
  if (blank === "") return null;
  const at = start + blank.length;
  return { kind: "innerDef", span: { file: scene.source.name, start: at, end: at + "def".length } };
}

/** `x : R y : R`: the first colon was taken for that of the result. */
function bareParameters(scene: Scene): Clue | null {
  const top = scene.nesting.innermost;
  if (nameAt(scene, 0) !== ":" || top?.construct !== "def" || top.inBody) return null;
  const head = scene.tokens.slice(2, scene.index);
  const names = [...head.flatMap((token, i) => (head[i + 1]?.tokenType.name === ":" ? [token.image] : [])), imageAt(scene, -1)]; // prettier-ignore
  const [first] = head;
  const isBare = names.length > 1 && first?.tokenType.name === "lower";
  return isBare ? { kind: "bareParameters", names, span: spanBetween(scene, 2 - scene.index, 0) } : null;
}

const operands: ReadonlySet<string> = new Set(["lower", "integer", "real"]);

/** `def f (x : R) : R x + 1`, read as more of the type up to what can be none. */
function bodyBehindType(scene: Scene): Clue | null {
  const top = scene.nesting.innermost;
  if (top?.construct !== "def" || top.inBody || !top.inType) return null;
  const colon = scene.tokens.slice(0, scene.index).findLastIndex(({ tokenType }) => tokenType.name === ":");
  const body = scene.tokens.slice(colon + 2, scene.index + 1).find(({ tokenType }) => operands.has(tokenType.name));
  return body === undefined ? null : { kind: "missingEquals", span: spanOf(scene, body) };
}

function absoluteBars(scene: Scene): Clue | null {
  const isOperand = scene.wanted.kind === "rule" && scene.nesting.innermost?.inType !== true;
  const construct = scene.nesting.innermost?.construct;
  const declares = construct === "data" || construct === "type" || construct === "{";
  const [opening, behind] = [nameAt(scene, 0), scene.tokens.slice(scene.index + 1)];
  const isClosed = behind.some(({ tokenType }) => tokenType.name === "|");
  return isOperand && !declares && opening === "|" && isClosed ? { kind: "absoluteBars" } : null;
}
