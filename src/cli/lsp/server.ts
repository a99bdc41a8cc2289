// The language server: requests in, answers of src/editor out. What goes wrong in one request is logged, and the server goes on.

import process from "node:process";
import {
  CodeActionKind,
  createConnection,
  ErrorCodes,
  ProposedFeatures,
  ResponseError,
  TextDocuments,
  TextDocumentSyncKind,
  type Connection,
  type InitializeParams,
  type InitializeResult,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { tokenKinds, tokenModifiers } from "../../editor/semantic-tokens.js";
import { version } from "../../version.js";
import { Answers, Refusal } from "./answers.js";
import { Checks } from "./checks.js";
import { commandNames, runCommand } from "./commands.js";
import { Documentation } from "./documentation.js";
import { Ranges } from "./ranges.js";
import { Shown } from "./shown.js";
import { Workspace } from "./workspace.js";

/** The signals that end a process, with its exit codes after them. */
const endings = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

/** Serves on standard input and output until the client says `exit`, or is gone. */
export function serve(): Promise<never> {
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  const workspace = new Workspace();
  const ranges = new Ranges(workspace);
  const answers = new Answers(workspace, ranges);
  const shown = new Shown(connection);
  const log = (error: unknown): void => {
    connection.console.error(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  };
  const documentation = new Documentation();
  const checks = new Checks(
    workspace,
    ranges,
    documentation,
    (published) => void connection.sendDiagnostics(published),
    log,
  );
  let canWatch = false;

  connection.onInitialize((params) => {
    workspace.setFolders(foldersOf(params));
    shown.initialize(params);
    documentation.initialize(params);
    canWatch = params.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    return capabilities;
  });
  connection.onInitialized(() => {
    if (!canWatch) return;
    const watchers = [{ globPattern: "**/*.lam" }];
    connection.sendRequest("client/registerCapability", { registrations: [{ id: "models", method: "workspace/didChangeWatchedFiles", registerOptions: { watchers } }] }).catch(log); // prettier-ignore
  });
  connection.onDidChangeWatchedFiles(({ changes }) => {
    workspace.forgetModels();
    for (const { uri } of changes) {
      const name = workspace.nameOf(uri);
      if (!workspace.isOpen(name)) for (const file of workspace.importersOf(name)) checks.changed(file);
    }
  });
  connection.onShutdown(() => {
    checks.stop();
  });
  // However it ends, also where the client is gone without a word
  process.on("exit", () => {
    workspace.dispose();
    shown.dispose();
  });
  for (const [signal, code] of endings) process.on(signal, () => process.exit(code));

  const documents = new TextDocuments(TextDocument);
  documents.onDidChangeContent(({ document }) => {
    checks.changed(workspace.open(document));
  });
  documents.onDidClose(({ document }) => {
    const name = workspace.nameOf(document.uri);
    workspace.close(name);
    checks.closed(name);
  });
  documents.listen(connection);
  answerAll(connection, answers, workspace, shown, log);
  connection.listen();
  // The library ends the process
  return new Promise(() => undefined);
}

function foldersOf(params: InitializeParams): readonly string[] {
  const { workspaceFolders } = params;
  if (workspaceFolders !== null && workspaceFolders !== undefined) return workspaceFolders.map(({ uri }) => uri);
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- how clients that know one folder only say it
  const { rootUri } = params;
  // Some leave it out
  return typeof rootUri === "string" ? [rootUri] : [];
}

const capabilities: InitializeResult = {
  serverInfo: { name: "dualrev", version },
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    hoverProvider: true,
    definitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    renameProvider: { prepareProvider: true },
    documentSymbolProvider: true,
    workspaceSymbolProvider: true,
    completionProvider: { triggerCharacters: [".", '"'] },
    signatureHelpProvider: { triggerCharacters: [" ", "("] },
    semanticTokensProvider: {
      legend: { tokenTypes: [...tokenKinds], tokenModifiers: [...tokenModifiers] },
      full: true,
    },
    foldingRangeProvider: true,
    inlayHintProvider: true,
    codeLensProvider: {},
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
    documentFormattingProvider: true,
    documentOnTypeFormattingProvider: { firstTriggerCharacter: "\n" },
    executeCommandProvider: { commands: [...commandNames] },
    workspace: { workspaceFolders: { supported: true } },
  },
};

function answerAll(
  connection: Connection,
  answers: Answers,
  workspace: Workspace,
  shown: Shown,
  log: (error: unknown) => void,
): void {
  /** What `answer` gives; where that fails, `otherwise`. */
  const safely = <T>(otherwise: T, answer: () => T): T | ResponseError => {
    try {
      return answer();
    } catch (error) {
      if (error instanceof Refusal) return new ResponseError(ErrorCodes.InvalidRequest, error.message);
      log(error);
      return otherwise;
    }
  };
  connection.onHover(({ textDocument: { uri }, position }) => safely(null, () => answers.hover(uri, position)));
  connection.onDefinition(({ textDocument: { uri }, position }) =>
    safely(null, () => answers.definition(uri, position)),
  );
  connection.onReferences(({ textDocument: { uri }, position, context }) => safely([], () => answers.references(uri, position, context.includeDeclaration))); // prettier-ignore
  connection.onDocumentHighlight(({ textDocument: { uri }, position }) =>
    safely([], () => answers.highlights(uri, position)),
  );
  connection.onPrepareRename(({ textDocument: { uri }, position }) =>
    safely(null, () => answers.prepareRename(uri, position)),
  );
  connection.onRenameRequest(({ textDocument: { uri }, position, newName }) => safely(null, () => answers.rename(uri, position, newName))); // prettier-ignore
  connection.onDocumentSymbol(({ textDocument: { uri } }) => safely([], () => answers.documentSymbols(uri)));
  connection.onWorkspaceSymbol(({ query }) => safely([], () => answers.workspaceSymbols(query)));
  connection.onCompletion(({ textDocument: { uri }, position }) => safely([], () => answers.completion(uri, position)));
  connection.onSignatureHelp(({ textDocument: { uri }, position }) =>
    safely(null, () => answers.signatureHelp(uri, position)),
  );
  connection.languages.semanticTokens.on(({ textDocument: { uri } }) => safely({ data: [] }, () => answers.semanticTokens(uri))); // prettier-ignore
  connection.onFoldingRanges(({ textDocument: { uri } }) => safely([], () => answers.folding(uri)));
  connection.languages.inlayHint.on(({ textDocument: { uri }, range }) =>
    safely([], () => answers.inlayHints(uri, range)),
  );
  connection.onCodeLens(({ textDocument: { uri } }) => safely([], () => answers.codeLenses(uri)));
  connection.onCodeAction(({ textDocument: { uri }, range, context }) => safely([], () => answers.codeActions(uri, range, context.diagnostics))); // prettier-ignore
  connection.onDocumentFormatting(({ textDocument: { uri } }) => safely([], () => answers.formatting(uri)));
  connection.onDocumentOnTypeFormatting(({ textDocument: { uri }, position }) => safely([], () => answers.formattingOnType(uri, position))); // prettier-ignore
  connection.onExecuteCommand(async ({ command, arguments: args = [] }) => {
    try {
      return await shown.show(await runCommand(workspace, command, args));
    } catch (error) {
      log(error);
      return null;
    }
  });
}
