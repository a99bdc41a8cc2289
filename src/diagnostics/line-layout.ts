// One line of source text as a terminal shows it: tabs expanded, invisible and reordering characters made visible, long lines cut
// to the part that matters.

/** A line ready to print, and where each offset into the original line stands in it. */
export interface LineLayout {
  readonly text: string;
  /** The display column, counted from 0, of an offset into the line; one past the last column where the offset is behind the text. */
  columnOf(offset: number): number;
}

const tabWidth = 4;
const longestLine = 160;
const contextBefore = 40;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;
const emojiStyle = "\ufe0f";
const invisible = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;
/** Control characters, and those that reorder the text around them: a frame must show the order in which the compiler reads. */
const treacherous = /[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Columns that one grapheme takes. */
function graphemeWidth(grapheme: string): number {
  if (invisible.test(grapheme)) return 0;
  return wide.test(grapheme) || grapheme.includes(emojiStyle) ? 2 : 1;
}

/** Columns that a text without tabs takes in a terminal. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** The window of a long line that holds `focus`: offsets, on whole code points. */
function windowAround(line: string, focus: number): { readonly from: number; readonly to: number } {
  if (line.length <= longestLine) return { from: 0, to: line.length };
  const from = wholeCodePoint(line, Math.max(0, Math.min(focus - contextBefore, line.length - longestLine)));
  return { from, to: wholeCodePoint(line, Math.min(line.length, from + longestLine)) };
}

function wholeCodePoint(line: string, offset: number): number {
  return /[\udc00-\udfff]/.test(line.charAt(offset)) ? offset - 1 : offset;
}

/** Lays out a line, without its line break; `focus` is the offset that must stay visible. */
export function layOutLine(line: string, focus: number): LineLayout {
  const { from, to } = windowAround(line, focus);
  let text = from > 0 ? "…" : "";
  let width = text.length;
  const columns: number[] = [];
  for (const { segment, index } of graphemes.segment(line.slice(from, to))) {
    const shown = segment === "\t" ? " ".repeat(tabWidth - (width % tabWidth)) : segment.replace(treacherous, "\ufffd");
    for (let i = 0; i < segment.length; i++) columns[index + i] = width;
    text += shown;
    width += segment === "\t" ? shown.length : graphemeWidth(shown);
  }
  const end = width;
  if (to < line.length) text += "…";
  return { text: text.trimEnd(), columnOf: (offset) => (offset < from ? 0 : (columns[offset - from] ?? end)) };
}
