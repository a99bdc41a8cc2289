// What several commands take: a model, a stage, arguments as JSON.

import { sep } from "node:path";
import { InvalidArgumentError } from "commander";
import { derivedNames, isDerived, type Derived } from "../emit/interface/public-names.js";
import { didYouMean } from "../diagnostics/words.js";
import { passNamed, passNames } from "../driver/registry.js";
import { isStageName, stageNames } from "../driver/stages.js";
import type { StageName } from "../driver/stages.js";
import type { SourceFile } from "../syntax/source.js";
import { suggest } from "../types/suggest.js";
import { largestDocument, largestModel, readText, stdinArgument, stdinName } from "./files.js";
import { parseJson } from "./json-text.js";
import { UsageError } from "./usage-error.js";

/** A model, from a file or from standard input for `-`. */
export async function readSource(path: string): Promise<SourceFile> {
  // Imports are relative to the name
  return { name: path === stdinArgument ? stdinName : withSlashes(path), text: await readText(path, largestModel) };
}

/** A path in which `/` stands between folders on every system. */
export function withSlashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

/** What `readJson` takes, for the help of commands. */
export const jsonArgument = "a JSON object by parameter name: in a file, on standard input (-), or written here";

/** A JSON document: from a file, from standard input for `-`, or the text itself where that begins like an object or an array. */
export async function readJson(path: string): Promise<unknown> {
  if (/^\s*[[{]/.test(path)) return parseJson(path, "the document on the command line");
  const text = await readText(path, largestDocument);
  if (path === stdinArgument && text.trim() === "")
    throw new UsageError("nothing came on standard input, where a JSON document is expected");
  return parseJson(text, path === stdinArgument ? stdinName : path);
}

/** The same, where the document may be a number or a text: one that is written here is JSON as a whole, which the name of a file seldom is. */
export async function readJsonValue(path: string): Promise<unknown> {
  try {
    return JSON.parse(path);
  } catch {
    return readJson(path);
  }
}

/** Standard input can be read once. */
export function assertOneStdin(paths: readonly (string | undefined)[]): void {
  if (paths.filter((path) => path === stdinArgument).length > 1) {
    throw new UsageError("standard input (`-`) can stand for one file only");
  }
}

/** A stage's name, for commander. */
export function parseStage(text: string): StageName {
  // D1 is what the papers call it
  const name = text.toLowerCase();
  if (!isStageName(name)) throw new InvalidArgumentError(`The stages are ${stageNames.join(", ")}.`);
  return name;
}

/** The name of a pass, for commander. */
export function parsePass(text: string): string {
  if (passNamed(text) !== null) return text;
  const meant = didYouMean(suggest(text, passNames));
  throw new InvalidArgumentError(`${meant === null ? "" : `${meant} `}The passes are ${passNames.join(", ")}.`);
}

/** Names separated by commas, for commander; the option may be repeated. */
export function parseNames(text: string, previous: readonly string[] | undefined): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.some((name) => /\s/.test(name))) throw new InvalidArgumentError("Names are separated by commas: `f,g`.");
  if (names.includes("")) throw new InvalidArgumentError("Names are separated by single commas.");
  return [...(previous ?? []), ...names];
}

/** Kinds of derivatives separated by commas, for commander. */
export function parseDerivatives(text: string): readonly (Derived | "all")[] {
  return parseNames(text, undefined).map((name) => {
    if (name === "all" || isDerived(name)) return name;
    throw new InvalidArgumentError(`The derivatives are ${derivedNames.join(", ")}, and all.`);
  });
}

/** `f.x` pairs separated by commas, for commander. */
export function parseParameters(text: string, previous: readonly string[] | undefined): readonly string[] {
  const names = parseNames(text, previous);
  const field = names.find((name) => /^[^.]+\.[^.]+\./.test(name));
  if (field !== undefined) {
    const [definition = "", parameter = ""] = field.split(".");
    throw new InvalidArgumentError(`Parameters are differentiated as a whole: \`${definition}.${parameter}\`, all of its fields.`); // prettier-ignore
  }
  if (names.some((name) => !/^[^.]+\.[^.]+$/.test(name))) {
    throw new InvalidArgumentError("A parameter is written as definition.parameter, like `loss.weights`.");
  }
  return names;
}
