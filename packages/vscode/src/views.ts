// Texts beside the editor: emitted gradients, stages, values. Each is a document that cannot be written to, and is made anew when its model is saved.

import * as vscode from "vscode";

const scheme = "dualrev";

interface Shown {
  readonly model: string;
  readonly ask: () => Promise<unknown>;
  text: string;
}

export class TextViews implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #shown = new Map<string, Shown>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  readonly onDidChange = this.#changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#shown.get(uri.toString())?.text ?? "";
  }

  /** Shows what the server answers; gives the answer. */
  async show(command: string, args: readonly unknown[], ask: () => Promise<unknown>): Promise<unknown> {
    const answer = await ask();
    const shown = textOf(answer);
    if (shown === null) return answer;
    const ending = { typescript: "ts", json: "json" }[shown.language] ?? "txt";
    const uri = vscode.Uri.from({ scheme, path: `/${shown.title}.${ending}`, query: JSON.stringify(args.slice(0, 2)) });
    this.#shown.set(uri.toString(), { model: String(args[0]), ask, text: shown.text });
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: command === "dualrev.run" }); // prettier-ignore
    return answer;
  }

  /** Asks again for what is shown of a model. */
  async refresh(model: string): Promise<void> {
    for (const [uri, shown] of this.#shown) {
      if (shown.model !== model) continue;
      const text = textOf(await shown.ask())?.text;
      if (text === undefined || text === shown.text) continue;
      shown.text = text;
      this.#changed.fire(vscode.Uri.parse(uri));
    }
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}

function textOf(answer: unknown): { readonly title: string; readonly language: string; readonly text: string } | null {
  if (typeof answer !== "object" || answer === null) return null;
  if (!("title" in answer) || !("language" in answer) || !("text" in answer)) return null;
  return { title: String(answer.title), language: String(answer.language), text: String(answer.text) };
}
