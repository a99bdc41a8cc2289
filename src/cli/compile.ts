import { basename, extname, join } from "node:path";
import { Command, Option } from "commander";
import { passGroups } from "../driver/registry.js";
import { dump } from "../driver/dump.js";
import { derivedNames, type Derived } from "../emit/interface/public-names.js";
import { apartStages, defaultStage, hasPasses, problemApart, stageNamed, stageNames } from "../driver/stages.js";
import type { StageName } from "../driver/stages.js";
import { compileText } from "./command-text.js";
import { stdinArgument } from "./files.js";
import { Imports } from "./imports.js";
import { parseDerivatives, parseNames, parseParameters, parsePass, parseStage, readSource } from "./input.js";
import { assertJobs, type Job, JobRunner, runJobs, targets, workerFile } from "./job.js";
import { reportDiagnostics } from "./report.js";
import { printOut } from "./streams.js";
import { exitCodes, type ExitCode, type SetExitCode } from "./exit-code.js";
import { UsageError } from "./usage-error.js";
import { watchFile } from "./watch.js";

interface Flags {
  readonly out?: string;
  readonly outDir?: string;
  readonly stage?: StageName;
  readonly entry?: readonly string[];
  readonly wrt?: readonly string[];
  readonly with?: readonly (Derived | "all")[];
  readonly target?: "ts" | "js";
  readonly runtime?: string;
  readonly library?: true;
  readonly threads?: true;
  readonly sourceMap?: true;
  readonly debug?: true;
  readonly check?: true;
  readonly watch?: true;
  readonly time?: true;
  readonly denyWarnings?: true;
  readonly verify?: true;
  readonly dump?: string;
}

const examples = `
Examples:
  dualrev compile model.lam                               print the module
  dualrev compile model.lam -o model.grad.ts --watch      write it, again after every change
  dualrev compile model.lam -o model.grad.ts --check      fail where model.grad.ts is not up to date
  dualrev compile model.lam -o model.js                   model.js and model.d.ts
  dualrev compile a.lam b.lam --out-dir gen               gen/a.grad.ts and gen/b.grad.ts
  dualrev compile lib.lam --library --stage delta-let --runtime shared.ts -o lib.ts
                                                          for modules of files that import lib.lam
  dualrev compile model.lam --entry loss --wrt loss.w     one definition, the gradient in one parameter
  dualrev compile model.lam --with grad,hvp,jacobian      lossGrad, lossHvp, lossJacobian

Stages: ${stageNames.join(", ")}
Passes of the stage adjoint
${passGroups.map(({ of, names }) => `  over ${of}: ${names.join(", ")}`).join("\n")}`;

export function compileCommand(setExitCode: SetExitCode): Command {
  return new Command("compile")
    .description("compile a model to a TypeScript module with its value and gradient")
    .argument("<files...>", "the model, or - for standard input; several with --out-dir")
    .option("-o, --out <file>", "where to write the module: a .ts, .mts, .js or .mjs (default: -, standard output)")
    .option("--out-dir <folder>", "where to write the modules of several models: a.grad.ts of a.lam")
    .addOption(
      new Option(
        "--stage <stage>",
        `the transformation that makes the derivative (default: ${defaultStage})`,
      ).argParser(parseStage),
    )
    .addOption(
      new Option("--entry <names>", "definitions to export, separated by commas (default: all that can be)").argParser(
        parseNames,
      ),
    )
    .addOption(
      new Option("--wrt <parameters>", "differentiate with respect to these alone: loss.x,loss.y").argParser(
        parseParameters,
      ),
    )
    .addOption(
      new Option(
        "--with <derivatives>",
        `what to export beside values: ${derivedNames.join(", ")}, or all (default: vjp,grad)`,
      ).argParser(parseDerivatives),
    )
    .option(
      "--threads",
      "also what computes gradients on several threads, and beside the module the file that a worker runs",
    )
    .option("--runtime <file>", "a module for what modules use of the runtime, which they then import")
    .option(
      "--library",
      "compile each file apart: import the modules of the files that it imports, and export what those that import it need",
    )
    .addOption(
      new Option(
        "--target <language>",
        "what to write; js gives a .js and a .d.ts (default: ts, or as OUT ends)",
      ).choices(["ts", "js"]),
    )
    .option("--source-map", "also a source map, from the module to the model, beside the module")
    .option("--debug", 'show at run time what debug "text" is given, and its derivative')
    .option("--check", "compare with the file given by -o instead of writing it")
    .option("--watch", "compile again whenever the model, or a file that it imports, changes")
    .option("--deny-warnings", "write nothing where there are warnings, and fail")
    .option("--time", "print how long each pass took")
    .option(
      "--verify",
      "check the program after every pass: by the typing statement of the stage's figure, by the invariants of its form",
    )
    .addOption(
      new Option(
        "--dump <pass>",
        "print what a pass of the stage adjoint makes of the model, and nothing else",
      ).argParser(parsePass),
    )
    .addHelpText("after", examples)
    .action(async (files: readonly string[], flags: Flags) => {
      assertFlags(files, flags);
      const [file = ""] = files;
      if (flags.dump !== undefined) {
        setExitCode(await printDump(file, flags.dump, flags));
        return;
      }
      const jobs = jobsOf(files, flags);
      await assertJobs(jobs);
      const how = {
        check: flags.check === true,
        time: flags.time === true,
        denyWarnings: flags.denyWarnings === true,
      };
      if (flags.watch === true) {
        const { run } = new JobRunner(jobs, how);
        const { signal } = new AbortController();
        await Promise.all(jobs.map((job) => watchFile(job.file, () => run(job), signal)));
        return;
      }
      setExitCode(await runJobs(jobs, how));
    });
}

/** Throws `UsageError` where it is not clear where the modules go. */
function jobsOf(files: readonly string[], flags: Flags): readonly Job[] {
  const { outDir = null } = flags;
  const isLibrary = flags.library === true;
  const runtime = flags.runtime ?? (isLibrary && outDir !== null ? join(outDir, `runtime.${flags.target ?? "ts"}`) : null); // prettier-ignore
  const out = flags.out === undefined || flags.out === "-" ? null : flags.out;
  if (flags.threads === true) assertThreads(flags);
  const options = {
    stage: flags.stage ?? defaultStage,
    entries: flags.entry ?? null,
    wrt: flags.wrt ?? [],
    ...(flags.with === undefined ? {} : { with: flags.with }),
    debug: flags.debug === true,
    verify: flags.verify === true,
    ...(isLibrary ? { library: true, modulePath: (path: string) => modulePath(path, flags) } : {}),
  };
  const job = (file: string, out: string | null, target: "ts" | "js"): Job => {
    const threads =
      flags.threads === true && out !== null ? { threads: `./${basename(workerFile(out)).replace(/ts$/, "js")}` } : {};
    const parts = { file, out, target, options: { ...options, ...threads }, runtime, sourceMap: flags.sourceMap === true }; // prettier-ignore
    return { ...parts, makesFolder: outDir !== null, command: compileText({ ...parts, files, outDir }) };
  };
  if (outDir === null) {
    const [file = "", ...others] = files;
    if (others.length > 0)
      throw new UsageError(`several models need a folder: dualrev compile ${files.join(" ")} --out-dir gen`);
    return [job(file, out, targetOf(flags))];
  }
  if (out !== null) throw new UsageError("-o and --out-dir exclude each other");
  for (const name of ["entry", "wrt", "dump"] as const) {
    if (flags[name] !== undefined && files.length > 1)
      throw new UsageError(`--${name} is about one model: it does not go with several`);
  }
  const target = flags.target ?? "ts";
  return files.map((file) => {
    if (file === stdinArgument) throw new UsageError("a model on standard input has no name for a module in --out-dir");
    return job(file, join(outDir, `${basename(file, ".lam")}.grad.${target}`), target);
  });
}

/** Throws `UsageError` where there are no threads, or no place for the file that a worker runs. */
function assertThreads({ stage = defaultStage, out = "-", outDir, runtime, library, debug }: Flags): void {
  if (!hasPasses(stageNamed(stage)))
    throw new UsageError(`--threads does not go with the stage ${stage}: gradients on threads are those of adjoint`);
  if (out === "-" && outDir === undefined)
    throw new UsageError("--threads needs -o or --out-dir: it writes a second file beside the module");
  for (const [name, given] of Object.entries({ runtime, library, debug }))
    if (given !== undefined) throw new UsageError(`--threads does not go with --${name}`);
}

/** How a module imports that of a file at a path from the model, where each is compiled apart: from where the same command would put it. */
function modulePath(path: string, { out = "", outDir }: Flags): string {
  if (outDir !== undefined) return `./${basename(path, ".lam")}.grad.js`;
  return `${path.replace(/\.lam$/, "")}.${/\.m[jt]s$/.test(out) ? "mjs" : "js"}`;
}

/** Prints a program after a pass. */
async function printDump(file: string, pass: string, flags: Flags): Promise<ExitCode> {
  const source = await readSource(file);
  const imports = new Imports(source);
  const result = dump(source, pass, {
    entries: flags.entry ?? null,
    wrt: flags.wrt ?? [],
    load: imports.load,
    ...(flags.with === undefined ? {} : { with: flags.with }),
  });
  await reportDiagnostics(imports, result.diagnostics);
  if (!result.ok) return exitCodes.diagnostics;
  await printOut(result.value);
  return exitCodes.ok;
}

/** `--target`, or what the output's name says. */
function targetOf({ target, out }: Flags): "ts" | "js" {
  const named = targets.get(out === undefined ? "" : extname(out)) ?? null;
  if (target !== undefined && named !== null && target !== named) {
    throw new UsageError(`--target ${target} does not go with an output named ${String(out)}`);
  }
  return target ?? named ?? "ts";
}

function assertFlags(files: readonly string[], flags: Flags): void {
  const hasOutput = (flags.out !== undefined && flags.out !== "-") || flags.outDir !== undefined;
  if (flags.watch === true && files.includes(stdinArgument))
    throw new UsageError("--watch needs a file, not standard input");
  if (flags.watch === true && flags.check === true) throw new UsageError("--watch and --check exclude each other");
  if (flags.check === true && !hasOutput) throw new UsageError("--check needs -o: the file to compare with");
  const stage = flags.stage ?? defaultStage;
  if (flags.sourceMap === true && flags.dump === undefined && !hasOutput)
    throw new UsageError("--source-map needs -o or --out-dir: it writes a second file beside the module");
  if (flags.out === "") throw new UsageError("-o needs a file name");
  if (flags.library === true) assertLibrary(stage, flags);
  if (flags.dump === undefined) return;
  if (!hasPasses(stageNamed(stage))) {
    throw new UsageError(`--dump shows passes of the stage ${defaultStage}: not of --stage ${stage}`);
  }
  for (const name of ["out", "outDir", "watch", "check", "target", "time", "verify", "runtime", "sourceMap"] as const) {
    if (flags[name] !== undefined) throw new UsageError(`--dump prints a program: ${flagOf(name)} does not go with it`);
  }
}

/** `--out-dir` of `outDir`. */
function flagOf(name: keyof Flags): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Throws `UsageError` where files cannot be compiled apart. */
function assertLibrary(stage: StageName, { runtime, outDir, dump }: Flags): void {
  const problem = problemApart(stageNamed(stage));
  if (problem !== null) {
    throw new UsageError(`--library: ${problem}; --stage can be ${apartStages.join(", ")}`);
  }
  if (dump === undefined && runtime === undefined && outDir === undefined)
    throw new UsageError("--library needs --runtime: modules that are compiled apart share what a run keeps there");
}
