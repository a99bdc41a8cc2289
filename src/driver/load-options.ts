// The texts that a program is made of, besides the model.

import type { ExternModules } from "./externs.js";
import { preludeText } from "../prelude/embedded.js";
import { standardName, type Load } from "../syntax/loaded-file.js";
import { standardFiles } from "./standard-files.js";
import type { SourceFile } from "../syntax/source.js";

export const preludeSource: SourceFile = { name: "<prelude>", text: preludeText };

const standardByName = new Map([...standardFiles].map(([path, text]) => [standardName(path), text]));

/** What every function of the library takes besides the model. */
export interface LoadOptions {
  /** Gives the files that the model imports; without it a model cannot import any. */
  readonly load?: Load | null;
}

/** What every function of the library takes that runs a model. */
export interface RunOptions extends LoadOptions {
  /** What the files export that the model has functions from, by their paths from its folder: `externFiles` says which. */
  readonly externs?: ExternModules | null;
}

/** The text of a file that a diagnostic about `source` points into. `load` is what the model was compiled with. */
export function textOf(source: SourceFile, load: Load | null = null): (file: string) => string | null {
  return (file) => {
    if (file === source.name) return source.text;
    if (file === preludeSource.name) return preludeSource.text;
    const standard = standardByName.get(file);
    if (standard !== undefined) return standard;
    try {
      const loaded = load?.(file) ?? null;
      return typeof loaded === "string" ? loaded : (loaded?.text ?? null);
    } catch {
      return null;
    }
  };
}
