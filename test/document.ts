// A Markdown document with listings, and what it says should happen with each.

import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import ts from "typescript";

/** A fenced block: ```language key=value .. */
export interface Block {
  readonly language: string;
  readonly options: ReadonlyMap<string, string>;
  readonly text: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
  /** Where its text begins in the document. */
  readonly offset: number;
}

/** A document whose blocks may be given another text. */
export class Document {
  readonly #path: string;
  readonly #text: string;
  readonly blocks: readonly Block[];
  /** The pictures of its folder that it shows. */
  readonly pictures: readonly string[];
  readonly #changes: { readonly block: Block; readonly text: string }[] = [];

  constructor(path: string) {
    this.#path = path;
    this.#text = readFileSync(path, "utf8");
    this.blocks = blocksOf(this.#text);
    this.pictures = Array.from(this.#text.matchAll(/!\[[^\]]*\]\(([\w.-]+)\)/g), ([, path = ""]) => path);
  }

  replace(block: Block, text: string): void {
    if (text !== block.text) this.#changes.push({ block, text });
  }

  /** Writes the document with what has been replaced. */
  save(): void {
    if (this.#changes.length === 0) return;
    let text = this.#text;
    const fromTheEnd = this.#changes.sort((one, other) => other.block.offset - one.block.offset);
    for (const { block, text: now } of fromTheEnd) {
      text = text.slice(0, block.offset) + now + text.slice(block.offset + block.text.length);
    }
    writeFileSync(this.#path, text);
  }
}

function blocksOf(text: string): readonly Block[] {
  return [...text.matchAll(/^```(\S*)(.*)\n([^]*?)^```$/gm)].map((match) => {
    const [whole, language = "", options = "", content = ""] = match;
    const pairs = options
      .trim()
      .split(/\s+/)
      .map((option): [string, string] => {
        const [key = "", value = ""] = option.split("=");
        return [key, value];
      });
    const line = text.slice(0, match.index).split("\n").length;
    const offset = match.index + whole.indexOf("\n") + 1;
    return { language, options: new Map(pairs), text: content, line, offset };
  });
}

export interface Command {
  readonly command: string;
  readonly output: string;
}

/** The commands of a console block, each with what stands below it. */
export function commandsOf(text: string): readonly Command[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf("\n");
      return { command: part.slice(0, end), output: part.slice(end + 1) };
    });
}

/** A console block again. */
export function printCommands(commands: readonly Command[]): string {
  return commands.map(({ command, output }) => `$ ${command}\n${output}`).join("");
}

/** The declarations with these names of a TypeScript file, with their comments, separated by lines `// ..`. */
export function declarationsOf(text: string, names: readonly string[]): string {
  const file = ts.createSourceFile("excerpt.ts", text, ts.ScriptTarget.ES2022, true);
  const parts = names.map((name) => {
    for (const statement of file.statements) {
      const declared =
        ts.isFunctionDeclaration(statement) || ts.isTypeAliasDeclaration(statement) ? statement.name?.text : null;
      if (declared === name) return `${text.slice(statement.getStart(file, true), statement.end)}\n`;
    }
    return `There is no ${name}.\n`;
  });
  return parts.join("// ..\n");
}

/** What TypeScript has to say against programs that stand in files, under strict settings: one line each, with file and line. */
export function programErrors(paths: readonly string[]): readonly string[] {
  const program = ts.createProgram([...paths], {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ["node"],
    skipLibCheck: true,
    noEmit: true,
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const message = ts.flattenDiagnosticMessageText(messageText, "\n");
    if (file === undefined || start === undefined) return message;
    const { line } = file.getLineAndCharacterOfPosition(start);
    return `${basename(file.fileName)}:${line + 1}: ${message}`;
  });
}
