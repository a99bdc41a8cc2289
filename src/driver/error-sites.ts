// Where run-time errors say that they are.

import type { ProgramFile } from "../syntax/load.js";
import type { Span } from "../syntax/source.js";

export interface ErrorSite {
  readonly definition: string;
  readonly problem: string;
  /** The first word of what failed. */
  readonly span: Span;
}

/** The parts of a run-time error, `f (model.lam:3:5): ..`; null where its place is in none of these files, or could be in several. */
export function siteIn(files: readonly Omit<ProgramFile, "tree">[], message: string): ErrorSite | null {
  const [, definition = "", place = "", line = "", column = "", problem = ""] =
    /^(.+?) \(([^()]*):(\d+):(\d+)\): ([^]*)$/.exec(message) ?? [];
  const [file, another] = files.filter((each) => each.place === place);
  if (file === undefined || another !== undefined) return null;
  const lines = file.text.split("\n");
  const before = lines.slice(0, Number(line) - 1);
  const start = before.reduce((sum, text) => sum + text.length + 1, 0) + Number(column) - 1;
  const [word = ""] = /^[\p{L}\p{N}_']+|^[^]/u.exec(file.text.slice(start)) ?? [];
  return { definition, problem, span: { file: file.name, start, end: start + word.length } };
}
