import type { Doc } from "prettier";
import { builders } from "prettier/doc";
import type { Comment } from "./tree.js";

const { breakParent, hardline, lineSuffix, lineSuffixBoundary, literalline, join } = builders;

/** A comment as it stands, its own line breaks included; a line comment that waits for the end of the line comes before them. */
export function commentDoc(comment: Comment): Doc {
  const lines = comment.text.split(/\r?\n/);
  return lines.length === 1 ? comment.text : [lineSuffixBoundary, join(literalline, lines)];
}

/**
 * Where the comments inside one item go. The item is printed twice. The first time only the places are noted where comments can stand: the
 * beginnings and ends of nodes. Then each comment is given to one of them, and the second time it comes out there. Who asks first gets the
 * comments, so that a node must ask before it prints its parts: then comments stand outside of everything that begins or ends there. A
 * boundary keeps two line comments from running together where the layout has no line break between them.
 */
export class Comments {
  private readonly starts = new Set<number>();
  private readonly ends = new Set<number>();
  private readonly leading = new Map<number, Comment[]>();
  private readonly trailing = new Map<number, Comment[]>();

  constructor(private readonly text: string) {}

  /** Gives out the comments, after a first printing. */
  place(comments: readonly Comment[]): void {
    const starts = [...this.starts].sort((a, b) => a - b);
    const ends = [...this.ends].sort((a, b) => a - b);
    for (const comment of comments) {
      const before = ends.findLast((end) => end <= comment.span.start);
      const after = starts.find((start) => start >= comment.span.end);
      const isBehind = before !== undefined && (after === undefined || this.belongsBehind(comment, before, after));
      const offset = isBehind ? before : after;
      const target = isBehind ? this.trailing : this.leading;
      if (offset !== undefined) target.set(offset, [...(target.get(offset) ?? []), comment]);
    }
  }

  /** On the line of what stands before it, and nothing follows there or only something that is no node, an operator say. */
  private belongsBehind(comment: Comment, before: number, after: number): boolean {
    const gap = this.text.slice(before, comment.span.start);
    if (gap.includes("\n")) return false;
    return this.endsLine(comment) || (gap.trim() === "" && this.text.slice(comment.span.end, after).trim() !== "");
  }

  /** What stands before a node that begins at `offset`, with the space behind it. */
  before(offset: number): Doc[] {
    this.starts.add(offset);
    return take(this.leading, offset).map((comment) => [
      comment.kind === "block" ? "" : lineSuffixBoundary,
      commentDoc(comment),
      comment.kind === "block" && !this.endsLine(comment) ? " " : hardline,
    ]);
  }

  /** What stands behind a node that ends at `offset`, with the space before it. */
  behind(offset: number): Doc {
    this.ends.add(offset);
    return take(this.trailing, offset).map((comment) =>
      comment.kind === "block"
        ? [" ", commentDoc(comment)]
        : [lineSuffixBoundary, lineSuffix([" ", commentDoc(comment)]), breakParent],
    );
  }

  /** Comments before a closing bracket at `offset`, each on a line of its own. */
  beforeCloser(offset: number): readonly Doc[] {
    this.starts.add(offset);
    return take(this.leading, offset).map((comment) => [hardline, commentDoc(comment)]);
  }

  /** The comments around a node, and the node. */
  around(span: { readonly start: number; readonly end: number }, print: () => Doc): Doc {
    const before = this.before(span.start);
    const behind = this.behind(span.end);
    return [before, print(), behind];
  }

  /** Nothing but other comments follows on the line. */
  private endsLine(comment: Comment): boolean {
    return /^(?:[ \t]|\{-[^\n]*?-\})*(?:--[^\n]*)?\r?(?:\n|$)/.test(this.text.slice(comment.span.end));
  }

  /** The author has begun a new line right behind `sign`, between the two offsets: that is kept. */
  newLineBehind(sign: "=" | "{", from: number, to: number): boolean {
    const gap = this.text.slice(from, to);
    return /^[ \t]*\r?\n/.test(gap.slice(gap.indexOf(sign) + 1)) && gap.includes(sign);
  }

  /** An empty line stands between the two offsets, before the first comment there that has a line of its own. */
  emptyLine(from: number, to: number): boolean {
    return /^[^\n]*(?:\n[ \t]*in\b[^\n]*)?\n[ \t\r]*\n/.test(this.text.slice(from, to));
  }
}

function take(map: Map<number, Comment[]>, offset: number): readonly Comment[] {
  const found = map.get(offset) ?? [];
  map.delete(offset);
  return found;
}
