import { loadProgram } from "../syntax/load.js";
import type { Load } from "../syntax/loaded-file.js";
import type { SourceFile } from "../syntax/source.js";
import { standardFiles } from "./standard-files.js";
import { assertCall } from "./options.js";

type Loaded = ReturnType<Load>;

/** A loader whose files have to be waited for: what is rejected says why a file cannot be read. */
export type LoadLater = (path: string) => Loaded | Promise<Loaded>;

/**
 * Loads all that a model imports, and what that imports in turn, all files of one depth at once. What it gives is for the option `load` of the
 * functions that take a model; each path is asked for once.
 */
export async function loadImports(source: SourceFile, load: LoadLater): Promise<Load> {
  assertCall("loadImports", source, { load }, ["load"]);
  const known = new Map<string, () => Loaded>();
  for (;;) {
    const missing = new Set<string>();
    const look: Load = (path) => {
      const found = known.get(path);
      if (found === undefined) missing.add(path);
      return found?.();
    };
    loadProgram(source, look, standardFiles);
    if (missing.size === 0) return look;
    await Promise.all(Array.from(missing, async (path) => known.set(path, await answerOf(load, path))));
  }
}

async function answerOf(load: LoadLater, path: string): Promise<() => Loaded> {
  try {
    const file = await load(path);
    return () => file;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
