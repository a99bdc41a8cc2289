// The frame of a diagnostic: the lines of one file that it points at, each span underlined with its label. @babel/code-frame marks one
// place with one message and colours JavaScript; a diagnostic here points at several places, so the frame is dualrev's own.

import type { Span } from "../syntax/source.js";
import { displayWidth, layOutLine } from "./line-layout.js";

/** A place to underline; there is one primary mark in a diagnostic. */
export interface Mark {
  readonly span: Span;
  readonly label: string;
  readonly primary: boolean;
}

/** How the parts of a frame are coloured. */
export interface FrameStyle {
  readonly gutter: (text: string) => string;
  readonly primary: (text: string) => string;
  readonly secondary: (text: string) => string;
}

/** A mark's place in lines counted from 0, and columns as offsets into the line, the end exclusive. */
interface PlacedMark extends Mark {
  readonly firstLine: number;
  readonly firstColumn: number;
  readonly lastLine: number;
  readonly lastColumn: number;
}

/** A part of one line to underline. */
interface Underline {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly primary: boolean;
}

/** A text by lines, without line breaks. */
export class Lines {
  readonly #starts: readonly number[];
  readonly #text: string;

  constructor(text: string) {
    const starts = [0];
    for (let i = text.indexOf("\n"); i !== -1; i = text.indexOf("\n", i + 1)) starts.push(i + 1);
    this.#text = text;
    this.#starts = starts;
  }

  /** The text of a line counted from 0; "" past the end. */
  line(index: number): string {
    const start = this.#starts[index];
    if (start === undefined) return "";
    const next = this.#starts[index + 1];
    return this.#text.slice(start, next === undefined ? undefined : next - 1).replace(/\r$/, "");
  }

  /** Line and offset into the line, both counted from 0. */
  locate(offset: number): { readonly line: number; readonly column: number } {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, column: offset - (this.#starts[low] ?? 0) };
  }

  /** The span without white space at its end; what points behind the last word of the text is moved to its end. */
  visible(span: Span): Span {
    const limit = this.#text.trimEnd().length;
    const start = Math.min(Math.max(0, span.start), limit);
    const end = Math.min(Math.max(start, span.end), limit);
    return { ...span, start, end: start + this.#text.slice(start, end).trimEnd().length };
  }
}

const longestBlock = 6;
const shownAtEachEnd = 3;
const widestRow = 180;

/** The lines of a frame, each with its gutter; `width` is the number of columns that line numbers take. */
export function printFrame(lines: Lines, marks: readonly Mark[], width: number, style: FrameStyle): string[] {
  const placed = marks.map((mark) => place(lines, mark));
  const block = placed.find((mark) => mark.primary && mark.lastLine > mark.firstLine) ?? null;
  const shown = linesToShow(placed, block);
  const out: string[] = [];
  let previous = -1;
  for (const index of shown) {
    if (previous !== -1 && index > previous + 2) out.push(style.gutter("..."));
    else if (previous !== -1 && index === previous + 2)
      out.push(...printLine(lines, index - 1, placed, block, width, style));
    out.push(...printLine(lines, index, placed, block, width, style));
    previous = index;
  }
  return out;
}

/** The greatest line number, counted from 1, that a frame of these marks shows. */
export function lastLineShown(lines: Lines, marks: readonly Mark[]): number {
  return 1 + Math.max(0, ...marks.map((mark) => place(lines, mark).lastLine));
}

function place(lines: Lines, mark: Mark): PlacedMark {
  const span = lines.visible(mark.span);
  const first = lines.locate(span.start);
  const last = lines.locate(span.end);
  return {
    ...mark,
    span,
    firstLine: first.line,
    firstColumn: first.column,
    lastLine: last.line,
    lastColumn: last.column,
  };
}

function linesToShow(marks: readonly PlacedMark[], block: PlacedMark | null): number[] {
  const shown = new Set<number>();
  for (const mark of marks) {
    shown.add(mark.firstLine);
    if (mark !== block) continue;
    const count = mark.lastLine - mark.firstLine + 1;
    const whole = count <= longestBlock;
    for (let i = mark.firstLine; i <= mark.lastLine; i++) {
      if (whole || i < mark.firstLine + shownAtEachEnd || i > mark.lastLine - shownAtEachEnd) shown.add(i);
      else i = mark.lastLine - shownAtEachEnd;
    }
  }
  return [...shown].sort((a, b) => a - b);
}

/** One line of source and the rows of underlines below it. */
function printLine(
  lines: Lines,
  index: number,
  marks: readonly PlacedMark[],
  block: PlacedMark | null,
  width: number,
  style: FrameStyle,
): string[] {
  const source = lines.line(index);
  const here = marks.filter((mark) => mark !== block && mark.firstLine === index);
  const focus = here.find((mark) => mark.primary) ?? here[0] ?? null;
  const layout = layOutLine(source, focus?.firstColumn ?? (block?.firstLine === index ? block.firstColumn : 0));
  const underlines = here.map((mark): Underline => {
    const from = layout.columnOf(mark.firstColumn);
    const to = layout.columnOf(mark.lastLine === index ? mark.lastColumn : source.length);
    return { from, to: Math.max(to, from + 1), label: mark.label, primary: mark.primary };
  });

  // The bar at the left edge of a block that spans lines: it leaves its first line through a corner and enters its last one
  const inside = block !== null && index > block.firstLine && index <= block.lastLine;
  const behind = block !== null && index >= block.firstLine && index < block.lastLine;
  const bar = (on: boolean) => (block === null ? "" : on ? `${style.primary("|")} ` : "  ");
  const opensAtStart = block?.firstLine === index && source.slice(0, block.firstColumn).trim() === "";

  const out: string[] = [];
  const number = String(index + 1).padStart(width);
  const edge = opensAtStart ? `${style.primary("/")} ` : bar(inside);
  const row = (gutter: string, content: string) => out.push(`${style.gutter(`${gutter} |`)} ${content}`.trimEnd());
  const blank = " ".repeat(width);
  row(number, `${edge}${layout.text}`);
  if (block?.firstLine === index && !opensAtStart) {
    row(blank, style.primary(` ${"_".repeat(1 + layout.columnOf(block.firstColumn))}^`));
  }
  const underlineBar = bar(behind);
  for (const content of printUnderlines(underlines, style)) row(blank, `${underlineBar}${content}`);
  if (block?.lastLine === index) {
    const column = Math.max(0, layout.columnOf(block.lastColumn) - 1);
    row(blank, style.primary(`|${"_".repeat(1 + column)}^ ${block.label}`.trimEnd()));
  }
  return out;
}

/** The rows below a line: underlines, the last one's label beside it, the others' hanging below. */
function printUnderlines(underlines: readonly Underline[], style: FrameStyle): string[] {
  const rows: string[] = [];
  for (const layer of layersOf(underlines)) {
    const last = layer[layer.length - 1];
    if (last === undefined) continue;
    const drawn = layer.map(({ from, to, primary }) => ({
      column: from,
      text: (primary ? "^" : "-").repeat(to - from),
      primary,
    }));
    // The last label stands beside its underline if there is room
    const isBeside = last.to + 1 + displayWidth(last.label) <= widestRow;
    const hanging = (isBeside ? layer.slice(0, -1) : layer).filter((underline) => underline.label !== "");
    const beside = isBeside ? [{ column: last.to + 1, text: last.label, primary: last.primary }] : [];
    rows.push(printRow([...drawn, ...beside], style));
    if (hanging.length === 0) continue;
    const bars = hanging.map(({ from, primary }) => ({ column: from, text: "|", primary }));
    rows.push(printRow(bars, style));
    for (let i = hanging.length - 1; i >= 0; i--) {
      const { from, label, primary } = hanging[i] ?? last;
      rows.push(printRow([...bars.slice(0, i), { column: from, text: label, primary }], style));
    }
  }
  return rows;
}

/** Sorts underlines by column into rows in which none overlap, the primary one's first. */
function layersOf(underlines: readonly Underline[]): Underline[][] {
  const layers: Underline[][] = [];
  for (const underline of [...underlines].sort((a, b) => Number(b.primary) - Number(a.primary))) {
    const free = layers.find((layer) => layer.every((other) => underline.to < other.from || other.to < underline.from));
    if (free === undefined) layers.push([underline]);
    else free.push(underline);
  }
  return layers.map((layer) => layer.sort((a, b) => a.from - b.from));
}

interface Piece {
  readonly column: number;
  readonly text: string;
  readonly primary: boolean;
}

function printRow(pieces: readonly Piece[], style: FrameStyle): string {
  let row = "";
  let column = 0;
  for (const piece of pieces) {
    row += " ".repeat(Math.max(0, piece.column - column));
    row += piece.text === "" ? "" : piece.primary ? style.primary(piece.text) : style.secondary(piece.text);
    column = piece.column + displayWidth(piece.text);
  }
  return row.trimEnd();
}
