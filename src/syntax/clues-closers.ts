import type { Clue } from "./mistakes.js";
import { brackets } from "./nesting.js";
import { nameAt, spanOf, type Scene } from "./scene.js";

const openers: ReadonlyMap<string, string> = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
]);

/** A closing bracket that has no opening one: it is too much, or stands for one of another kind. */
export function closerClue(scene: Scene): Clue | null {
  const opener = openers.get(nameAt(scene, 0));
  if (opener === undefined) return null;
  const open = scene.nesting.entries.filter(({ construct }) => brackets.has(construct));
  const inner = open.at(-1);
  if (inner === undefined) return { kind: "stray", open: null };
  const images = open.map(({ token }) => token.image);
  const rest = scene.tokens.slice(scene.index + 1).map(({ tokenType }) => tokenType.name);
  const isOpen = images.includes(opener);
  // As if the brackets inside were closed, or this were their closing bracket
  const closed = isOpen ? images.slice(0, images.lastIndexOf(opener)) : images.slice(0, -1);
  const isExtra = inner.token.image !== opener && misfits(images, rest) < misfits(closed, rest);
  if (isOpen && !isExtra) return null;
  return { kind: "stray", open: { bracket: inner.token.image, span: spanOf(scene, inner.token), isExtra } };
}

/** How many brackets among `open`, and in the rest of the item, have no counterpart. */
function misfits(open: readonly string[], rest: readonly string[]): number {
  const waiting = [...open];
  const images = new Set(openers.values());
  let count = 0;
  for (const name of rest) {
    if (images.has(name)) waiting.push(name);
    const opener = openers.get(name);
    if (opener === undefined) continue;
    const at = waiting.lastIndexOf(opener);
    count += at === -1 ? 1 : waiting.length - at - 1;
    if (at !== -1) waiting.length = at;
  }
  return count + waiting.length;
}
