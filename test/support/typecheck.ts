// Compiles emitted text in memory, under the strict settings that emitted modules must satisfy.

import ts from "typescript";

const options: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  isolatedModules: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts"],
  module: ts.ModuleKind.ESNext,
  types: [],
  noEmit: true,
};

const fileName = "/emitted.ts";

const libraries = new Map<string, ts.SourceFile | undefined>();

/** What TypeScript has to say against a module's text: one line each, with its position and the line in question. */
export function typeErrors(text: string, files: Readonly<Record<string, string>> = {}): readonly string[] {
  const host = ts.createCompilerHost(options);
  const own = new Map([[fileName, text], ...Object.entries(files)]);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version) => {
    const source = own.get(name);
    if (source !== undefined) return ts.createSourceFile(name, source, version);
    if (!libraries.has(name)) libraries.set(name, getSourceFile(name, version));
    return libraries.get(name);
  };
  const fileExists = host.fileExists.bind(host);
  host.fileExists = (name) => own.has(name) || fileExists(name);
  const readFile = host.readFile.bind(host);
  host.readFile = (name) => own.get(name) ?? readFile(name);
  const program = ts.createProgram([...own.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n");
    if (diagnostic.file === undefined || diagnostic.start === undefined) return message;
    const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start);
    const text = diagnostic.file.text.split("\n")[line] ?? "";
    return `${diagnostic.file.fileName}:${line + 1}: ${message}: ${text.trim()}`;
  });
}

/** A module's text without its types. */
export function withoutTypes(text: string): string {
  return ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext } })
    .outputText;
}
