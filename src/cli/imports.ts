// The files that a model imports, read from the disk.

import { readFileSync, realpathSync, statSync } from "node:fs";
import { textOf } from "../driver/pipeline.js";
import type { Load, LoadedFile } from "../syntax/load.js";
import type { SourceFile } from "../syntax/source.js";
import { codeOf, decode, largestModel, reason, stdinName, tooLarge } from "./files.js";

type Known = { readonly file: LoadedFile | null } | { readonly problem: Error };

/**
 * Reads what one model imports, each file once, so that what is compiled is also what diagnostics show. Paths are relative to the
 * working directory, as the model's own is; links that lead to one file lead to one import.
 */
export class Imports {
  readonly #known = new Map<string, Known>();

  readonly #model: string | null;

  constructor(readonly source: SourceFile) {
    this.#model = placeOf(source);
  }

  readonly load: Load = (path) => {
    let known = this.#known.get(path);
    if (known === undefined) {
      known = this.#read(path);
      this.#known.set(path, known);
    }
    if ("problem" in known) throw known.problem;
    return known.file;
  };

  /** The paths that were asked for, also those of files that are not there. */
  get paths(): readonly string[] {
    return [...this.#known.keys()];
  }

  /** The text of a file that a diagnostic points into. */
  textOf(file: string): string | null {
    return textOf(this.source, this.load)(file);
  }

  #read(path: string): Known {
    try {
      const found = statSync(path);
      if (found.isDirectory()) throw new Error("it is a directory");
      if (!found.isFile()) throw new Error("it is not a file");
      if (found.size > largestModel) throw tooLarge("it", largestModel);
      const text = decode(readFileSync(path), "it");
      const real = realpathSync(path);
      return { file: { text, id: real === this.#model ? this.source.name : real } };
    } catch (error) {
      if (codeOf(error) === "ENOENT") return { file: null };
      return { problem: new Error(reason(error)) };
    }
  }
}

/** Where the model really is; null where it is no file of a folder, but standard input or a pipe. */
function placeOf({ name }: SourceFile): string | null {
  try {
    return name === stdinName ? null : realpathSync(name);
  } catch {
    return null;
  }
}
