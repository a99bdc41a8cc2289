// The language server as an editor runs it.

import { spawn, type ChildProcess } from "node:child_process";
import { pathToFileURL } from "node:url";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import type { Diagnostic, Position, TextDocumentContentChangeEvent } from "vscode-languageserver/node";
import { bin } from "./command-line.js";

interface Published {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** A server with a folder, whose models it has as on the disk until they are opened. */
export class LanguageServer {
  readonly #process: ChildProcess;
  readonly #connection: ReturnType<typeof createMessageConnection>;
  readonly #texts = new Map<string, { text: string; version: number }>();
  #published: readonly Published[] = [];
  #waiting: (() => void)[] = [];

  /** `env` is what is different for it in the environment. */
  constructor(
    readonly folder: string,
    env: Readonly<Record<string, string>> = {},
  ) {
    const child = spawn(process.execPath, [bin, "lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, ...env } }); // prettier-ignore
    this.#process = child;
    this.#connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    this.#connection.onNotification("textDocument/publishDiagnostics", (published: Published) => {
      this.#published = [...this.#published, published];
      for (const go of this.#waiting.splice(0)) go();
    });
    this.#connection.listen();
  }

  /** `initializationOptions`: what the editor has been told of the user's wishes. */
  async start(initializationOptions: object = {}): Promise<unknown> {
    const workspaceFolders = [{ uri: pathToFileURL(this.folder).href, name: "models" }];
    return this.initialize({ rootUri: null, workspaceFolders, initializationOptions });
  }

  /** The same as a client says it that knows one folder only. */
  async startInRoot(): Promise<unknown> {
    return this.initialize({ rootUri: pathToFileURL(this.folder).href });
  }

  private async initialize(params: object): Promise<unknown> {
    const answer: unknown = await this.#connection.sendRequest("initialize", { processId: process.pid, capabilities: {}, ...params }); // prettier-ignore
    await this.#connection.sendNotification("initialized", {});
    return answer;
  }

  uri(file: string): string {
    return pathToFileURL(`${this.folder}/${file}`).href;
  }

  /** Opens a file with a text, or writes it anew. */
  async write(file: string, text: string): Promise<void> {
    const known = this.#texts.get(file);
    const version = (known?.version ?? 0) + 1;
    this.#texts.set(file, { text, version });
    if (known === undefined) {
      await this.#connection.sendNotification("textDocument/didOpen", { textDocument: { uri: this.uri(file), languageId: "lam", version, text } }); // prettier-ignore
      return;
    }
    const contentChanges: TextDocumentContentChangeEvent[] = [{ text }];
    await this.#connection.sendNotification("textDocument/didChange", { textDocument: { uri: this.uri(file), version }, contentChanges }); // prettier-ignore
  }

  /** What is told of a file; where it is open, of its last version. Waits until something is that `fits`. */
  async diagnostics(
    file: string,
    fits: (all: readonly Diagnostic[]) => boolean = () => true,
  ): Promise<readonly Diagnostic[]> {
    for (;;) {
      const version = this.#texts.get(file)?.version;
      const last = this.#published.findLast(({ uri }) => uri === this.uri(file));
      if (last !== undefined && last.version === version && fits(last.diagnostics)) return last.diagnostics;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Where a part of the text of a file begins, or so many characters behind. */
  at(file: string, part: string, behind = 0): Position {
    const text = this.#texts.get(file)?.text ?? "";
    const lines = text.slice(0, text.indexOf(part) + behind).split("\n");
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  }

  /** Asks about a file. */
  ask(method: string, file: string, rest: object = {}): Promise<unknown> {
    return this.#connection.sendRequest(method, { textDocument: { uri: this.uri(file) }, ...rest });
  }

  command(command: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.#connection.sendRequest("workspace/executeCommand", { command, arguments: args });
  }

  /** Ends it without a word: its standard input is closed, or it gets a signal. Its exit code. */
  async abandon(how: "end" | "SIGTERM"): Promise<number | null> {
    const gone = new Promise<number | null>((resolve) => this.#process.once("exit", resolve));
    this.#connection.dispose();
    if (how === "end") this.#process.stdin?.end();
    else this.#process.kill(how);
    return gone;
  }

  /** Its exit code. */
  async stop(): Promise<number | null> {
    const gone = new Promise<number | null>((resolve) => this.#process.once("exit", resolve));
    await this.#connection.sendRequest("shutdown");
    await this.#connection.sendNotification("exit");
    const code = await gone;
    this.#connection.dispose();
    return code;
  }
}
