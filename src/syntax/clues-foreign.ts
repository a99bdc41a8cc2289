import type { Clue } from "./mistakes.js";
import {
  imageAt,
  indentOf,
  isInPattern,
  nameAt,
  spanBetween,
  spanOf,
  touches,
  wantsPattern,
  wantsToken,
  wantsType,
  type Scene,
} from "./scene.js";

/** A form of another language for which this one has a form of its own. */
export function foreignClue(scene: Scene): Clue | null {
  return comment(scene) ?? doubledSign(scene) ?? typeForm(scene) ?? termForm(scene) ?? bracketForm(scene);
}

/** `// ..` and `/* .. *\/`. */
function comment(scene: Scene): Clue | null {
  if (scene.wanted.kind !== "rule") return null;
  for (const offset of [-1, 0]) {
    const second = nameAt(scene, offset + 1);
    if (nameAt(scene, offset) !== "/" || (second !== "/" && second !== "*") || !touches(scene, offset)) continue;
    const text = `/${second}`;
    const mayDivide = offset === -1 && text === "//" && scene.nesting.depth > 0;
    return { kind: "slashComment", text, span: spanBetween(scene, offset, offset + 1), mayDivide };
  }
  return null;
}

/** `===`, `x += 1` and `xs ++ ys`. */
function doubledSign(scene: Scene): Clue | null {
  if (scene.wanted.kind !== "rule" || !touches(scene, -1)) return null;
  const [before, found] = [nameAt(scene, -1), nameAt(scene, 0)];
  const span = spanBetween(scene, -1, 0);
  if (before === "==" && found === "=") return { kind: "tripleEquals", span };
  if (before === "+" && found === "+") return { kind: "doublePlus", span };
  const assigns = found === "=" && ["+", "-", "*", "/"].includes(before);
  return assigns ? { kind: "assignment", text: `${imageAt(scene, -1)}=`, span } : null;
}

/** `R[]`, `List<R>`, `def f<a>`, `data Tree<a>`, bars in declarations, and `R | Z` elsewhere. */
function typeForm(scene: Scene): Clue | null {
  const found = nameAt(scene, 0);
  const top = scene.nesting.innermost?.construct;
  const declares = top === "data" || top === "type";
  if (found === "]" && nameAt(scene, -1) === "[" && touches(scene, -1) && wantsType(scene)) {
    return { kind: "arraySuffix", span: spanBetween(scene, -1, 0) };
  }
  if (found === "<" && scene.nesting.inType) return { kind: "angleBrackets", of: "type" };
  if (found === "<" && wantsToken(scene, "="))
    return { kind: "angleBrackets", of: declares ? "declaration" : "definition" };
  if (found !== "|") return null;
  const begins = indentOf(scene, scene.tokens[scene.index]) !== null;
  if (begins && top === "def" && nameAt(scene, -1) !== ":") return matched(scene) ?? { kind: "guard" };
  if (!declares) return scene.nesting.inType ? { kind: "unionType" } : null;
  return nameAt(scene, -1) === "=" ? { kind: "leadingBar" } : { kind: "variantsOfAlias" };
}

/** `match s with` in front of branches that have no braces. */
function matched(scene: Scene): Clue | null {
  const at = scene.tokens.slice(0, scene.index).findLastIndex(({ image }) => image === "match");
  const word = scene.tokens[at];
  const isName = scene.tokens[at + 1]?.tokenType.name === "=";
  return word === undefined || isName
    ? null
    : { kind: "foreignWord", word: word.image, span: spanOf(scene, word), inItem: true };
}

/** `x, y` without parentheses, and `Math.PI`. */
function termForm(scene: Scene): Clue | null {
  const found = nameAt(scene, 0);
  if (found === "," && scene.wanted.kind === "end" && scene.nesting.innermost?.construct === "def") {
    return { kind: "bareTuple" };
  }
  const isConstant = found === "upper" && nameAt(scene, -1) === "." && imageAt(scene, -2) === "Math";
  return isConstant ? { kind: "mathConstant", span: spanBetween(scene, -2, 0) } : null;
}

/** `[x, ...xs]`; patterns in brackets, and in braces without a constructor; a body in braces. */
function bracketForm(scene: Scene): Clue | null {
  const [found, top] = [nameAt(scene, 0), scene.nesting.innermost?.construct];
  if (top === "[" && scene.wanted.kind === "rule" && found === "." && nameAt(scene, 1) === ".") {
    return { kind: "spreadElements" };
  }
  if (found === "{" && top === "def" && wantsToken(scene, "=")) return { kind: "bodyBraces" };
  // Behind other patterns, where something else may follow as well
  if (found === "[" && isInPattern(scene)) return { kind: "arrayPattern" };
  // Behind `(` an expression or a type could begin with them
  if (!wantsPattern(scene) && !(nameAt(scene, -1) === "(" && wantsToken(scene, ")"))) return null;
  if (found === "[") return { kind: "arrayPattern" };
  return found === "{" ? { kind: "bracePattern" } : null;
}
