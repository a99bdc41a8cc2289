// A project file: which models there are, and what is made of each.

import { basename, dirname, extname, join, relative, resolve } from "node:path";
import {
  findNodeAtLocation,
  type JSONPath,
  parse,
  parseTree,
  type ParseError,
  printParseErrorCode,
} from "jsonc-parser";
import { globSync } from "tinyglobby";
import * as v from "valibot";
import { defaultStage } from "../driver/stages.js";
import { didYouMean } from "../diagnostics/words.js";
import { positionAt } from "../syntax/source.js";
import { suggest } from "../types/suggest.js";
import { buildText } from "./command-text.js";
import { largestModel, readText, readTextIfThere } from "./files.js";
import { withSlashes } from "./input.js";
import type { Job } from "./job.js";
import { overrideNames, projectNames, projectSchema, type ProjectSettings } from "./project-schema.js";
import { UsageError } from "./usage-error.js";

/** The name of a project file where none is given. */
export const projectFile = "dualrev.config.json";

/** The project file of the working folder, or of the nearest folder around it. */
export async function findProject(): Promise<string> {
  for (let folder = resolve("."); ; folder = dirname(folder)) {
    const file = join(folder, projectFile);
    if ((await readTextIfThere(file)) !== null) return relative(resolve("."), file);
    if (dirname(folder) === folder) break;
  }
  throw new UsageError(`there is no ${projectFile} here or in a folder around: ${example}`);
}

const example = `one begins with { "models": ["models/*.lam"], "outDir": "gen" }`;

/** What is to be made of each model that a project file names. */
export async function projectJobs(config: string): Promise<readonly Job[]> {
  const settings = await readSettings(config);
  const found = modelsOf(settings.models, config);
  if (found.length === 0) throw new UsageError(`${config}: no file fits ${settings.models.join(", ")}`);
  const overrides = (settings.overrides ?? []).map((override) => ({
    override,
    files: new Set(modelsOf(override.models, config).map(({ file }) => file)),
  }));
  for (const { override, files } of overrides) {
    if (found.some(({ file }) => files.has(file))) continue;
    throw new UsageError(`${config}: no model of the project fits ${override.models.join(", ")} of an override`);
  }
  return found.map(({ file, base }) => {
    const own = overrides.filter(({ files }) => files.has(file)).map(({ override }) => override);
    const merged = own.reduce<ProjectSettings>((all, each) => ({ ...all, ...each }), settings);
    return jobOf(file, base, config, merged);
  });
}

function jobOf(file: string, base: string, config: string, settings: ProjectSettings): Job {
  const { stage = defaultStage, target = "ts", entry = null, wrt = [], outDir, sourceMap = false } = settings;
  const root = dirname(config);
  const folder = outDir === undefined ? dirname(file) : join(root, outDir, relative(base, dirname(file)));
  const out = join(folder, `${basename(file, extname(file))}.grad.${target}`);
  return {
    file,
    out,
    makesFolder: true,
    target,
    options: {
      stage,
      entries: entry,
      wrt,
      ...(settings.with === undefined ? {} : { with: settings.with }),
      verify: false,
    },
    runtime: settings.runtime === undefined ? null : join(root, settings.runtime),
    sourceMap,
    command: buildText(config, out),
  };
}

interface Model {
  readonly file: string;
  /** The folder up to which its pattern leaves nothing open. */
  readonly base: string;
}

/** The models that patterns mean, in alphabetical order, each once. */
function modelsOf(patterns: readonly string[], config: string): readonly Model[] {
  const root = dirname(config);
  const excluded = patterns.filter((pattern) => pattern.startsWith("!"));
  const models = new Map<string, Model>();
  for (const pattern of patterns) {
    if (pattern.startsWith("!")) continue;
    const files = globSync([pattern, ...excluded], {
      cwd: root,
      ignore: ["**/node_modules/**"],
      expandDirectories: false,
    });
    for (const name of files) {
      const file = withSlashes(join(root, name));
      if (!models.has(file)) models.set(file, { file, base: join(root, fixedFolder(pattern)) });
    }
  }
  return [...models.values()].sort((one, other) => (one.file < other.file ? -1 : 1));
}

/** `models/a` of `models/a/*.lam`. */
function fixedFolder(pattern: string): string {
  const parts = pattern.split("/").slice(0, -1);
  const open = parts.findIndex((part) => /[*?[{(!]/.test(part));
  return (open === -1 ? parts : parts.slice(0, open)).join("/") || ".";
}

async function readSettings(config: string): Promise<ProjectSettings> {
  const text = await readText(config, largestModel);
  const mistakes: ParseError[] = [];
  const value: unknown = parse(text, mistakes, { allowTrailingComma: true, allowEmptyContent: false });
  const place = (offset: number): string => {
    const { line, column } = positionAt(text, offset);
    return `${config}:${line}:${column}`;
  };
  const [mistake] = mistakes;
  if (mistake !== undefined)
    throw new UsageError(`${place(mistake.offset)}: this is not JSON (${printParseErrorCode(mistake.error)})`);
  if (Array.isArray(value)) throw new UsageError(`${place(0)}: a project file must be an object`);
  const result = v.safeParse(projectSchema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = (issue.path ?? [])
    .map(({ key }) => key)
    .filter((key) => typeof key === "string" || typeof key === "number");
  throw new UsageError(`${place(offsetOf(text, path))}: ${wordsOf(issue, path)}`);
}

/** Where the value at a path stands, or the key of one that should not be there, or what it is missing in. */
function offsetOf(text: string, path: JSONPath): number {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) return 0;
  const node = findNodeAtLocation(root, path) ?? findNodeAtLocation(root, path.slice(0, -1)) ?? root;
  return node.offset;
}

function wordsOf(issue: v.GenericIssue, path: JSONPath): string {
  const name = path.findLast((part) => typeof part === "string");
  if (name === undefined) return `a project file ${issue.message}`;
  if (issue.type !== "strict_object") return `"${name}" ${issue.message}`;
  const known = path.length === 1 ? projectNames : overrideNames;
  if (known.includes(name)) return `"${name}" is missing`;
  const meant = didYouMean(suggest(name, known));
  return [`there is no setting "${name}"`, ...(meant === null ? [] : [meant])].join(": ");
}
