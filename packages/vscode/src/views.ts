// Texts beside the editor: emitted gradients, stages, values. Each is a document that cannot be written to, and is made anew when its model has changed.

import * as vscode from "vscode";
import { LineMap } from "./line-map.js";

export const viewScheme = "dualrev";

interface Answer {
  readonly title: string;
  readonly language: string;
  readonly text: string;
  readonly map: string | null;
}

interface Shown {
  readonly model: string;
  readonly ask: () => Promise<unknown>;
  readonly language: string;
  text: string;
  /** Null where it is no emitted module. */
  lines: LineMap | null;
}

export class TextViews implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #shown = new Map<string, Shown>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registrations = [
    vscode.workspace.registerTextDocumentContentProvider(viewScheme, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.#shown.delete(uri.toString())),
  ];
  readonly onDidChange = this.#changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#shown.get(uri.toString())?.text ?? "";
  }

  /** Which lines of a view are from which of models; null for what is no view, or none of an emitted module. */
  linesOf(uri: vscode.Uri): LineMap | null {
    return this.#shown.get(uri.toString())?.lines ?? null;
  }

  /** Shows what the server answers; gives the answer. */
  async show(command: string, args: readonly unknown[], ask: () => Promise<unknown>): Promise<unknown> {
    const given = await ask();
    const answer = answerOf(given);
    if (answer === null) return given;
    const ending = { typescript: "ts", json: "json" }[answer.language] ?? "txt";
    const uri = vscode.Uri.from({
      scheme: viewScheme,
      path: `/${answer.title}.${ending}`,
      query: JSON.stringify(args.slice(0, 2)),
    });
    const { language, text } = answer;
    this.#shown.set(uri.toString(), { model: String(args[0]), ask, language, text, lines: linesOf(answer) });
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: command === "dualrev.run" }); // prettier-ignore
    return given;
  }

  /** Asks again for what is shown of a model: for all, or for emitted modules alone, which stay as they are while the model has mistakes. */
  async refresh(model: string, which: "all" | "modules"): Promise<void> {
    for (const [uri, shown] of this.#shown) {
      if (shown.model !== model || (which === "modules" && shown.language !== "typescript")) continue;
      const answer = answerOf(await shown.ask());
      if (answer === null || (which === "modules" && answer.language !== shown.language)) continue;
      const isAnother = answer.text !== shown.text;
      shown.text = answer.text;
      shown.lines = linesOf(answer);
      if (isAnother) this.#changed.fire(vscode.Uri.parse(uri));
    }
  }

  /** To be called where a model has changed: lines are elsewhere until its views are made anew. */
  forgetLines(model: string): void {
    for (const shown of this.#shown.values()) if (shown.model === model) shown.lines = null;
  }

  dispose(): void {
    for (const registration of this.#registrations) registration.dispose();
    this.#changed.dispose();
  }
}

function linesOf({ map }: Answer): LineMap | null {
  return map === null ? null : new LineMap(map, (source) => vscode.Uri.parse(source).toString());
}

function answerOf(answer: unknown): Answer | null {
  if (typeof answer !== "object" || answer === null) return null;
  if (!("title" in answer) || !("language" in answer) || !("text" in answer)) return null;
  const map = "map" in answer && typeof answer.map === "string" ? answer.map : null;
  return { title: String(answer.title), language: String(answer.language), text: String(answer.text), map };
}
