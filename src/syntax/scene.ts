import type { IToken } from "chevrotain";
import type { Expectation } from "./expectation.js";
import type { Construct, Nesting } from "./nesting.js";
import type { SourceFile, Span } from "./source.js";

/** The place of a mistake: `tokens[index]` is what does not fit. */
export interface Scene {
  readonly source: SourceFile;
  /** Those of the item. */
  readonly tokens: readonly IToken[];
  readonly index: number;
  readonly wanted: Expectation;
  readonly nesting: Nesting;
}

export function nameAt(scene: Scene, offset: number): string {
  return scene.tokens[scene.index + offset]?.tokenType.name ?? "end";
}

export function imageAt(scene: Scene, offset: number): string {
  return scene.tokens[scene.index + offset]?.image ?? "";
}

export function wantsToken(scene: Scene, ...names: string[]): boolean {
  return scene.wanted.kind === "token" && names.includes(scene.wanted.name);
}

const patternRules: ReadonlySet<string> = new Set([
  "branches", "pattern", "appliedPattern", "atomicPattern", "simplePattern", "ascribedPattern", "parameters", "letHead",
]); // prettier-ignore

export function wantsPattern(scene: Scene): boolean {
  return scene.wanted.kind === "rule" && patternRules.has(scene.wanted.name);
}

const patternPlaces: ReadonlySet<Construct> = new Set(["def", "let", "lambda", "{"]);

/** Where names are bound: in the pattern of a branch or of a `let`, or among parameters. */
export function isInPattern({ nesting }: Scene): boolean {
  const around = nesting.entries.findLast(({ construct }) => construct !== "(");
  return around !== undefined && patternPlaces.has(around.construct) && !around.inBody && !nesting.inType;
}

export function wantsType(scene: Scene): boolean {
  return scene.wanted.kind === "rule" && scene.wanted.name.endsWith("Type");
}

export function spanOf(scene: Scene, token: IToken): Span {
  return { file: scene.source.name, start: token.startOffset, end: token.startOffset + token.image.length };
}

/** From the first of two tokens to the end of the second. */
export function spanBetween(scene: Scene, from: number, to: number): Span {
  const first = scene.tokens[scene.index + from];
  const last = scene.tokens[scene.index + to];
  const start = first?.startOffset ?? 0;
  return { file: scene.source.name, start, end: last === undefined ? start : spanOf(scene, last).end };
}

/** Nothing stands between the token at `offset` and the one behind it. */
export function touches(scene: Scene, offset: number): boolean {
  const token = scene.tokens[scene.index + offset];
  const next = scene.tokens[scene.index + offset + 1];
  return token !== undefined && next !== undefined && token.startOffset + token.image.length === next.startOffset;
}

/** How far in a token stands that is the first on its line; null for others. */
export function indentOf(scene: Scene, token: IToken | undefined): number | null {
  const { text } = scene.source;
  if (token === undefined) return null;
  let start = token.startOffset;
  while (text[start - 1] === " " || text[start - 1] === "\t") start -= 1;
  return start === 0 || text[start - 1] === "\n" ? token.startOffset - start : null;
}
