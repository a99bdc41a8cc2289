// The files of a program: the one that is compiled, what it imports, and the prelude, whose names every file sees.

import { Names } from "../core/names.js";
import { InternalError } from "../internal-error.js";
import type * as Tree from "../syntax/tree.js";
import { components, shortestCycle } from "../components.js";
import type { TypeMistake } from "./mistakes.js";

/** What each import of the program's files brings in: one tree for one file. */
export type ImportedFiles = ReadonlyMap<Tree.ImportItem, Tree.Module>;

/** One import of a file. */
export interface Import {
  readonly item: Tree.ImportItem;
  readonly file: Tree.Module;
}

export interface Files {
  readonly prelude: Tree.Module;
  /** The file that is compiled. */
  readonly main: Tree.Module;
  /** Every file but the prelude, each after those that it imports. */
  readonly user: readonly Tree.Module[];
  readonly importsOf: (file: Tree.Module) => readonly Import[];
}

/** The files that `main` reaches; null, and mistakes, where they import each other. */
export function orderFiles(
  main: Tree.Module,
  prelude: Tree.Module,
  imported: ImportedFiles,
  mistakes: TypeMistake[],
): Files | null {
  const before = mistakes.length;
  const imports = new Map<Tree.Module, readonly Import[]>();
  const todo = [main];
  for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
    if (imports.has(file)) continue;
    const own = importItems(file).map((item): Import => {
      const target = imported.get(item);
      if (target === undefined) throw new InternalError("infer", "there is no tree for an import", item.path);
      return { item, file: target };
    });
    imports.set(file, own);
    todo.push(...own.map((each) => each.file).reverse());
  }
  const importsOf = (file: Tree.Module): readonly Import[] => imports.get(file) ?? [];
  const targets = (file: Tree.Module): readonly Tree.Module[] => importsOf(file).map((each) => each.file);
  const user: Tree.Module[] = [];
  for (const component of components([...imports.keys()], targets)) {
    const [first] = component;
    if (first === undefined) continue;
    user.push(first);
    if (component.length === 1 && !targets(first).includes(first)) continue;
    const path = shortestCycle(first, component, targets);
    const cycle = path.flatMap((file, i) => {
      const next = path[(i + 1) % path.length];
      const item = importsOf(file).find((each) => each.file === next)?.item;
      return next === undefined || item === undefined ? [] : [{ name: next.span.file, span: item.pathSpan }];
    });
    mistakes.push({ kind: "importCycle", cycle });
  }
  return mistakes.length === before ? { prelude, main, user, importsOf } : null;
}

function importItems(file: Tree.Module): readonly Tree.ImportItem[] {
  return file.items.filter((item) => item.kind === "import");
}

/**
 * Names that differ between the files: the main file's stay, then those that it imports, then those of the other files and of the
 * prelude, unless an earlier one is the same.
 */
export function uniqueNames(
  files: Files,
  namesOf: (file: Tree.Module) => readonly string[],
): (file: Tree.Module, name: string) => string {
  const all = [...files.user, files.prelude];
  const fresh = new Names(all.flatMap(namesOf));
  const taken = new Set<string>();
  const chosen = new Map(all.map((file) => [file, new Map<string, string>()]));
  const claim = (file: Tree.Module, name: string): void => {
    const names = chosen.get(file);
    if (names === undefined || names.has(name)) return;
    // `Vec3_` rather than `Vec4`
    const hint = /\d$/.test(name) ? `${name}_` : name;
    names.set(name, taken.has(name) ? fresh.fresh(hint) : name);
    taken.add(name);
  };
  for (const name of namesOf(files.main)) claim(files.main, name);
  for (const { item, file } of files.importsOf(files.main)) {
    const declared = new Set(namesOf(file));
    for (const { name } of item.names) if (declared.has(name)) claim(file, name);
  }
  for (const file of all) for (const name of namesOf(file)) claim(file, name);
  return (file, name) => chosen.get(file)?.get(name) ?? name;
}
