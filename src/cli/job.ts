// One model and the module that is made of it: what `compile` and `build` have in common.

import { basename, dirname, extname, join, relative } from "node:path";
import { compile, type CompiledModule, type CompileOptions } from "../driver/compile.js";
import { printRuntime } from "../driver/compile-all.js";
import type { LeftOut } from "../emit/left-out.js";
import { exitCodes, type ExitCode } from "./exit-code.js";
import { haveSameLines, isSameFile, makeFolder, readTextIfThere, stdinArgument, writeAtomically } from "./files.js";
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
  readonly options: Pick<CompileOptions, "stage" | "entries" | "wrt" | "with" | "checkTarget">;
  /** The module that has what several modules use of the runtime; null: each has its own. */
  readonly runtime: string | null;
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
    for (const path of [out, declarationFile(out)]) {
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
  /** What the modules import of the runtime. */
  readonly #needs = new Map<Job, readonly string[]>();

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
    const outputs = outputsOf(result.value, job.out);
    await assertNoModels(outputs, [...imported.keys()]);
    this.#needs.set(job, result.value.needs);
    const all = [...outputs, ...this.#runtimeOf(job)];
    if (this.#how.check) return { code: await compareAll(all, job.file), imported };
    await assertOwn(all);
    return { code: await writeAll(all, job.makesFolder), imported };
  };

  #runtimeOf({ runtime, target }: Job): readonly Output[] {
    if (runtime === null || this.#jobs.some((job) => job.runtime === runtime && !this.#needs.has(job))) return [];
    const modules = this.#jobs.flatMap((job) =>
      job.runtime === runtime ? [{ needs: this.#needs.get(job) ?? [] }] : [],
    );
    return [{ path: runtime, text: printRuntime(modules, target), isModule: false }];
  }
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
  /** Null: standard output. */
  readonly path: string | null;
  readonly text: string;
  /** Whether it is the file that was named for the model: others must not be lost without having been named. */
  readonly isModule: boolean;
}

function outputsOf(module: CompiledModule, out: string | null): readonly Output[] {
  const code = { path: out, text: module.code, isModule: true };
  if (out === null || module.declarations === null) return [code];
  return [code, { path: declarationFile(out), text: module.declarations, isModule: false }];
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

/** How everything begins that dualrev writes. */
const mark = "// @generated by dualrev ";

/** Some outputs stand beside the file that is named: what somebody has written by hand there is not to be lost. */
async function assertOwn(outputs: readonly Output[]): Promise<void> {
  const named = outputs.find(({ isModule }) => isModule)?.path ?? null;
  for (const { path, isModule } of outputs) {
    if (path === null || isModule) continue;
    const existing = await readTextIfThere(path);
    if (existing === null || existing === "" || existing.startsWith(mark)) continue;
    throw new UsageError(`-o ${String(named)} would overwrite ${path}, which dualrev has not written`);
  }
}

async function writeAll(outputs: readonly Output[], makesFolder: boolean): Promise<ExitCode> {
  for (const { path, text } of outputs) {
    if (path === null) await printOut(text);
    else {
      if (makesFolder) await makeFolder(dirname(path));
      await writeAtomically(path, text);
    }
  }
  return exitCodes.ok;
}

async function compareAll(outputs: readonly Output[], file: string): Promise<ExitCode> {
  let code: ExitCode = exitCodes.ok;
  for (const { path, text } of outputs) {
    if (path === null) continue;
    const existing = await readTextIfThere(path);
    if (existing !== null && haveSameLines(existing, text)) continue;
    code = exitCodes.diagnostics;
    const state = existing === null ? "does not exist" : "is not up to date";
    await printError(`error: ${path} ${state}: compile ${file} again, without --check\n`);
  }
  return code;
}

/** `model.d.ts` beside `model.js`, `model.d.mts` beside `model.mjs`. */
function declarationFile(out: string): string {
  const extension = extname(out);
  return join(dirname(out), `${basename(out, extension)}.d.${extension === ".mjs" ? "mts" : "ts"}`);
}
