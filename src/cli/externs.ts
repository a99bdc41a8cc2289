// What a model has of JavaScript files and packages, loaded for the commands that run it.

import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { externFiles, type ExternModules } from "../driver/externs.js";
import { isAbsolutePath, isRelativePath } from "../syntax/paths.js";
import type { Load } from "../syntax/loaded-file.js";
import type { SourceFile } from "../syntax/source.js";
import { codeOf, reason } from "./files.js";
import { UsageError } from "./usage-error.js";

/** Loads the files that a model has functions from. Throws `UsageError` where one cannot be loaded. */
export async function loadExterns(source: SourceFile, load: Load): Promise<ExternModules | null> {
  const paths = externFiles(source, load);
  if (paths.length === 0) return null;
  const folder = resolve(dirname(source.name));
  const loaded = await Promise.all(paths.map(async (path) => [path, await exportsOf(path, folder)] as const));
  return Object.fromEntries(loaded);
}

async function exportsOf(path: string, folder: string): Promise<object> {
  try {
    const found: unknown = await import(placeOf(path, folder));
    return typeof found === "object" && found !== null ? found : {};
  } catch (error) {
    const why = codeOf(error) === "ERR_MODULE_NOT_FOUND" ? "there is no such file" : reason(error);
    const hint = /\.m?ts$/.test(path) ? "; compile it to JavaScript first, and name that" : "";
    throw new UsageError(`cannot load ${path}, which the model has functions from: ${why}${hint}`);
  }
}

/** What is imported: a file relative to the folder of the model, or a package as a file there would find it. */
function placeOf(path: string, folder: string): string {
  if (isRelativePath(path) || isAbsolutePath(path)) return pathToFileURL(resolve(folder, path)).href;
  try {
    const found = createRequire(resolve(folder, "model.lam")).resolve(path);
    return isAbsolutePath(found.replaceAll("\\", "/")) ? pathToFileURL(found).href : found;
  } catch {
    return path;
  }
}
