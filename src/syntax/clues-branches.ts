import type { Clue } from "./mistakes.js";
import { imageAt, nameAt, spanBetween, spanOf, wantsToken, type Scene } from "./scene.js";

/** The most likely reason for a mistake in the pattern of a branch, or at its beginning. */
export function branchClue(scene: Scene): Clue | null {
  return (
    qualified(scene) ??
    (isInBranch(scene) ? (condition(scene) ?? constructor(scene) ?? sign(scene) ?? beginning(scene)) : null)
  );
}

/** In front of the arrow of a branch. */
function isInBranch(scene: Scene): boolean {
  const around = scene.nesting.entries.findLast(({ construct }) => construct !== "(");
  return around?.construct === "{" && !around.inBody;
}

const argumentStarts: ReadonlySet<string> = new Set(["lower", "upper", "integer", "(", "_", "true", "false"]);

/** `x if c -> ..` and `p | q -> ..`. */
function condition(scene: Scene): Clue | null {
  if (!wantsToken(scene, "->")) return null;
  if (nameAt(scene, 0) === "if" || imageAt(scene, 0) === "when") return { kind: "branchCondition" };
  return nameAt(scene, 0) === "|" ? { kind: "severalPatterns" } : null;
}

/** `lit x -> ..`: only a constructor has patterns behind it. */
function constructor(scene: Scene): Clue | null {
  if (nameAt(scene, -1) !== "lower" || !argumentStarts.has(nameAt(scene, 0)) || scene.wanted.kind !== "token")
    return null;
  const before = nameAt(scene, -2);
  const name = imageAt(scene, -1);
  const upper = name.charAt(0).toUpperCase() + name.slice(1);
  const isDeclared = new RegExp(`[=|]\\s*${upper}(?![\\p{L}\\p{N}_'])`, "u").test(scene.source.text);
  // `(a b)` may lack a comma
  if (before !== "{" && before !== ";" && !(before === "(" && isDeclared)) return null;
  return { kind: "smallConstructor", name, upper, isDeclared, span: spanBetween(scene, -1, -1) };
}

/** `A x : t` and `A x = t`, and `x : rest -> t`. */
function sign(scene: Scene): Clue | null {
  const found = nameAt(scene, 0);
  if (!wantsToken(scene, "->") || (found !== ":" && found !== "=") || nameAt(scene, 1) === ">") return null;
  const rest = scene.tokens.slice(scene.index).map(({ tokenType }) => tokenType.name);
  const end = rest.findIndex((name) => name === ";" || name === "}");
  const hasArrow = rest.slice(0, end === -1 ? rest.length : end).includes("->");
  return hasArrow ? (found === ":" ? { kind: "colon" } : null) : { kind: "branchArrow" };
}

/** `| A x -> ..` for the first branch, and `else -> ..`. */
function beginning(scene: Scene): Clue | null {
  const isFirst = nameAt(scene, -1) === "{" || nameAt(scene, -1) === ";";
  if (!isFirst) return null;
  if (nameAt(scene, 0) === "|") return { kind: "branchSeparator" };
  return nameAt(scene, 0) === "else" ? { kind: "elseBranch" } : null;
}

/** `Shape.Circle r`, as a pattern and as an expression. */
function qualified(scene: Scene): Clue | null {
  const at = nameAt(scene, 0) === "." ? 0 : -1;
  if (nameAt(scene, at) !== "." || nameAt(scene, at - 1) !== "upper" || nameAt(scene, at + 1) !== "upper") return null;
  const token = scene.tokens[scene.index + at - 1];
  if (token === undefined || token.image === "Math") return null;
  return { kind: "qualified", name: imageAt(scene, at + 1), span: spanOf(scene, token) };
}
