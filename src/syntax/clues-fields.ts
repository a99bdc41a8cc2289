import type { IToken } from "chevrotain";
import type { Clue } from "./mistakes.js";
import { nameAt, spanOf, wantsToken, type Scene } from "./scene.js";

/** The most likely reason for a mistake directly inside the braces of a record. */
export function fieldClue(scene: Scene): Clue | null {
  const braces = bracesOf(scene);
  if (braces === null) return recordType(scene) ?? inParentheses(scene);
  const ofBraces = bracesOfCase(scene);
  if (ofBraces !== null) return { kind: "missingOf", span: spanOf(scene, ofBraces) };
  if (braces.within === "if" && braces.before !== "upper")
    return { kind: "missingThen", span: spanOf(scene, braces.token) };
  const between = braces.within === "data" ? "declared fields" : "fields";
  if (nameAt(scene, 0) === ";") return wantsToken(scene, "|") ? { kind: "bareBraces" } : { kind: "separator", between };
  if (braces.isFirst) return atFirst(scene, braces);
  if (wantsToken(scene, ":")) return { kind: "fieldType", equals: nameAt(scene, 0) === "=" };
  if (wantsToken(scene, "=")) return unbound(scene);
  if (wantsToken(scene, "}")) return missingComma(scene, braces);
  return wantsToken(scene, "|") ? noUpdate(scene, braces) : null;
}

/** The braces around a mistake. */
interface Braces {
  readonly token: IToken;
  /** The name of the token before them. */
  readonly before: string;
  /** What they stand in. */
  readonly within: string;
  /** Nothing stands before the mistake. */
  readonly isFirst: boolean;
}

function bracesOf(scene: Scene): Braces | null {
  const top = scene.nesting.innermost;
  if (top?.construct !== "record") return null;
  const index = scene.tokens.indexOf(top.token);
  return {
    token: top.token,
    before: scene.tokens[index - 1]?.tokenType.name ?? "",
    within: scene.nesting.entries.at(-2)?.construct ?? "",
    isFirst: index === scene.index - 1,
  };
}

/** Of a `case` without `of`, the brace before its branches, which was read as a record's. */
function bracesOfCase(scene: Scene): IToken | null {
  const { entries } = scene.nesting;
  const at = entries.findIndex(({ construct }, i) => construct === "record" && entries[i - 1]?.construct === "case");
  const brace = entries[at]?.token;
  if (brace === undefined) return null;
  let depth = 0;
  for (const token of scene.tokens.slice(scene.tokens.indexOf(brace))) {
    if (["(", "[", "{"].includes(token.image)) depth += 1;
    if ([")", "]", "}"].includes(token.image)) depth -= 1;
    if (depth === 0) break;
    if (depth === 1 && token.tokenType.name === "->") return brace;
  }
  return null;
}

/** Braces where a type or a constructor is wanted. */
function recordType(scene: Scene): Clue | null {
  if (nameAt(scene, 0) !== "{") return null;
  const declares = scene.nesting.innermost?.construct === "data" || scene.nesting.innermost?.construct === "type";
  if (declares && nameAt(scene, -1) === "=") return { kind: "recordType", name: scene.tokens[1]?.image ?? null };
  return scene.nesting.inType ? { kind: "recordType", name: null } : null;
}

function atFirst(scene: Scene, braces: Braces): Clue | null {
  if (nameAt(scene, 0) === ".") return { kind: "update", form: "spread" };
  if (nameAt(scene, 0) !== "}") return null;
  return { kind: braces.before === "upper" ? "emptyRecord" : "bareBraces" };
}

/** A name without `=`. */
function unbound(scene: Scene): Clue | null {
  const found = nameAt(scene, 0);
  return [":", "->", "=="].includes(found) ? { kind: "fieldSign" } : { kind: "fieldValue" };
}

/** `{ a = 1 b = 2 }` or `{ a : R b : R }`, read as an application. */
function missingComma(scene: Scene, braces: Braces): Clue | null {
  const sign = nameAt(scene, 0);
  if (sign === "|") return { kind: "separator", between: "fields" };
  if (sign === ":" && braces.within !== "data") return { kind: "fieldSign" };
  const name = scene.tokens[scene.index - 1];
  const isField = (sign === "=" || sign === ":") && name?.tokenType.name === "lower";
  return isField ? { kind: "missingComma", name: name.image, span: spanOf(scene, name) } : null;
}

/** Braces that were read as an update, which has no `|`. */
function noUpdate(scene: Scene, braces: Braces): Clue | null {
  const found = nameAt(scene, 0);
  const inside = scene.tokens.slice(scene.tokens.indexOf(braces.token) + 1, scene.index);
  if (found === "=" && inside.some(({ image }) => image === "with")) return { kind: "update", form: "with" };
  if (found === "," && inside.length > 0) return { kind: "update", form: "comma" };
  if (braces.before === "upper") return { kind: "fieldValue" };
  if (found !== "=" && found !== ":") return found === "}" ? { kind: "bareBraces" } : null;
  const behindRecord = braces.before === "lower" || braces.before === ")";
  return behindRecord ? { kind: "update", form: "behind" } : { kind: "noConstructor" };
}

/** `Camera (focal = 2)`, and `data Camera = Camera (focal : R)`. */
function inParentheses(scene: Scene): Clue | null {
  const top = scene.nesting.innermost;
  const declares = scene.nesting.has("data");
  if (top?.construct !== "(" || nameAt(scene, 0) !== (declares ? ":" : "=") || nameAt(scene, -1) !== "lower")
    return null;
  const before = scene.tokens[scene.tokens.indexOf(top.token) - 1];
  const separated = ["(", ","].includes(nameAt(scene, -2));
  return before?.tokenType.name === "upper" && separated
    ? { kind: "recordBraces", name: before.image, declares }
    : null;
}
