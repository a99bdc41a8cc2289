/** A file's text under the name that diagnostics show. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
}

/** Part of a file: UTF-16 offsets, `end` exclusive. */
export interface Span {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** A place in a text, both counted from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The line and column of an offset. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let i = before.indexOf("\n"); i !== -1; i = before.indexOf("\n", i + 1)) line += 1;
  return { line, column: offset - lineStart + 1 };
}

/** The smallest span that holds both. */
export function joinSpans(first: Span, last: Span): Span {
  return { file: first.file, start: Math.min(first.start, last.start), end: Math.max(first.end, last.end) };
}
