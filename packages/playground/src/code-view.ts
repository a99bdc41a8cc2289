// Code that is read, not written: coloured, with lit parts.

import type { Language } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { standardKeymap } from "@codemirror/commands";
import { colours } from "./languages.js";
import { lightIn, pointed, type Range, scrollToLine } from "./lit.js";

export class CodeView {
  readonly element: HTMLElement;
  readonly #view: EditorView;

  constructor(label: string, language: Language, onPointed: (offset: number | null, byKey: boolean) => void) {
    this.#view = new EditorView({
      state: EditorState.create({
        extensions: [
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" }),
          lineNumbers(),
          drawSelection(),
          keymap.of(standardKeymap),
          language,
          colours,
          pointed(onPointed),
        ],
      }),
    });
    this.element = this.#view.dom;
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  show(text: string): void {
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
  }

  light(ranges: readonly Range[], isSeen = false): void {
    lightIn(this.#view, ranges, isSeen);
  }

  /** Scrolls to the first line that begins with some words. */
  showLine(words: string): void {
    scrollToLine(this.#view, words);
  }

  /** The line, from 0, of an offset. */
  lineAt(offset: number): number {
    return this.#view.state.doc.lineAt(offset).number - 1;
  }

  /** Without the spaces in front. */
  lineRange(line: number): Range {
    const { doc } = this.#view.state;
    if (line < 0 || line >= doc.lines) return { start: 0, end: 0 };
    const { from, to, text } = doc.line(line + 1);
    return { start: from + text.length - text.trimStart().length, end: to };
  }
}
