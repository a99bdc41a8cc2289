// What is said of a model, as esbuild shows it: it prints a line of a file by itself, where it is told the line, and counts columns in bytes.

import { Buffer } from "node:buffer";
import { resolve } from "node:path";
import type { JsonDiagnostic } from "dualrev";
import type { Message } from "./model.js";

export interface EsbuildLocation {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 0, in bytes, as the length is: of what lies on this line. */
  readonly column: number;
  readonly length: number;
  readonly lineText: string;
}

export interface EsbuildNote {
  readonly text: string;
  readonly location?: EsbuildLocation;
}

export interface EsbuildMessage {
  readonly text: string;
  /** Left out of what no line of a file is the place of. */
  readonly location?: EsbuildLocation;
  readonly notes: EsbuildNote[];
  /** For tools. */
  readonly detail: JsonDiagnostic;
}

/** A message with its line, and what stands at other places of that line, is expected, or may help, as notes. */
export function esbuildMessage({ diagnostic, textOf }: Message): EsbuildMessage {
  const { code, message, label, related, notes, hint } = diagnostic;
  const location = locationOf(diagnostic, textOf);
  const others = related.map((place): EsbuildNote => {
    const at = locationOf(place, textOf);
    // esbuild shows a line with one mark: the same line a second time says no more
    const isShown = at.file === location.file && at.line === location.line;
    return isShown ? { text: marked(at, place.label) } : { text: place.label, location: at };
  });
  const remarks = [...notes.map((note) => `note: ${note}`), ...(hint === null ? [] : [`hint: ${hint}`])];
  const own = label === "" ? [] : [{ text: marked(location, label) }];
  const said = remarks.map((remark) => ({ text: remark.replaceAll("\n", "\n      ") }));
  const text = `${code}: ${message}`;
  // Of the model as a whole: esbuild would show its first line
  if (label === "" && diagnostic.end.offset === 0) return { text, notes: [{ text: `in ${diagnostic.file}` }, ...said], detail: diagnostic }; // prettier-ignore
  return { text, location, notes: [...own, ...others, ...said], detail: diagnostic };
}

type Place = Pick<JsonDiagnostic, "end" | "file" | "start">;

function locationOf({ file, start, end }: Place, textOf: Message["textOf"]): EsbuildLocation {
  const lineText = (textOf(file) ?? "").split(/\r?\n/)[start.line - 1] ?? "";
  const [from, to] = [start.column - 1, end.line === start.line ? end.column - 1 : lineText.length];
  const bytes = (begin: number, stop: number): number => Buffer.byteLength(lineText.slice(begin, stop));
  return { file: resolve(file), line: start.line, column: bytes(0, from), length: bytes(from, to), lineText };
}

/** What is said of a part of a line, after its text. */
function marked({ lineText, column, length }: EsbuildLocation, label: string): string {
  const text = Buffer.from(lineText).subarray(column, column + length).toString().trimEnd(); // prettier-ignore
  return text === "" ? label : `\`${text}\`: ${label}`;
}
