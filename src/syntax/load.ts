// From a file to the whole program: what it imports, what that imports, each file once.

import type { Outcome } from "../outcome.js";
import type { SyntaxMistake } from "./mistakes.js";
import { parseModule } from "./parse.js";
import { baseName, isAbsolutePath, isStandardPath, normalizePath, resolveImport } from "./paths.js";
import { standardName, type Load, type LoadedFile, type StandardFiles } from "./loaded-file.js";
import type { SourceFile, Span } from "./source.js";
import type * as Tree from "./tree.js";

/** A file of a program. */
export interface ProgramFile {
  /** As diagnostics show it: the path by which it was loaded. */
  readonly name: string;
  /** As the program's output shows it: its path from the folder of the model, or its bare name where it was imported by an absolute path. */
  readonly place: string;
  readonly text: string;
  readonly tree: Tree.Module;
}

/** A file with all that it imports, directly or not. */
export interface LoadedProgram {
  /** The file itself comes first. */
  readonly files: readonly [ProgramFile, ...ProgramFile[]];
  /** What each import brings in. */
  readonly imported: ReadonlyMap<Tree.ImportItem, Tree.Module>;
}

/** What can be wrong with the file that an import names. `path` is as written, `file` as it was looked for. */
export type FileMistake = { readonly path: string; readonly span: Span } & (
  | {
      readonly kind: "missingFile";
      readonly file: string;
      /** The path of a file that is there, and was probably meant. */
      readonly meant: string | null;
    }
  /** A path in `std/`, which has these files. */
  | { readonly kind: "noStandardFile"; readonly files: readonly string[] }
  | { readonly kind: "unreadableFile"; readonly file: string; readonly reason: string }
  /** The compiler was given no way to load files. */
  | { readonly kind: "noLoader" }
  | { readonly kind: "tooManyFiles"; readonly limit: number }
);

/** No program has so many files; a loader that makes files up may never come to an end. */
const fileLimit = 1000;

/** Reads one file. */
export type Parse = (source: SourceFile) => Outcome<Tree.Module, SyntaxMistake>;

/**
 * Parses a file and all that it imports. The imports of a file that has mistakes are not followed, unless it `followsAll`: then an import without a file brings
 * in an empty one.
 */
export function loadProgram(
  source: SourceFile,
  load: Load | null,
  standard: StandardFiles,
  parse: Parse = parseModule,
  followsAll = false,
): Outcome<LoadedProgram, SyntaxMistake | FileMistake> {
  const mistakes: (SyntaxMistake | FileMistake)[] = [];
  const parsed = (name: string, place: string, text: string): { file: ProgramFile; isSound: boolean } => {
    const { value: tree, mistakes: found } = parse({ name, text });
    mistakes.push(...found);
    return { file: { name, place, text, tree }, isSound: followsAll || found.length === 0 };
  };
  const main = parsed(source.name, baseName(source.name), source.text);
  const files: [ProgramFile, ...ProgramFile[]] = [main.file];
  const byPath = new Map([[normalizePath(source.name), main.file]]);
  const byId = new Map([[source.name, main.file]]);
  const imported = new Map<Tree.ImportItem, Tree.Module>();

  const todo = main.isSound ? [main.file] : [];
  for (const importing of todo) {
    for (const item of importing.tree.items) {
      if (item.kind !== "import") continue;
      const isStandard = isStandardPath(item.path);
      const path = isStandard ? standardName(item.path) : resolveImport(importing.name, item.path);
      const known = byPath.get(path);
      if (known !== undefined) {
        imported.set(item, known.tree);
        continue;
      }
      const found = isStandard ? findStandard(item, standard) : find(item, path, files.length, load);
      if (!found.ok) {
        mistakes.push(found.mistake);
        if (followsAll) imported.set(item, { items: [], comments: [], span: { file: path, start: 0, end: 0 } });
        continue;
      }
      const { id, text } = found.loaded;
      let file = byId.get(id);
      if (file === undefined) {
        const added = parsed(path, placeOf(importing, item.path), text);
        file = added.file;
        files.push(file);
        byId.set(id, file);
        if (added.isSound) todo.push(file);
      }
      byPath.set(path, file);
      imported.set(item, file.tree);
    }
  }
  return { value: { files, imported }, mistakes };
}

type Found = { readonly ok: true; readonly loaded: LoadedFile } | { readonly ok: false; readonly mistake: FileMistake };

function findStandard({ path, pathSpan: span }: Tree.ImportItem, standard: StandardFiles): Found {
  const text = standard.get(path);
  if (text === undefined) return { ok: false, mistake: { kind: "noStandardFile", path, files: [...standard.keys()], span } }; // prettier-ignore
  return { ok: true, loaded: { text, id: standardName(path) } };
}

function find({ path, pathSpan: span }: Tree.ImportItem, file: string, count: number, load: Load | null): Found {
  const failed = (mistake: FileMistake): Found => ({ ok: false, mistake });
  if (load === null) return failed({ kind: "noLoader", path, span });
  if (path === "") return failed({ kind: "missingFile", path, file, meant: null, span });
  if (count >= fileLimit) return failed({ kind: "tooManyFiles", limit: fileLimit, path, span });
  try {
    const loaded = load(file) ?? null;
    if (loaded === null) return failed({ kind: "missingFile", path, file, meant: meantPath(path, file, load), span });
    if (typeof loaded === "string") return { ok: true, loaded: { text: loaded, id: file } };
    if (typeof loaded.text === "string") return { ok: true, loaded };
    const reason = "`load` has to give a text, at once: files cannot be waited for";
    return failed({ kind: "unreadableFile", path, file, reason, span });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed({ kind: "unreadableFile", path, file, reason, span });
  }
}

/** The path with an ending that was forgotten, where there is such a file. */
function meantPath(path: string, file: string, load: Load): string | null {
  if (path.endsWith("/") || path.endsWith(".lam")) return null;
  try {
    return (load(`${file}.lam`) ?? null) === null ? null : `${path}.lam`;
  } catch {
    return null;
  }
}

function placeOf(importing: ProgramFile, path: string): string {
  if (isStandardPath(path)) return path;
  return isAbsolutePath(path) ? baseName(path) : resolveImport(importing.place, path);
}
