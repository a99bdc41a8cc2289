import type { Load } from "../syntax/loaded-file.js";

/** A loader that remembers what it gave, so that it can be seen later whether the same would be loaded again. */
export class LoadRecord {
  readonly load: Load | null;
  readonly #given = new Map<string, Given>();

  constructor(load: Load | null) {
    this.load =
      load === null
        ? null
        : (path) => {
            const given = ask(load, path);
            this.#given.set(path, given);
            if (given.kind === "failed") throw given.error;
            return given.file;
          };
  }

  /** Whether `load` gives now what was given then. */
  holdsFor(load: Load | null): boolean {
    return [...this.#given].every(([path, then]) => load !== null && isSame(then, ask(load, path)));
  }
}

type Given =
  { readonly kind: "file"; readonly file: ReturnType<Load> } | { readonly kind: "failed"; readonly error: Error };

function ask(load: Load, path: string): Given {
  try {
    return { kind: "file", file: load(path) };
  } catch (error) {
    return { kind: "failed", error: error instanceof Error ? error : new Error(String(error)) };
  }
}

function isSame(one: Given, other: Given): boolean {
  if (one.kind === "failed" || other.kind === "failed") {
    return one.kind === "failed" && other.kind === "failed" && one.error.message === other.error.message;
  }
  const [a, b] = [one.file ?? null, other.file ?? null];
  if (typeof a === "string" || typeof b === "string" || a === null || b === null) return a === b;
  return a.id === b.id && a.text === b.text;
}
