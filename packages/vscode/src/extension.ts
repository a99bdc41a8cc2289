// The extension: it starts the language server, and shows what its commands give beside the editor.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { LanguageClient, TransportKind, type ServerOptions } from "vscode-languageclient/node";
import { Following } from "./following.js";
import { TextViews, viewScheme } from "./views.js";

let client: LanguageClient | null = null;

/** How long nothing is typed before the views of a model are made anew, in milliseconds. */
const pause = 500;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const views = new TextViews();
  const following = new Following(views);
  const follow = (editor: vscode.TextEditor | undefined): void => {
    if (editor?.document.languageId === "lam" || editor?.document.uri.scheme === viewScheme) following.follow(editor);
  };
  const refresh = async (model: string, which: "all" | "modules"): Promise<void> => {
    await views.refresh(model, which);
    follow(vscode.window.activeTextEditor);
  };
  const typing = new Map<string, NodeJS.Timeout>();
  const restart = async (): Promise<void> => {
    await client?.stop();
    client = clientWith(views);
    await client.start();
  };
  context.subscriptions.push(
    views,
    following,
    new vscode.Disposable(() => {
      for (const timer of typing.values()) clearTimeout(timer);
    }),
    vscode.commands.registerCommand("dualrev.restart", restart),
    vscode.commands.registerCommand("dualrev.gradientHere", () => showHere("dualrev.showGradient")),
    vscode.commands.registerCommand("dualrev.stepsHere", () => showHere("dualrev.showSteps")),
    vscode.workspace.onDidSaveTextDocument((document) => {
      compileSaved(document);
      void refresh(document.uri.toString(), "all");
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      // A view has another text now
      if (document.uri.scheme === viewScheme) follow(vscode.window.activeTextEditor);
      if (document.languageId !== "lam" || contentChanges.length === 0) return;
      const model = document.uri.toString();
      views.forgetLines(model);
      clearTimeout(typing.get(model));
      typing.set(model, setTimeout(() => void refresh(model, "modules"), pause)); // prettier-ignore
    }),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      follow(textEditor);
    }),
    vscode.window.onDidChangeVisibleTextEditors(() => {
      follow(vscode.window.activeTextEditor);
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (["dualrev.server", "dualrev.documentation"].some((name) => change.affectsConfiguration(name))) void restart();
    }),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** The file that Node runs: the one of the setting, or of the workspace; null where the command `dualrev` is to be found by the system. */
function serverFile(): string | null {
  const set = vscode.workspace.getConfiguration("dualrev").get<string>("server", "");
  if (set !== "") return set;
  const folders = vscode.workspace.workspaceFolders ?? [];
  const places = folders.map(({ uri }) => join(uri.fsPath, "node_modules/dualrev/bin/dualrev.js"));
  return places.find((place) => existsSync(place)) ?? null;
}

function clientWith(views: TextViews): LanguageClient {
  const file = serverFile();
  const server: ServerOptions =
    file === null
      ? { command: "dualrev", args: ["lsp"], transport: TransportKind.stdio, options: { shell: process.platform === "win32" } }
      : { command: process.execPath, args: [file, "lsp"], transport: TransportKind.stdio, options: { env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" } } }; // prettier-ignore
  return new LanguageClient("dualrev", "dualrev", server, {
    documentSelector: [{ language: "lam" }],
    initializationOptions: {
      views: true,
      documentation: vscode.workspace.getConfiguration("dualrev").get<string>("documentation", ""),
    },
    middleware: {
      executeCommand: async (command, args: unknown[], next) => {
        const given = command === "dualrev.run" ? await withArguments(args, next) : args;
        if (given === null) return null;
        const ask = (): Promise<unknown> => Promise.resolve(next(command, given));
        return views.show(command, given, ask);
      },
    },
  });
}

/** A command's arguments with the point at which a definition is run, which the user is asked for; null where there is none. */
async function withArguments(
  args: readonly unknown[],
  next: (command: string, args: unknown[]) => unknown,
): Promise<unknown[] | null> {
  const sample: unknown = await next("dualrev.sampleArguments", [...args]);
  const value = typeof sample === "object" && sample !== null && "text" in sample ? String(sample.text) : "{}";
  const given = await vscode.window.showInputBox({ prompt: `The arguments of ${String(args[1])}, as JSON`, value });
  return given === undefined ? null : [...args, given];
}

/** Shows something of the definition in which the cursor is. */
async function showHere(command: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== "lam") return;
  const { document, selection } = editor;
  for (let line = selection.active.line; line >= 0; line -= 1) {
    const name = /^(?:fused\s+)?def\s+([\p{L}_][\p{L}\p{N}_']*)/u.exec(document.lineAt(line).text)?.[1];
    if (name === undefined) continue;
    await vscode.commands.executeCommand(command, document.uri.toString(), name);
    return;
  }
}

/** Compiles a saved model, where the user wants that; what is wrong is told by the diagnostics. */
function compileSaved(document: vscode.TextDocument): void {
  const isWanted = vscode.workspace.getConfiguration("dualrev", document.uri).get<boolean>("compileOnSave", false);
  if (document.languageId !== "lam" || document.uri.scheme !== "file" || !isWanted) return;
  const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath ?? dirname(document.fileName);
  const isProject = existsSync(join(folder, "dualrev.config.json"));
  const out = document.fileName.replace(/\.lam$/, ".grad.ts");
  const args = isProject ? ["build"] : ["compile", document.fileName, "-o", out];
  const file = serverFile();
  const [command, before] = file === null ? ["dualrev", []] : [process.execPath, [file]];
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: "1", NO_COLOR: "1" };
  execFile(
    command,
    [...before, ...args],
    { cwd: folder, env, shell: file === null && process.platform === "win32" },
    (error, _, told) => {
      if (error !== null) void vscode.window.setStatusBarMessage(`dualrev: ${told.split("\n", 1)[0] ?? "not compiled"}`, 5000); // prettier-ignore
    },
  );
}
