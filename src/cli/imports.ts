// The files that a model imports, read from the disk.

import { readFileSync, realpathSync, statSync } from "node:fs";
import { textOf } from "../driver/load-options.js";
import type { Load, LoadedFile } from "../syntax/loaded-file.js";
import type { SourceFile } from "../syntax/source.js";
import { codeOf, decode, largestModel, reason, stdinName, tooLarge } from "./files.js";
import { stampOf } from "./stamp.js";

type Answer = { readonly file: LoadedFile | null } | { readonly problem: Error };

interface Known {
  readonly answer: Answer;
  /** Of the file before it was read. */
  readonly stamp: string;
}

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
      const stamp = stampOf(path);
      known = { stamp, answer: this.#read(path) };
      this.#known.set(path, known);
    }
    if ("problem" in known.answer) throw known.answer.problem;
    return known.answer.file;
  };

  /** The paths that were asked for, also those of files that are not there, with the stamp of each before it was read. */
  get stamps(): ReadonlyMap<string, string> {
    return new Map(Array.from(this.#known, ([path, { stamp }]) => [path, stamp]));
  }

  /** The text of a file that a diagnostic points into. */
  textOf(file: string): string | null {
    return textOf(this.source, this.load)(file);
  }

  #read(path: string): Answer {
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
