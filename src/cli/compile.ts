import { basename, dirname, extname, join } from "node:path";
import { Command, Option } from "commander";
import { passGroups, type PassName } from "../driver/adjoint-passes.js";
import { compile, type CompiledModule } from "../driver/compile.js";
import { dump } from "../driver/dump.js";
import { defaultStage, stageNames } from "../driver/stages.js";
import type { StageName } from "../driver/stages.js";
import type { LeftOut } from "../emit/left-out.js";
import { haveSameLines, isSameFile, makeFolder, readTextIfThere, stdinArgument, writeAtomically } from "./files.js";
import { Imports } from "./imports.js";
import { parseDerivatives, parseNames, parseParameters, parsePass, parseStage, readSource } from "./input.js";
import { reportDiagnostics, Times } from "./report.js";
import { printError, printOut } from "./streams.js";
import { exitCodes, type ExitCode, type SetExitCode } from "./exit-code.js";
import { UsageError } from "./usage-error.js";
import { type Build, watchFile } from "./watch.js";

interface Flags {
  readonly out?: string;
  readonly outDir?: string;
  readonly stage?: StageName;
  readonly entry?: readonly string[];
  readonly wrt?: readonly string[];
  readonly with?: readonly ("vjp" | "grad")[];
  readonly target?: "ts" | "js";
  readonly check?: true;
  readonly watch?: true;
  readonly time?: true;
  readonly verify?: true;
  readonly dump?: PassName;
}

const examples = `
Examples:
  dualrev compile model.lam                               print the module
  dualrev compile model.lam -o model.grad.ts --watch      write it, again after every change
  dualrev compile model.lam -o model.grad.ts --check      fail where model.grad.ts is not up to date
  dualrev compile model.lam -o model.js                   model.js and model.d.ts
  dualrev compile a.lam b.lam --out-dir gen               gen/a.grad.ts and gen/b.grad.ts
  dualrev compile model.lam --entry loss --wrt loss.w     one definition, the gradient in one parameter

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
      new Option("--with <derivatives>", "what to export beside values (default: vjp,grad)").argParser(
        parseDerivatives,
      ),
    )
    .addOption(
      new Option(
        "--target <language>",
        "what to write; js gives a .js and a .d.ts (default: ts, or as OUT ends)",
      ).choices(["ts", "js"]),
    )
    .option("--check", "compare with the file given by -o instead of writing it")
    .option("--watch", "compile again whenever the model, or a file that it imports, changes")
    .option("--time", "print how long each pass took")
    .option("--verify", "check the typing statement of the stage's figure on its output")
    .addOption(
      new Option(
        "--dump <pass>",
        "print what a pass of the stage adjoint makes of the model, and nothing else",
      ).argParser(parsePass),
    )
    .addHelpText("after", examples)
    .action(async (files: readonly string[], { out, ...others }: Flags) => {
      const jobs = jobsOf(files, out === undefined || out === "-" ? others : { ...others, out });
      for (const { file, flags } of jobs) await assertFlags(file, flags);
      const [first] = jobs;
      if (first?.flags.dump !== undefined) {
        setExitCode(await printDump(first.file, first.flags.dump, first.flags));
        return;
      }
      if (first?.flags.watch === true) {
        await Promise.all(jobs.map((job) => watchFile(job.file, () => build(job))));
        return;
      }
      let gravest: ExitCode = exitCodes.ok;
      for (const job of jobs) {
        const { code } = await build(job);
        if (code > gravest) gravest = code;
      }
      setExitCode(gravest);
    });
}

/** One model, and where its module goes. */
interface Job {
  readonly file: string;
  readonly target: "ts" | "js";
  readonly flags: Flags;
}

/** Throws `UsageError` where it is not clear where the modules go. */
function jobsOf(files: readonly string[], flags: Flags): readonly Job[] {
  const { out, outDir } = flags;
  if (outDir === undefined) {
    const [file = "", ...others] = files;
    if (others.length > 0)
      throw new UsageError(`several models need a folder: dualrev compile ${files.join(" ")} --out-dir gen`);
    return [{ file, target: targetOf(flags), flags }];
  }
  if (out !== undefined) throw new UsageError("-o and --out-dir exclude each other");
  for (const name of ["entry", "wrt", "dump"] as const) {
    if (flags[name] !== undefined && files.length > 1)
      throw new UsageError(`--${name} is about one model: it does not go with several`);
  }
  const target = flags.target ?? "ts";
  const jobs = files.map((file): Job => {
    if (file === stdinArgument) throw new UsageError("a model on standard input has no name for a module in --out-dir");
    return { file, target, flags: { ...flags, out: join(outDir, `${basename(file, ".lam")}.grad.${target}`) } };
  });
  const outs = jobs.map((job) => job.flags.out ?? "");
  const twice = outs.find((path, i) => outs.indexOf(path) !== i);
  if (twice !== undefined) throw new UsageError(`two of the models would be compiled to ${twice}`);
  return jobs;
}

/** Compiles once. */
async function build({ file, target, flags }: Job): Promise<Build> {
  const source = await readSource(file);
  const imports = new Imports(source);
  const times = new Times();
  const result = compile(source, {
    stage: flags.stage ?? defaultStage,
    entries: flags.entry ?? null,
    wrt: flags.wrt ?? [],
    ...(flags.with === undefined ? {} : { with: flags.with }),
    target,
    checkTarget: flags.verify === true,
    onPass: times.listen,
    load: imports.load,
  });
  await reportDiagnostics(imports, result.diagnostics);
  if (flags.time === true) await printError(times.print());
  const imported = imports.stamps;
  if (!result.ok) return { code: exitCodes.diagnostics, imported };
  if (result.value.exports.length === 0) await printError(nothingExported(file, result.value.leftOut));
  const outputs = outputsOf(result.value, flags.out ?? null);
  await assertNoModels(outputs, [...imported.keys()]);
  if (flags.check !== true) await assertOwnDeclarations(outputs);
  return {
    code: await (flags.check === true ? compareAll(outputs, file) : writeAll(outputs, flags.outDir ?? null)),
    imported,
  };
}

/** A module that exports nothing is of no use: most likely that is a mistake. */
function nothingExported(file: string, leftOut: readonly LeftOut[]): string {
  const reasons = leftOut.map(({ name, reason }) => `  = note: ${name} is left out, ${reason}\n`);
  return `warning: ${file} has no definition that can be exported\n${reasons.join("")}`;
}

/** Prints a program after a pass. */
async function printDump(file: string, pass: PassName, flags: Flags): Promise<ExitCode> {
  const source = await readSource(file);
  const imports = new Imports(source);
  const result = dump(source, pass, { entries: flags.entry ?? null, wrt: flags.wrt ?? [], load: imports.load });
  await reportDiagnostics(imports, result.diagnostics);
  if (!result.ok) return exitCodes.diagnostics;
  await printOut(result.value);
  return exitCodes.ok;
}

interface Output {
  /** Null: standard output. */
  readonly path: string | null;
  readonly text: string;
}

function outputsOf(module: CompiledModule, out: string | null): readonly Output[] {
  const code = { path: out, text: module.code };
  if (out === null || module.declarations === null) return [code];
  return [code, { path: declarationFile(out), text: module.declarations }];
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

/** How everything begins that `compile` writes. */
const mark = "// @generated by dualrev ";

/** Declarations stand beside the file that `-o` names: what somebody has written by hand there is not to be lost. */
async function assertOwnDeclarations(outputs: readonly Output[]): Promise<void> {
  const [module, declarations] = outputs;
  if (module?.path == null || declarations?.path == null) return;
  const existing = await readTextIfThere(declarations.path);
  if (existing === null || existing === "" || existing.startsWith(mark)) return;
  throw new UsageError(`-o ${module.path} would overwrite ${declarations.path}, which dualrev has not written`);
}

/** `outDir`: the folder that is made where it is missing. */
async function writeAll(outputs: readonly Output[], outDir: string | null): Promise<ExitCode> {
  for (const { path, text } of outputs) {
    if (path === null) await printOut(text);
    else {
      if (outDir !== null) await makeFolder(outDir);
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

/** What modules are written in, by how the output's name ends. */
const targets: ReadonlyMap<string, "ts" | "js"> = new Map([
  [".ts", "ts"],
  [".mts", "ts"],
  [".js", "js"],
  [".mjs", "js"],
]);

/** `--target`, or what the output's name says. */
function targetOf({ target, out }: Flags): "ts" | "js" {
  const named = targets.get(out === undefined ? "" : extname(out)) ?? null;
  if (target !== undefined && named !== null && target !== named) {
    throw new UsageError(`--target ${target} does not go with an output named ${String(out)}`);
  }
  return target ?? named ?? "ts";
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

/** `model.d.ts` beside `model.js`, `model.d.mts` beside `model.mjs`. */
function declarationFile(out: string): string {
  const extension = extname(out);
  return join(dirname(out), `${basename(out, extension)}.d.${extension === ".mjs" ? "mts" : "ts"}`);
}

async function assertFlags(file: string, flags: Flags): Promise<void> {
  if (flags.watch === true && file === stdinArgument) throw new UsageError("--watch needs a file, not standard input");
  if (flags.watch === true && flags.check === true) throw new UsageError("--watch and --check exclude each other");
  if (flags.check === true && flags.out === undefined)
    throw new UsageError("--check needs -o: the file to compare with");
  const stage = flags.stage ?? defaultStage;
  if (flags.verify === true && stage === "adjoint") {
    throw new UsageError("--verify goes by the figure of a stage, and adjoint has none: name another with --stage");
  }
  if (flags.dump !== undefined) {
    if (stage !== "adjoint") throw new UsageError(`--dump shows passes of the stage adjoint: not of --stage ${stage}`);
    for (const name of ["out", "watch", "check", "target", "time", "verify"] as const) {
      if (flags[name] !== undefined) throw new UsageError(`--dump prints a program: --${name} does not go with it`);
    }
  }
  if (flags.out === undefined) return;
  if (flags.out === "") throw new UsageError("-o needs a file name");
  for (const path of [flags.out, declarationFile(flags.out)]) {
    if (file !== stdinArgument && (await isSameFile(file, path))) {
      throw new UsageError(`-o ${flags.out} would overwrite the model itself`);
    }
  }
  assertName(flags.out);
}
