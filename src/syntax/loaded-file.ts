// What gives the files that a model imports.

/**
 * Gives the file at a path that a model imports; nothing where there is none. Paths are relative to what the model's own name is relative
 * to (`lib/a.lam` from `models/m.lam` is `models/lib/a.lam`), or absolute as the import is; `/` stands between folders. What it throws says why the file
 * cannot be read.
 */
export type Load = (path: string) => string | LoadedFile | null | undefined;

/** A file that several paths may lead to. */
export interface LoadedFile {
  readonly text: string;
  /** The same for all these paths; the model's own name where they lead to the model. */
  readonly id: string;
}

/** The files that come with the compiler, by their paths: `std/solve.lam`. */
export type StandardFiles = ReadonlyMap<string, string>;

/** How diagnostics show a file of `std/`: no path that is given to `load`. */
export function standardName(path: string): string {
  return `<${path}>`;
}

/** Whether that is how a file of `std/` is shown. */
export function isStandardName(name: string): boolean {
  return name.startsWith("<std/");
}
