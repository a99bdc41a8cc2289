// The extension over a stand-in for the editor: the emitted module beside a model, and the lines in both that belong together. The server is the real one.

import { afterAll, expect, test, vi } from "vitest";
import { Folder } from "./command-line.js";
import { LanguageServer } from "./language-server.js";

const editor = vi.hoisted(() => {
  class Uri {
    readonly scheme: string;
    constructor(readonly text: string) {
      this.scheme = text.slice(0, text.indexOf(":"));
    }
    static parse(text: string): Uri {
      return new Uri(text);
    }
    static from({ scheme, path, query }: Readonly<Record<"scheme" | "path" | "query", string>>): Uri {
      return new Uri(`${scheme}:${path}?${query}`);
    }
    toString(): string {
      return this.text;
    }
  }

  /** An editor that remembers what is lit in it, and which line was scrolled to. */
  class TextEditor {
    lit: readonly number[] = [];
    revealed: number | null = null;
    readonly selection = { active: { line: 0 } };
    readonly visibleRanges = [{ start: { line: 0 }, end: { line: 3 } }];
    readonly document: { readonly uri: Uri; readonly languageId: string };
    constructor(uri: Uri, languageId: string) {
      this.document = { uri, languageId };
    }
    setDecorations(_: unknown, ranges: readonly { readonly line: number }[]): void {
      this.lit = ranges.map(({ line }) => line);
    }
    revealRange({ line }: { readonly line: number }): void {
      this.revealed = line;
    }
  }

  /** What a command of the server is asked through. */
  type Middleware = (command: string, args: unknown[], next: (command: string, args: unknown[]) => unknown) => unknown;

  interface Provider {
    provideTextDocumentContent(uri: Uri): string;
  }

  const listeners = new Map<string, (event: object) => void>();
  const visible: TextEditor[] = [];
  const given: { active: TextEditor | undefined; execute: Middleware | null; provide: (uri: Uri) => string } = {
    active: undefined,
    execute: null,
    provide: () => "",
  };
  const nothing = { dispose: () => undefined };
  const listen = (name: string) => (listener: (event: object) => void) => {
    listeners.set(name, listener);
    return nothing;
  };
  const module = {
    Uri,
    EventEmitter: class {
      readonly event = nothing;
      readonly fire = () => undefined;
      readonly dispose = () => undefined;
    },
    Disposable: class {
      readonly dispose = () => undefined;
    },
    Range: class {
      constructor(readonly line: number) {}
    },
    ThemeColor: class {
      constructor(readonly id: string) {}
    },
    TextEditorRevealType: { InCenter: 2 },
    ViewColumn: { Beside: -2 },
    commands: { registerCommand: () => nothing },
    workspace: {
      workspaceFolders: [],
      getConfiguration: () => ({ get: (_: string, otherwise: unknown) => otherwise }),
      registerTextDocumentContentProvider: (_: string, provider: Provider) => {
        given.provide = (uri) => provider.provideTextDocumentContent(uri);
        return nothing;
      },
      openTextDocument: (uri: Uri) => Promise.resolve({ uri }),
      onDidCloseTextDocument: listen("close"),
      onDidSaveTextDocument: listen("save"),
      onDidChangeTextDocument: listen("change"),
      onDidChangeConfiguration: listen("configuration"),
    },
    window: {
      visibleTextEditors: visible,
      get activeTextEditor(): TextEditor | undefined {
        return given.active;
      },
      createTextEditorDecorationType: () => nothing,
      showTextDocument: ({ uri }: { readonly uri: Uri }) => {
        visible.push(new TextEditor(uri, "typescript"));
        return Promise.resolve();
      },
      onDidChangeTextEditorSelection: listen("selection"),
      onDidChangeVisibleTextEditors: listen("visible"),
    },
  };
  class LanguageClient {
    readonly start = () => Promise.resolve();
    readonly stop = () => Promise.resolve();
    constructor(
      _id: string,
      _name: string,
      _server: object,
      { middleware }: { readonly middleware: { readonly executeCommand: Middleware } },
    ) {
      given.execute = middleware.executeCommand;
    }
  }
  return { module, Uri, TextEditor, LanguageClient, listeners, visible, given };
});

vi.mock("vscode", () => editor.module);
vi.mock("vscode-languageclient/node", () => ({ LanguageClient: editor.LanguageClient, TransportKind: { stdio: 0 } }));

const model = `--- Twice the square.
def twice (x : R) : R =
  let y = x * x in
  y + y

def loss (a : R) (b : R) : R =
  let p = a * sin b in
  p * p
`;

const folder = new Folder({ "model.lam": model });
const server = new LanguageServer(folder.path);

afterAll(async () => {
  await server.stop();
  folder.remove();
});

/** The extension, as the editor starts it. */
interface Extension {
  activate(context: { readonly subscriptions: object[] }): Promise<void>;
}

test("the cursor lights what belongs together, in the model and in its gradient", async () => {
  await server.start({ views: true });
  await server.write("model.lam", model);
  const extension: Extension = await import("../packages/vscode/src/extension.js");
  await extension.activate({ subscriptions: [] });
  const { listeners, visible, given } = editor;
  const uri = server.uri("model.lam");
  const beside = new editor.TextEditor(new editor.Uri(uri), "lam");
  visible.push(beside);
  await given.execute?.("dualrev.showGradient", [uri, "loss"], (command, args) => server.command(command, ...args));
  const view = visible[1];
  if (view === undefined) throw new Error("nothing is shown");
  const code = given.provide(view.document.uri).split("\n");
  expect(code).toContain("export function loss(a: number, b: number): number {");
  const at = (from: typeof view, line: number): void => {
    from.selection.active.line = line;
    given.active = from;
    listeners.get("selection")?.({ textEditor: from });
  };

  at(beside, 6);
  const lit = view.lit.map((line) => code[line]?.trim() ?? "");
  expect(lit.length).toBeGreaterThan(0);
  expect(lit.some((line) => line.includes("Math.sin(b)"))).toBe(true);
  expect([view.revealed, beside.lit, beside.revealed]).toEqual([view.lit[0], [], null]);

  // The other way round
  const sine = code.findIndex((line) => line.includes("Math.sin(b)"));
  at(view, sine);
  expect(beside.lit.length).toBe(1);
  expect(model.split("\n")[beside.lit[0] ?? 0]).toMatch(/sin b|p \* p/);
  expect(beside.revealed).toBe(beside.lit[0]);
  expect(view.lit).toContain(sine);

  // What is from nowhere lights nothing, and neither does a model that has been changed since
  at(view, 0);
  expect([view.lit, beside.lit]).toEqual([[], []]);
  listeners.get("change")?.({ document: beside.document, contentChanges: [{}] });
  at(beside, 6);
  expect(view.lit).toEqual([]);
  await server.write("model.lam", model.replace("--- Twice the square.\n", ""));
  const again = (): void => {
    at(beside, 5);
    expect(view.lit.length).toBe(lit.length);
  };
  await vi.waitFor(again, 20_000);
});
