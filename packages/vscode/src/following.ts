// The cursor in a model lights the lines of emitted modules that are from its line, and the cursor in an emitted module the line of the model.

import * as vscode from "vscode";
import { viewScheme, type TextViews } from "./views.js";

export class Following implements vscode.Disposable {
  readonly #lit = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.wordHighlightStrongBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.wordHighlightStrongForeground"),
  });

  constructor(readonly views: TextViews) {}

  /** Lights what belongs to the line of the cursor, in all editors that can be seen; scrolls to it in the others. */
  follow(from: vscode.TextEditor): void {
    const isView = from.document.uri.scheme === viewScheme;
    const cursor = from.selection.active.line;
    const lines = isView ? this.views.linesOf(from.document.uri) : null;
    const at = isView ? (lines?.origin(cursor) ?? null) : { file: from.document.uri.toString(), line: cursor };
    for (const editor of vscode.window.visibleTextEditors) {
      const { uri } = editor.document;
      const own = uri.scheme === viewScheme ? (this.views.linesOf(uri)?.emitted(at ?? nowhere) ?? []) : [];
      const lit = at !== null && isView && uri.toString() === at.file ? [at.line] : own;
      editor.setDecorations(this.#lit, lit.map(lineRange));
      const [first] = lit;
      if (editor !== from && first !== undefined && !isSeen(editor, lit))
        editor.revealRange(lineRange(first), vscode.TextEditorRevealType.InCenter);
    }
  }

  dispose(): void {
    this.#lit.dispose();
  }
}

const nowhere = { file: "", line: -1 };

function lineRange(line: number): vscode.Range {
  return new vscode.Range(line, 0, line, 0);
}

/** Whether one of some lines is on the screen. */
function isSeen({ visibleRanges }: vscode.TextEditor, lines: readonly number[]): boolean {
  return lines.some((line) => visibleRanges.some(({ start, end }) => start.line <= line && line <= end.line));
}
