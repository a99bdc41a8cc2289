// One model and the module that is made of it: what `compile` and `build` have in common.

import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { compile, type CompiledModule, type CompileOptions } from "../driver/compile.js";
import { printRuntime } from "../driver/compile-all.js";
import type { SourceMapOptions } from "../driver/source-map.js";
import { isRelativePath } from "../syntax/paths.js";
import type { LeftOut } from "../emit/left-out.js";
import { exitCodes, type ExitCode } from "./exit-code.js";
import {
  haveSameLines,
  isSameFile,
  makeFolder,
  readTextIfThere,
  stdinArgument,
  stdinName,
  writeAtomically,
} from "./files.js";
import { Imports } from "./imports.js";
import { readSource, withSlashes } from "./input.js";
import { reportDenied, reportDiagnostics, Times } from "./report.js";
import { printError, printOut } from "./streams.js";
import { UsageError } from "./usage-error.js";
import type { Build } from "./watch.js";

export interface Job {
  /** The model; `-`: standard input. */
  readonly file: string;
  /** Where the module goes; null: standard output. */
  readonly out: string | null;
  /** Whether the folder of `out` is made where it is missing. */
  readonly makesFolder: boolean;
  readonly target: "ts" | "js";
  readonly options: Pick<
    CompileOptions,
    "stage" | "entries" | "wrt" | "with" | "debug" | "verify" | "library" | "modulePath" | "threads"
  >;
  /** The module that has what several modules use of the runtime; null: each has its own. */
  readonly runtime: string | null;
  /** Whether a source map is written beside the module. */
  readonly sourceMap: boolean;
  /** What makes the module again. */
  readonly command: string;
}

export interface HowToRun {
  /** Files are compared instead of written. */
  readonly check: boolean;
  readonly time: boolean;
  /** Whether a model with warnings fails. */
  readonly denyWarnings: boolean;
}

/** What modules are written in, by how the output's name ends. */
export const targets: ReadonlyMap<string, "ts" | "js"> = new Map([
  [".ts", "ts"],
  [".mts", "ts"],
  [".js", "js"],
  [".mjs", "js"],
]);

/** Throws `UsageError` where a job's outputs are no modules, would overwrite models, or each other. */
export async function assertJobs(jobs: readonly Job[]): Promise<void> {
  const outs = jobs.flatMap(({ out }) => out ?? []);
  const twice = outs.find((path, i) => outs.indexOf(path) !== i);
  if (twice !== undefined) throw new UsageError(`two of the models would be compiled to ${twice}`);
  for (const { file, out, runtime, target } of jobs) {
    if (runtime !== null) assertRuntime(runtime, out, outs, target);
    if (out === null) continue;
    if (runtime !== null && file !== stdinArgument && (await isSameFile(file, runtime)))
      throw new UsageError(`--runtime ${runtime} would overwrite the model ${file}`);
    for (const path of [out, declarationFile(out), mapFile(out)]) {
      if (file !== stdinArgument && (await isSameFile(file, path))) {
        throw new UsageError(`-o ${out} would overwrite the model itself`);
      }
    }
    assertName(out);
  }
}

/** Throws `UsageError` where a module for the runtime cannot be imported by one that goes to `out`. */
function assertRuntime(runtime: string, out: string | null, outs: readonly string[], target: "ts" | "js"): void {
  if (out === null) throw new UsageError("--runtime needs -o or --out-dir: the module is imported by its place");
  assertName(runtime);
  if (targets.get(extname(runtime)) !== target)
    throw new UsageError(`--runtime ${runtime} is not written in the language of ${out}`);
  if (outs.includes(runtime)) throw new UsageError(`--runtime ${runtime} is where a model is compiled to`);
}

/** Modules are ES modules, which other programs do not take for such by another name. One without an ending is what `--target` says. */
function assertName(out: string): void {
  // TypeScript takes `x.d.lam.ts` for the declarations of `x.lam`
  if (/\.d\.(?:[^./\\]+\.)?m?ts$/.test(out)) {
    const module = out.replace(/\.d\.(?:[^./\\]+\.)?(m?)ts$/, ".$1js");
    throw new UsageError(`-o ${out} is a name of declarations: -o ${module} writes them beside the module`);
  }
  if (extname(out) === "" || targets.has(extname(out))) return;
  throw new UsageError(`-o ${out} is no name of an ES module: it has to end in .ts, .mts, .js or .mjs`);
}

/** Carries out jobs one after the other; the gravest exit code. */
export async function runJobs(jobs: readonly Job[], how: HowToRun): Promise<ExitCode> {
  const runner = new JobRunner(jobs, how);
  let gravest: ExitCode = exitCodes.ok;
  for (const job of jobs) {
    const { code } = await runner.run(job);
    if (code > gravest) gravest = code;
  }
  return gravest;
}

/** Carries out jobs, each as often as its model changes. */
export class JobRunner {
  readonly #jobs: readonly Job[];
  readonly #how: HowToRun;
  /** What has been made of each model; what shares a runtime goes out together, since each module imports what all need. */
  readonly #made = new Map<Job, Made>();
  /** What is on disk: a change of one model does not touch the modules of others. */
  readonly #written = new Set<Output>();

  constructor(jobs: readonly Job[], how: HowToRun) {
    this.#jobs = jobs;
    this.#how = how;
  }

  /** Compiles a model, and writes its module; and the module of the runtime, once all that import it are known. */
  readonly run = async (job: Job): Promise<Build> => {
    const source = await readSource(job.file);
    const imports = new Imports(source);
    const times = new Times();
    const result = compile(source, {
      ...job.options,
      ...(job.runtime === null || job.out === null ? {} : { runtime: importedName(job.runtime, job.out) }),
      externPath: (path) => importedFrom(path, job),
      ...(job.sourceMap && job.out !== null ? { sourceMap: mappingTo(job.out) } : {}),
      target: job.target,
      command: job.command,
      onPass: times.listen,
      load: imports.load,
    });
    await reportDiagnostics(imports, result.diagnostics);
    if (this.#how.time) await printError(times.print());
    const imported = imports.stamps;
    if (!result.ok) return { code: exitCodes.diagnostics, imported };
    const isEmpty = result.value.exports.length === 0;
    if (isEmpty) await printError(nothingExported(job.file, result.value.leftOut));
    if (this.#how.denyWarnings && (isEmpty || result.diagnostics.length > 0)) {
      await reportDenied(source.name);
      return { code: exitCodes.diagnostics, imported };
    }
    const outputs = outputsOf(result.value, job);
    await assertNoModels(outputs, [...imported.keys()]);
    this.#made.set(job, { outputs, needs: result.value.needs });
    const all = this.#complete(job);
    if (this.#how.check) return { code: await compareAll(all), imported };
    const changed = all.filter((output) => !this.#written.has(output));
    await assertOwn(changed);
    await writeAll(changed, job.makesFolder);
    for (const output of changed) this.#written.add(output);
    return { code: exitCodes.ok, imported };
  };

  /** What is ready once a model has been compiled: nothing where others that share its runtime never have been. */
  #complete(job: Job): readonly Output[] {
    const { runtime, target } = job;
    if (runtime === null) return this.#made.get(job)?.outputs ?? [];
    const sharing = this.#jobs.filter((other) => other.runtime === runtime);
    const made = sharing.flatMap((other) => this.#made.get(other) ?? []);
    if (made.length < sharing.length) return [];
    return [
      ...made.flatMap(({ outputs }) => outputs),
      { file: job.file, path: runtime, text: printRuntime(made, target), isModule: false },
    ];
  }
}

interface Made {
  readonly outputs: readonly Output[];
  /** What the module imports of the runtime. */
  readonly needs: readonly string[];
}

/** A map beside a module at `out`: with the paths of files from its folder. */
function mappingTo(out: string): SourceMapOptions {
  const sourceName = (file: string): string => file === stdinName ? file : withSlashes(relative(resolve(dirname(out)), resolve(file))); // prettier-ignore
  return { file: basename(out), sourceName };
}

/** How a job's module imports a file that is at a path from the folder of the model. */
function importedFrom(path: string, { file, out }: Job): string {
  if (out === null || !isRelativePath(path)) return path;
  const folder = file === stdinArgument ? "." : dirname(file);
  const name = withSlashes(relative(dirname(out), join(folder, path)));
  return isRelativePath(name) ? name : `./${name}`;
}

/** How a module at `out` imports the one at `path`: what TypeScript is compiled to ends in .js. */
function importedName(path: string, out: string): string {
  const name = withSlashes(relative(dirname(out), path)).replace(/\.(m?)ts$/, ".$1js");
  return name.startsWith("../") ? name : `./${name}`;
}

/** A module that exports nothing is of no use: most likely that is a mistake. */
function nothingExported(file: string, leftOut: readonly LeftOut[]): string {
  const reasons = leftOut.map(({ name, reason }) => `  = note: ${name} is left out, ${reason}\n`);
  return `warning: ${file} has no definition that can be exported\n${reasons.join("")}`;
}

interface Output {
  /** The model to compile again where the output is stale. */
  readonly file: string;
  /** Null: standard output. */
  readonly path: string | null;
  readonly text: string;
  /** Whether it is the file that was named for the model: others must not be lost without having been named. */
  readonly isModule: boolean;
  /** How everything begins that dualrev writes there. */
  readonly mark?: string;
}

function outputsOf(module: CompiledModule, { file, out }: Job): readonly Output[] {
  const code = { file, path: out, text: module.code, isModule: true };
  if (out === null) return [code];
  const beside = [
    { path: declarationFile(out), text: module.declarations },
    { path: workerFile(out), text: module.worker },
  ];
  const map =
    module.map === null ? [] : [{ file, path: mapFile(out), text: module.map, isModule: false, mark: mapMark(out) }];
  return [code, ...map, ...beside.flatMap(({ path, text }) => (text === null ? [] : [{ file, path, text, isModule: false }]))]; // prettier-ignore
}

/** What a model imports is not to be overwritten either. */
async function assertNoModels(outputs: readonly Output[], imported: readonly string[]): Promise<void> {
  for (const { path } of outputs) {
    for (const model of imported) {
      if (path === null || !(await isSameFile(model, path))) continue;
      throw new UsageError(`-o ${path} would overwrite ${model}, which the model imports`);
    }
  }
}

/** How all modules begin that dualrev writes. */
const moduleMark = "// @generated by dualrev ";

/** Some outputs stand beside the file that is named: what somebody has written by hand there is not to be lost. */
async function assertOwn(outputs: readonly Output[]): Promise<void> {
  for (const { file, path, isModule, mark = moduleMark } of outputs) {
    if (path === null || isModule) continue;
    const existing = await readTextIfThere(path);
    if (existing === null || existing === "" || existing.startsWith(mark)) continue;
    const named = outputs.find((output) => output.isModule && output.file === file)?.path ?? null;
    throw new UsageError(`-o ${String(named)} would overwrite ${path}, which dualrev has not written`);
  }
}

async function writeAll(outputs: readonly Output[], makesFolder: boolean): Promise<void> {
  for (const { path, text } of outputs) {
    if (path === null) await printOut(text);
    else {
      if (makesFolder) await makeFolder(dirname(path));
      await writeAtomically(path, text);
    }
  }
}

async function compareAll(outputs: readonly Output[]): Promise<ExitCode> {
  let code: ExitCode = exitCodes.ok;
  for (const { file, path, text } of outputs) {
    if (path === null) continue;
    const existing = await readTextIfThere(path);
    if (existing !== null && haveSameLines(existing, text)) continue;
    code = exitCodes.diagnostics;
    const state = existing === null ? "does not exist" : "is not up to date";
    await printError(`error: ${path} ${state}: compile ${file} again, without --check\n`);
  }
  return code;
}

/** `model.worker.ts` beside `model.ts`. */
export function workerFile(out: string): string {
  const extension = extname(out);
  return join(dirname(out), `${basename(out, extension)}.worker${extension}`);
}

/** `model.ts.map` beside `model.ts`. */
function mapFile(out: string): string {
  return `${out}.map`;
}

/** How the map of a module begins: another compiler would make that of a `.ts` for what it compiles it to. */
function mapMark(out: string): string {
  return `{"version":3,"file":${JSON.stringify(basename(out))},`;
}

/** `model.d.ts` beside `model.js`, `model.d.mts` beside `model.mjs`. */
function declarationFile(out: string): string {
  const extension = extname(out);
  return join(dirname(out), `${basename(out, extension)}.d.${extension === ".mjs" ? "mts" : "ts"}`);
}
