// Ranges of a text that are lit: what belongs to what is pointed at elsewhere.

import { type Extension, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

export interface Range {
  readonly start: number;
  readonly end: number;
}

const light = StateEffect.define<readonly Range[]>();

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (before, transaction) => {
    let now = before.map(transaction.changes);
    for (const effect of transaction.effects) if (effect.is(light)) now = decorations(effect.value, transaction.newDoc);
    return now;
  },
  provide: (self) => EditorView.decorations.from(self),
});

const mark = Decoration.mark({ class: "lit" });

function decorations(ranges: readonly Range[], text: Text): DecorationSet {
  const fitting = ranges.filter(({ start, end }) => start < end && end <= text.length);
  return Decoration.set(
    fitting.flatMap((range) => linesOf(range, text)).map(({ start, end }) => mark.range(start, end)),
    true,
  );
}

/** A range line by line, without what lines are indented by. */
function linesOf({ start, end }: Range, text: Text): readonly Range[] {
  const found: Range[] = [];
  for (let at = start; at < end;) {
    const line = text.lineAt(at);
    const indented = line.from + line.text.length - line.text.trimStart().length;
    const own = { start: Math.max(at, indented), end: Math.min(end, line.to) };
    if (own.start < own.end) found.push(own);
    at = line.to + 1;
  }
  return found;
}

/** Scrolls to the first line that begins with some words, if any; what is around the text stays where it is. */
export function scrollToLine(view: EditorView, words: string): void {
  const found = new RegExp(`^${words}(?![\\p{L}\\p{M}\\p{Nd}_'$])`, "mu").exec(view.state.doc.toString());
  if (found === null) return;
  view.requestMeasure({
    read: () => view.lineBlockAt(Math.min(found.index, view.state.doc.length)).top,
    write: (top) => {
      view.scrollDOM.scrollTop = top - 20;
    },
  });
}

/** Lights ranges, and no others; `isSeen`: the first of them is scrolled to. */
export function lightIn(view: EditorView, ranges: readonly Range[], isSeen = false): void {
  const first = ranges[0];
  const seen = isSeen && first !== undefined && first.end <= view.state.doc.length;
  const effects = [
    light.of(ranges),
    ...(seen ? [EditorView.scrollIntoView(first.start, { y: "nearest", yMargin: 40 })] : []),
  ];
  view.dispatch({ effects });
}

/** Tells what is pointed at, or where the cursor is put: an offset; null where the pointer leaves. */
export function pointed(tell: (offset: number | null, byKey: boolean) => void): Extension {
  let last: number | null = null;
  const once = (offset: number | null, byKey: boolean): void => {
    if (offset === last && !byKey) return;
    last = offset;
    tell(offset, byKey);
  };
  return [
    field,
    EditorView.domEventHandlers({
      mousemove: (event, view) => {
        once(view.posAtCoords({ x: event.clientX, y: event.clientY }), false);
      },
      mouseleave: () => {
        once(null, false);
      },
    }),
    EditorView.updateListener.of((update) => {
      if (update.selectionSet && !update.docChanged) once(update.state.selection.main.head, true);
    }),
  ];
}
