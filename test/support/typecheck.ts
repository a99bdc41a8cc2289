// Compiles emitted text in memory, under the strict settings that emitted modules must satisfy.

import ts from "typescript";

const options: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts"],
  module: ts.ModuleKind.ESNext,
  types: [],
  noEmit: true,
  // TypeScript's own declarations, which are right, would take longer than a module; the declaration files of ours are checked
  skipDefaultLibCheck: true,
};

const fileName = "/emitted.ts";

const libraries = new Map<string, ts.SourceFile | undefined>();

/** Something that TypeScript has to say against a file. */
export interface TypeError {
  /** "" where it is about no file. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** `TS2345`. */
  readonly code: string;
  readonly message: string;
}

/** What TypeScript has to say against files, by their names. `unused`: also where nothing reads what is declared. */
export function typeErrorsIn(files: Readonly<Record<string, string>>, unused = false): readonly TypeError[] {
  const host = ts.createCompilerHost(options);
  const own = new Map(Object.entries(files));
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
  const all = { ...options, noUnusedLocals: unused, noUnusedParameters: unused };
  const program = ts.createProgram([...own.keys()], all, host);
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n");
    const code = `TS${diagnostic.code}`;
    if (diagnostic.file === undefined || diagnostic.start === undefined) return { file: "", line: 0, code, message };
    const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start);
    return { file: diagnostic.file.fileName, line: line + 1, code, message };
  });
}

/** What TypeScript has to say against a module's text: one line each, with its position and the line in question. */
export function typeErrors(text: string, files: Readonly<Record<string, string>> = {}): readonly string[] {
  const all: Readonly<Record<string, string>> = { [fileName]: text, ...files };
  return typeErrorsIn(all).map(({ file, line, message }) => {
    if (file === "") return message;
    return `${file}:${line}: ${message}: ${all[file]?.split("\n")[line - 1]?.trim() ?? ""}`;
  });
}

/** A module's text without its types. */
export function withoutTypes(text: string): string {
  return ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext } })
    .outputText;
}
