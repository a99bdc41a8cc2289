// A text that is being written, made whole: a name stands at the cursor, and what is open behind it is closed, so that there is a tree to ask.

import type { Analysis } from "../driver/analyse.js";
import { partsOf } from "../syntax/edit.js";
import { Nesting } from "../syntax/nesting.js";
import { tokenize } from "../syntax/tokens.js";
import type * as Tree from "../syntax/tree.js";

/** Analyses the file with another text. */
export type Reanalyse = (text: string) => Analysis;

/** The name at the cursor; no program has it. */
const placeholder = "cursorPlaceholder";

export interface Cursor {
  readonly analysis: Analysis;
  /** From the body of the definition to the placeholder. */
  readonly path: readonly Tree.Expr[];
}

/** The letters of a name directly before a place. */
export function wordBefore(text: string, offset: number): string {
  return /[\p{L}\p{M}\p{Nd}_']*$/u.exec(text.slice(0, offset))?.[0] ?? "";
}

/** The program with a name at the cursor; null where no expression can stand there. */
export function cursorAt(text: string, offset: number, reanalyse: Reanalyse): Cursor | null {
  const start = offset - wordBefore(text, offset).length;
  const behind = text.slice(offset).replace(/^[\p{L}\p{M}\p{Nd}_']*/u, "");
  const before = text.slice(0, start) + placeholder;
  return find(reanalyse(before + behind), start) ?? find(reanalyse(closed(before, start) + rest(behind)), start);
}

/** From the next line that begins an item. */
function rest(behind: string): string {
  const next = /^(?:def|data|type|import|extern|fused|rule|---)\b/m.exec(behind);
  return next === null || next.index === 0 ? "\n" : `\n${behind.slice(next.index)}`;
}

/** The text with what is open at its end closed. */
function closed(before: string, start: number): string {
  const { tokens } = tokenize(before);
  const first = tokens.findLastIndex((token) => token.startOffset < start && /^(?:def|data|type|import|extern def|fused def|rule \w+)$/.test(token.tokenType.name) && isAtLineStart(before, token.startOffset)); // prettier-ignore
  const nesting = new Nesting();
  for (const token of tokens.slice(Math.max(0, first))) nesting.read(token);
  return (
    before +
    nesting.entries
      .map(({ construct, inBody }) => closer(construct, inBody))
      .reverse()
      .join("")
  );
}

function isAtLineStart(text: string, offset: number): boolean {
  return offset === 0 || text[offset - 1] === "\n";
}

function closer(construct: string, inBody: boolean): string {
  switch (construct) {
    case "(":
      return ")";
    case "[":
      return "]";
    case "{":
      return inBody ? "}" : " -> 0 }";
    case "record":
      return inBody ? "}" : " = 0 }";
    case "case":
      return " of { _ -> 0 }";
    case "of":
      return " { _ -> 0 }";
    case "if":
      return " then 0 else 0";
    case "then":
      return " else 0";
    case "let":
      return " = 0 in 0";
    case "letValue":
      return " in 0";
    case "lambda":
      return ". 0";
    case "def":
    case "rule":
      return inBody ? "" : " = 0";
    default:
      return "";
  }
}

/** Where the placeholder stands in the tree. */
function find(analysis: Analysis, start: number): Cursor | null {
  const item = analysis.tree.items.find(({ span }) => span.start <= start && start < span.end);
  if (item?.kind !== "def" && item?.kind !== "rule") return null;
  const body = item.kind === "def" ? item.binding.body : item.body;
  const path: Tree.Expr[] = [];
  const holds = (expr: Tree.Expr): boolean => expr.span.start <= start && start < expr.span.end;
  for (let next = [body].find(holds); next !== undefined; next = partsOf(next).find(holds)) path.push(next);
  const last = path.at(-1);
  const isHere = (last?.kind === "variable" || last?.kind === "field") && last.name.name === placeholder;
  return isHere ? { analysis, path } : null;
}
