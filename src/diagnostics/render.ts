// Diagnostics as text for a terminal, and as JSON for tools. What they say is decided elsewhere (`explain-*.ts`).

import pc from "picocolors";
import { positionAt, type Span } from "../syntax/source.js";
import type { Diagnostic } from "./diagnostic.js";
import { lastLineShown, Lines, printFrame, type Mark } from "./frame.js";

/** The text of a file that a diagnostic points into; null where it is not known. */
export type TextOf = (file: string) => string | null;

export interface RenderOptions {
  /** Whether there are escape sequences for a terminal's colours; left out: no. */
  readonly colors?: boolean;
  /** How many diagnostics are shown in full; the rest are counted. Left out: 20. */
  readonly limit?: number;
}

const defaultLimit = 20;

/**
 * Diagnostics without repetitions, in the order of their files and positions, errors before warnings at the same place. Of two with one code at one span only
 * the first is kept.
 */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const files = [...new Set(diagnostics.map((d) => d.span.file))];
  const seen = new Set<string>();
  const distinct = diagnostics.filter((d) => {
    const key = JSON.stringify([d.code, d.span.file, d.span.start, d.span.end]);
    return seen.has(key) ? false : (seen.add(key), true);
  });
  return distinct.sort(
    (a, b) =>
      files.indexOf(a.span.file) - files.indexOf(b.span.file) ||
      a.span.start - b.span.start ||
      Number(a.severity === "warning") - Number(b.severity === "warning") ||
      a.span.end - b.span.end,
  );
}

/** All diagnostics, sorted, one blank line between them, with a last line that counts them. "" where there are none. */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  textOf: TextOf,
  { colors: useColors = false, limit = defaultLimit }: RenderOptions = {},
): string {
  const sorted = sortDiagnostics(diagnostics);
  if (sorted.length === 0) return "";
  const colors = pc.createColors(useColors);
  const shown = sorted.slice(0, limit).map((diagnostic) => renderDiagnostic(diagnostic, textOf, useColors));
  const rest = sorted.length - shown.length;
  const errors = sorted.filter((d) => d.severity === "error").length;
  const warnings = sorted.length - errors;
  const counts = [count(errors, "error"), count(warnings, "warning")].filter((text) => text !== "").join(" and ");
  const summary = rest > 0 ? `${counts}; ${rest} more not shown` : counts;
  return [...shown, `${(errors > 0 ? colors.red : colors.yellow)(colors.bold(summary))}\n`].join("\n");
}

function count(n: number, noun: string): string {
  return n === 0 ? "" : `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/** One diagnostic: headline, place, frame, notes and hint. Ends with a line break. */
export function renderDiagnostic(diagnostic: Diagnostic, textOf: TextOf, useColors: boolean): string {
  const colors = pc.createColors(useColors);
  const alarm = diagnostic.severity === "error" ? colors.red : colors.yellow;
  const style = {
    gutter: (text: string) => colors.blue(text),
    primary: (text: string) => alarm(text),
    secondary: (text: string) => colors.blue(text),
  };
  const out = [
    `${colors.bold(alarm(`${diagnostic.severity}[${diagnostic.code}]`))}${colors.bold(`: ${diagnostic.title}`)}`,
  ];

  const groups = marksByFile(diagnostic);
  const files = [...groups.keys()].map((file) => {
    const text = textOf(file);
    return { file, text, lines: new Lines(text ?? ""), marks: groups.get(file) ?? [] };
  });
  const width = Math.max(1, ...files.map(({ lines, marks }) => String(lastLineShown(lines, marks)).length));
  const blank = " ".repeat(width);
  for (const { file, text, lines, marks } of files) {
    const [first] = marks;
    if (first === undefined) continue;
    const arrow = first.primary ? "-->" : ":::";
    if (text === null || isAboutFile(first, text)) {
      out.push(`${blank}${colors.blue(arrow)} ${file}`);
      continue;
    }
    const { line, column } = positionAt(text, lines.visible(first.span).start);
    out.push(`${blank}${colors.blue(arrow)} ${file}:${line}:${column}`, colors.blue(`${blank} |`));
    out.push(...printFrame(lines, marks, width, style));
  }
  const remarks = diagnostic.notes.map((note) => ({ kind: "note", text: note }));
  if (diagnostic.hint !== null) remarks.push({ kind: "hint", text: diagnostic.hint });
  if (remarks.length > 0) out.push(colors.blue(`${blank} |`));
  for (const { kind, text } of remarks) {
    const [head = "", ...tail] = text.split("\n");
    const indent = " ".repeat(width + 3 + kind.length + 2);
    out.push(`${blank} ${colors.blue("=")} ${(kind === "hint" ? colors.cyan : colors.bold)(kind)}: ${head}`);
    out.push(...tail.map((line) => `${indent}${line}`.trimEnd()));
  }
  return `${out.join("\n")}\n`;
}

/** Whether a mark stands for the file as a whole: nothing in it is to be underlined. */
function isAboutFile({ span, label }: Mark, text: string): boolean {
  if (label !== "") return false;
  return span.end === 0 || (text.slice(0, span.start).trim() === "" && text.slice(span.end).trim() === "");
}

/** The places of a diagnostic by file, the primary one's file first, the primary mark first in it. */
function marksByFile(diagnostic: Diagnostic): ReadonlyMap<string, readonly Mark[]> {
  const groups = new Map<string, Mark[]>();
  const add = (mark: Mark) => groups.set(mark.span.file, [...(groups.get(mark.span.file) ?? []), mark]);
  add({ span: diagnostic.span, label: diagnostic.label, primary: true });
  for (const { span, label } of diagnostic.related) add({ span, label, primary: false });
  return groups;
}

/** A place in a JSON diagnostic: offsets in UTF-16 units from 0, the end exclusive; lines and columns from 1, columns in UTF-16 units. */
export interface JsonPlace {
  readonly file: string;
  readonly start: { readonly line: number; readonly column: number; readonly offset: number };
  readonly end: { readonly line: number; readonly column: number; readonly offset: number };
}

/** A diagnostic as tools read it. */
export interface JsonDiagnostic extends JsonPlace {
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly label: string;
  readonly notes: readonly string[];
  readonly hint: string | null;
  readonly related: readonly (JsonPlace & { readonly label: string })[];
}

/** A diagnostic as data for tools; `JSON.stringify` puts it on one line. */
export function toJson(diagnostic: Diagnostic, textOf: TextOf): JsonDiagnostic {
  return {
    code: diagnostic.code,
    severity: diagnostic.severity,
    message: diagnostic.title,
    ...jsonPlace(diagnostic.span, textOf),
    label: diagnostic.label,
    notes: diagnostic.notes,
    hint: diagnostic.hint,
    related: diagnostic.related.map(({ span, label }) => ({ ...jsonPlace(span, textOf), label })),
  };
}

function jsonPlace(span: Span, textOf: TextOf): JsonPlace {
  const text = textOf(span.file) ?? "";
  return {
    file: span.file,
    start: { ...positionAt(text, span.start), offset: span.start },
    end: { ...positionAt(text, span.end), offset: span.end },
  };
}
