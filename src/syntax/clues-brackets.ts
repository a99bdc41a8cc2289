import type { Clue } from "./mistakes.js";
import { isOperator } from "./operators.js";
import { imageAt, nameAt, spanBetween, touches, type Scene } from "./scene.js";

/** The most likely reason for a mistake at a bracket, a comma, a `!` or the dot of a field. */
export function bracketClue(scene: Scene): Clue | null {
  return trailingComma(scene) ?? array(scene) ?? bang(scene) ?? section(scene) ?? dot(scene) ?? text(scene);
}

function trailingComma(scene: Scene): Clue | null {
  const closes = [")", "]", "}"].includes(nameAt(scene, 0));
  const begins = [")", "(", "[", "{"].includes(nameAt(scene, -2));
  return closes && nameAt(scene, -1) === "," && !begins ? { kind: "trailingComma" } : null;
}

function array(scene: Scene): Clue | null {
  if (scene.nesting.innermost?.construct !== "[") return null;
  if (nameAt(scene, 0) === ";") return { kind: "separator", between: "elements" };
  if (nameAt(scene, 0) === "|" || isLoop(scene)) return { kind: "comprehension" };
  return nameAt(scene, 0) === "." && nameAt(scene, -1) === "." ? { kind: "rangeDots" } : null;
}

/** `[t for x in xs]` */
function isLoop(scene: Scene): boolean {
  return nameAt(scene, 0) === "in" && imageAt(scene, -2) === "for";
}

function bang(scene: Scene): Clue | null {
  const found = nameAt(scene, 0);
  const doubled = nameAt(scene, -1) === "!" && touches(scene, -1);
  if (doubled && (found === "=" || found === "==")) return { kind: "notEqual", span: spanBetween(scene, -1, 0) };
  if (found !== "!") return null;
  if (doubled) return { kind: "doubleBang" };
  return scene.wanted.kind === "rule" ? { kind: "negation" } : null;
}

function section(scene: Scene): Clue | null {
  if (scene.wanted.kind !== "rule") return null;
  if (isOperator(imageAt(scene, 0)) && nameAt(scene, -1) === "(" && nameAt(scene, 1) !== ")") {
    return { kind: "section", operator: imageAt(scene, 0), isLeft: false };
  }
  const isLeft = nameAt(scene, 0) === ")" && isOperator(imageAt(scene, -1)) && nameAt(scene, -2) !== "(";
  return isLeft ? { kind: "section", operator: imageAt(scene, -1), isLeft } : null;
}

/** `p.0`, `f . (g h)` and `.focal`. */
function dot(scene: Scene): Clue | null {
  const found = nameAt(scene, 0);
  if (found === "." && scene.wanted.kind === "rule" && nameAt(scene, 1) === "lower") return { kind: "accessor" };
  if (nameAt(scene, -1) !== "." || nameAt(scene, -2) === "integer") return null;
  if (found === "integer") return touches(scene, -1) && touches(scene, -2) ? { kind: "tupleIndex" } : null;
  const spaced = !touches(scene, -2);
  return spaced && ["(", "\\", "upper"].includes(found) ? { kind: "composition" } : null;
}

function text(scene: Scene): Clue | null {
  return nameAt(scene, 0) === "text" ? { kind: "text" } : null;
}
