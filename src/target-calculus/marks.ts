// Where the terms of a printed text stand: signs without a width go through the layout with it, and are taken out after.

import type { Doc } from "prettier";
import { location, type Located } from "../location.js";
import type { Marked } from "./marked.js";

// Control characters, which no term has, and which the layout counts as nothing
const [opening, closing, zero, one] = ["\u0001", "\u0002", "\u0003", "\u0004"];

/** The marks of one program's text. */
export class Marks {
  /** What has been marked, by number. */
  readonly #all: Pick<Marked, "kind" | "at">[] = [];

  /** The document of a term with its place, if that is known. */
  marked(term: Located & { readonly kind: string }, doc: Doc): Doc {
    const at = term[location];
    if (at === undefined) return doc;
    this.#all.push({ kind: term.kind, at });
    const number = (this.#all.length - 1).toString(2).replaceAll("0", zero).replaceAll("1", one);
    return [`${opening}${number}${opening}`, doc, closing];
  }

  /** A text without its marks, and what they say. */
  read(text: string): { readonly text: string; readonly marks: readonly Marked[] } {
    return unmarked(text, this.#all);
  }
}

function unmarked(
  text: string,
  all: readonly Pick<Marked, "kind" | "at">[],
): { readonly text: string; readonly marks: readonly Marked[] } {
  if (!text.includes(opening)) return { text, marks: [] };
  const open: { readonly index: number; readonly number: number }[] = [];
  const marks: Marked[] = [];
  let plain = "";
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === opening) {
      const end = text.indexOf(opening, i + 1);
      const digits = text
        .slice(i + 1, end)
        .replaceAll(zero, "0")
        .replaceAll(one, "1");
      const found = all[parseInt(digits, 2)];
      open.push({ index: marks.length, number: plain.length });
      if (found !== undefined) marks.push({ start: plain.length, end: plain.length, ...found });
      i = end;
    } else if (char === closing) {
      const begun = open.pop();
      const mark = begun === undefined ? undefined : marks[begun.index];
      if (begun !== undefined && mark !== undefined) marks[begun.index] = { ...mark, end: plain.trimEnd().length };
    } else plain += char;
  }
  return { text: plain, marks: marks.filter(({ start, end }) => start < end) };
}
