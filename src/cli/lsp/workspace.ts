// The models that the server knows: as the editor has them open, else as they are on the disk.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { TextDocument } from "vscode-languageserver-textdocument";
import { analyse, type Analysis } from "../../driver/analyse.js";
import { standardTexts } from "../../editor/entities.js";
import { KnownItems } from "../../syntax/known-items.js";
import type { Parse } from "../../syntax/load.js";
import type { Load } from "../../syntax/loaded-file.js";
import { parseModule } from "../../syntax/parse.js";
import { isAbsolutePath, isStandardPath, resolveImport } from "../../syntax/paths.js";
import type * as Tree from "../../syntax/tree.js";
import { largestModel } from "../files.js";
import { stampOf } from "../stamp.js";

/** Models of a workspace that are looked for at most. */
const mostFiles = 2000;

/** Analyses of files that are not open, at most. */
const mostClosed = 20;

interface Read {
  readonly text: string;
  readonly outcome: ReturnType<Parse>;
  readonly items: KnownItems;
}

interface Analysed {
  readonly analysis: Analysis;
  /** The texts that it was made of; null for a file that was not there. */
  readonly inputs: ReadonlyMap<string, string | null>;
}

/** Files by the names that diagnostics have for them: absolute paths with `/`, or `<std/solve.lam>` for what comes with the compiler. */
export class Workspace {
  readonly #open = new Map<string, TextDocument>();
  readonly #disk = new Map<string, { readonly stamp: string; readonly text: string | null }>();
  readonly #read = new Map<string, Read>();
  readonly #analysed = new Map<string, Analysed>();
  readonly #documents = new Map<string, TextDocument>();
  #folders: readonly string[] = [];
  #models: readonly string[] | null = null;
  /** Where the files that come with the compiler can be opened. */
  #library: string | null = null;

  setFolders(uris: readonly string[]): void {
    this.#folders = uris.flatMap((uri) => (uri.startsWith("file:") ? [slashed(fileURLToPath(uri))] : []));
    this.#models = null;
  }

  /** To be called where files have come or gone. */
  forgetModels(): void {
    this.#models = null;
  }

  open(document: TextDocument): string {
    const name = this.nameOf(document.uri);
    this.#open.set(name, document);
    return name;
  }

  close(name: string): void {
    this.#open.delete(name);
    this.#documents.delete(name);
  }

  get openFiles(): readonly string[] {
    return [...this.#open.keys()];
  }

  isOpen(name: string): boolean {
    return this.#open.has(name);
  }

  versionOf(name: string): number | null {
    return this.#open.get(name)?.version ?? null;
  }

  /** Whether a file comes with the compiler. */
  isLibrary(name: string): boolean {
    return standardTexts.has(name);
  }

  nameOf(uri: string): string {
    if (!uri.startsWith("file:")) return uri;
    const path = slashed(fileURLToPath(uri));
    if (this.#library !== null && path.startsWith(`${this.#library}/`)) {
      const inside = `<${path.slice(this.#library.length + 1)}>`;
      return standardTexts.has(inside) ? inside : "<prelude>";
    }
    return path;
  }

  uriOf(name: string): string {
    const open = this.#open.get(name);
    if (open !== undefined) return open.uri;
    if (standardTexts.has(name)) return pathToFileURL(this.#libraryFile(name)).href;
    return isAbsolutePath(name) ? pathToFileURL(name).href : name;
  }

  /** A file of the library as a file that every editor can open. */
  #libraryFile(name: string): string {
    if (this.#library === null) {
      this.#library = slashed(mkdtempSync(join(tmpdir(), "dualrev-library-")));
      for (const [each, text] of standardTexts) {
        const path = pathIn(this.#library, each);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text, { mode: 0o444 });
      }
    }
    return pathIn(this.#library, name);
  }

  /** Removes what the server has written. */
  dispose(): void {
    if (this.#library !== null) rmSync(this.#library, { recursive: true, force: true });
    this.#library = null;
  }

  textOf(name: string): string | null {
    return this.#open.get(name)?.getText() ?? standardTexts.get(name) ?? this.#fromDisk(name);
  }

  /** A file with the places of its lines. */
  documentOf(name: string): TextDocument {
    const open = this.#open.get(name);
    if (open !== undefined) return open;
    const text = this.textOf(name) ?? "";
    let known = this.#documents.get(name);
    if (known?.getText() !== text) {
      known = TextDocument.create(name, "lam", 0, text);
      this.#documents.set(name, known);
    }
    return known;
  }

  #fromDisk(name: string): string | null {
    if (!isAbsolutePath(name)) return null;
    const stamp = stampOf(name);
    const known = this.#disk.get(name);
    if (known?.stamp === stamp) return known.text;
    const text = readModel(name);
    this.#disk.set(name, { stamp, text });
    return text;
  }

  readonly #load: Load = (path) => {
    const text = this.textOf(path);
    return text === null ? null : { text, id: path };
  };

  get load(): Load {
    return this.#load;
  }

  readonly #parse: Parse = (source) => {
    const last = this.#read.get(source.name);
    if (last?.text === source.text) return last.outcome;
    const items = last?.items ?? new KnownItems();
    const outcome = parseModule(source, items);
    this.#read.set(source.name, { text: source.text, outcome, items });
    return outcome;
  };

  treeOf(name: string): Tree.Module | null {
    const text = this.textOf(name);
    return text === null ? null : this.#parse({ name, text }).value;
  }

  /** What is known of a file as it is now; null where there is none. */
  analysisOf(name: string): Analysis | null {
    const text = this.textOf(name);
    if (text === null) return null;
    const known = this.#analysed.get(name);
    if (known !== undefined && [...known.inputs].every(([file, before]) => this.textOf(file) === before))
      return known.analysis;
    const inputs = new Map<string, string | null>([[name, text]]);
    const load: Load = (path) => {
      inputs.set(path, this.textOf(path));
      return this.#load(path);
    };
    const analysis = analyse({ name, text }, load, this.#parse);
    this.#analysed.delete(name);
    this.#analysed.set(name, { analysis, inputs });
    this.#forgetOld();
    return analysis;
  }

  /** A file with another text, which nothing else sees. */
  reanalysed(name: string): (text: string) => Analysis {
    return (text) => this.analysedWith(name, new Map([[name, text]]));
  }

  /** A file where it and others have other texts, which nothing else sees. */
  analysedWith(name: string, texts: ReadonlyMap<string, string>): Analysis {
    const parse: Parse = (source) =>
      texts.has(source.name)
        ? parseModule(source, this.#read.get(source.name)?.items.fork() ?? null)
        : this.#parse(source);
    const load: Load = (path) => {
      const text = texts.get(path);
      return text === undefined ? this.#load(path) : { text, id: path };
    };
    return analyse({ name, text: texts.get(name) ?? this.textOf(name) ?? "" }, load, parse);
  }

  #forgetOld(): void {
    const closed = [...this.#analysed.keys()].filter((each) => !this.#open.has(each));
    for (const each of closed.slice(0, Math.max(0, closed.length - mostClosed))) this.#analysed.delete(each);
  }

  /** The models of the workspace's folders, and those that are open. */
  get models(): readonly string[] {
    this.#models ??= this.#folders.flatMap((folder) => modelsIn(folder)).slice(0, mostFiles);
    return [...new Set([...this.#open.keys(), ...this.#models])].filter((name) => !this.isLibrary(name));
  }

  /** The files that import one, directly or not, those that are open first. */
  importersOf(name: string): readonly string[] {
    const imports = new Map(this.models.map((file) => [file, this.#importsOf(file)]));
    const found = new Set([name]);
    for (const each of found) for (const [file, targets] of imports) if (targets.has(each)) found.add(file);
    found.delete(name);
    return [...found].sort((one, other) => Number(this.#open.has(other)) - Number(this.#open.has(one)));
  }

  #importsOf(file: string): ReadonlySet<string> {
    const items = this.treeOf(file)?.items ?? [];
    return new Set(items.flatMap((item) => (item.kind === "import" && !isStandardPath(item.path) ? [resolveImport(file, item.path)] : []))); // prettier-ignore
  }
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

function pathIn(folder: string, name: string): string {
  const inside = name.slice(1, -1);
  return join(folder, inside.endsWith(".lam") ? inside : `${inside}.lam`);
}

function readModel(path: string): string | null {
  try {
    // A device or a pipe may have no end
    const found = statSync(path);
    return !found.isFile() || found.size > largestModel ? null : readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch {
    return null;
  }
}

/** The models in a folder and those in it, without what tools install. */
function modelsIn(folder: string): readonly string[] {
  const found: string[] = [];
  const todo = [folder];
  let looked = 0;
  for (
    let next = todo.shift();
    next !== undefined && found.length < mostFiles && looked < mostFiles;
    next = todo.shift()
  ) {
    looked += 1;
    try {
      for (const entry of readdirSync(next, { withFileTypes: true })) {
        const path = `${next}/${entry.name}`;
        if (entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith(".")) todo.push(path);
        else if (entry.isFile() && entry.name.endsWith(".lam")) found.push(path);
      }
    } catch {
      // A folder that may not be read has no models
    }
  }
  return found;
}
