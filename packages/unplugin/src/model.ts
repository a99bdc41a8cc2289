// A model as a module of a bundle.

import { readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import process from "node:process";
import {
  compile,
  renderDiagnostics,
  textOf,
  toJson,
  type CompiledModule,
  type Diagnostic,
  type JsonDiagnostic,
  type Load,
  type SourceFile,
  type TextOf,
} from "dualrev";
import type { ModelOptions } from "./options.js";

/** A place in a file, lines from 1 and columns from 0, as bundlers count. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A source map of version 3, as data: esbuild's plugin takes no text. */
export interface SourceMap {
  version: number;
  names: string[];
  sources: string[];
  sourcesContent?: (string | null)[];
  mappings: string;
  /** Which sources debuggers pass over. */
  ignoreList?: number[];
}

export interface Message {
  /** What `dualrev check` says, without the count, in two parts where something shows the second by itself: what is wrong, and the lines where it is. */
  readonly text: string;
  readonly parts: { readonly message: string; readonly frame: string };
  readonly place: Place;
  /** The same as data, and the texts of the files that it mentions. */
  readonly diagnostic: JsonDiagnostic;
  readonly textOf: TextOf;
}

export interface Model {
  /** The module and its source map; null where the model has a mistake. */
  readonly module: { readonly code: string; readonly map: SourceMap | null; readonly declarations: string } | null;
  readonly errors: readonly Message[];
  readonly warnings: readonly Message[];
  /** The files that the module is made of, besides the model's own, and those that were looked for. */
  readonly watched: readonly string[];
}

/** Compiles the model in a file to a JavaScript module with types. */
export function compileModel(file: string, options: ModelOptions): Model {
  const source: SourceFile = { name: shown(file), text: readFileSync(file, "utf8") };
  const watched = new Set<string>();
  const load: Load = (path) => {
    const found = resolve(path);
    watched.add(found);
    if (statSync(found, { throwIfNoEntry: false })?.isFile() !== true) return null;
    const real = realpathSync(found);
    return { text: readFileSync(found, "utf8"), id: real === realpathSync(file) ? source.name : real };
  };
  const named = (name: string): string => withSlashes(relative(dirname(file), resolve(name)));
  const sourceMap = { sourceName: named, moduleName: named(moduleOf(file)) };
  const compiled = compile(source, { ...options, target: "js", sourceMap, load });
  const texts = textOf(source, load);
  const messages = (severity: "error" | "warning"): readonly Message[] =>
    compiled.diagnostics
      .filter((diagnostic) => diagnostic.severity === severity)
      .map((found) => {
        const diagnostic = asOption(found);
        const data = toJson(diagnostic, texts);
        const { file: name, start, notes, hint } = data;
        const [headline = "", ...lines] = renderDiagnostics([{ ...diagnostic, notes: [], hint: null }], texts).trimEnd().split("\n"); // prettier-ignore
        const remarks = [...notes.map((note) => `note: ${note}`), ...(hint === null ? [] : [`hint: ${hint}`])].map((remark) => remark.replaceAll("\n", "\n      ")); // prettier-ignore
        return {
          // The last two lines count what is told
          text: renderDiagnostics([diagnostic], texts).trimEnd().split("\n").slice(0, -2).join("\n"),
          parts: { message: [headline, ...remarks].join("\n"), frame: `${lines.slice(0, -2).join("\n")}\n` },
          place: { file: resolve(name), line: start.line, column: start.column - 1 },
          diagnostic: data,
          textOf: texts,
        };
      });
  return {
    module: compiled.ok ? inBundle(compiled.value, named) : null,
    errors: messages("error"),
    warnings: messages("warning"),
    watched: [...watched],
  };
}

/** What asks for something that the model does not have, with the option of the plugin that does. */
function asOption(diagnostic: Diagnostic): Diagnostic {
  const option = askedBy(diagnostic.code);
  if (option === null || diagnostic.span.end > 0) return diagnostic;
  return { ...diagnostic, title: `the plugin's option \`${option}\`: ${diagnostic.title}` };
}

/** The option that mistakes with a code are in. */
function askedBy(code: string): "entries" | "wrt" | null {
  if (code === "E0501") return "entries";
  return code === "E0513" || code === "E0514" ? "wrt" : null;
}

function inBundle(
  { code, map, declarations }: CompiledModule,
  named: (name: string) => string,
): NonNullable<Model["module"]> {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the text of what the compiler writes
  const read = map === null ? null : (JSON.parse(map) as SourceMap);
  // Bundlers take every source for a path. Those of the library stand in the compiler's package: browsers take them for code of others
  const sources = read?.sources.map((source) => source.startsWith(library) ? named(join(compiler, source.slice(library.length))) : source); // prettier-ignore
  return { code, map: read === null ? null : { ...read, sources: sources ?? [] }, declarations: declarations ?? "" };
}

/** What the names of the library's files begin with in a map. */
const library = "dualrev:///";
/** The folder of the compiler's package. */
const compiler = dirname(createRequire(import.meta.url).resolve("dualrev/package.json"));

/**
 * What the map calls the module of a model, for the lines that come with the runtime: a file in the compiler's package that there is not, of its own name for each model, since bundlers take
 * sources of one name for one.
 */
function moduleOf(file: string): string {
  const path = relative(process.cwd(), file);
  // Of another drive
  const below = isAbsolute(path) ? relative(parse(path).root, path) : path;
  // From the working directory: a bundle is the same on every machine
  const parts = below.split(sep).map((part) => (part === ".." ? "_" : part));
  return `${join(compiler, "runtime", ...parts)}.js`;
}

/** Writes the types of a model's module beside it, `model.lam.d.ts`, unless they are there already: TypeScript looks for them. False: another file stands there, and stays. */
export function writeDeclarations(file: string, declarations: string): boolean {
  const path = `${file}.d.ts`;
  const there = statSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path, "utf8") : null;
  if (there === declarations) return true;
  if (there !== null && !there.startsWith("// @generated by dualrev ")) return false;
  writeFileSync(path, declarations);
  return true;
}

/** A file as messages show it: from the working directory, where it is in that. */
function shown(file: string): string {
  const inside = relative(process.cwd(), file);
  return withSlashes(inside.startsWith("..") || isAbsolute(inside) ? file : inside);
}

function withSlashes(path: string): string {
  return path.split(sep).join("/");
}
