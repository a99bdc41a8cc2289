import { Command, Option } from "commander";
import pc from "picocolors";
import { costOver } from "../driver/cost-over.js";
import { steps, type Step } from "../driver/steps.js";
import { stepsPage } from "../driver/steps-page.js";
import { stageNames, type StageName } from "../driver/stages.js";
import { drawJobs, drawRun, mostNodes } from "../driver/run-graph.js";
import { printToldRun, toldRun } from "../driver/told-run.js";
import type { SourceFile } from "../syntax/source.js";
import { writeAtomically } from "./files.js";
import { loadExterns } from "./externs.js";
import { Imports } from "./imports.js";
import { signatures } from "../driver/signatures.js";
import { tokenize } from "../syntax/tokens.js";
import {
  assertOneStdin,
  jsonArgument,
  parseNames,
  parseParameters,
  parseStage,
  readJson,
  readJsonValue,
  readSource,
} from "./input.js";
import { type ExitCode, exitCodes, type SetExitCode } from "./exit-code.js";
import { reportDiagnostics } from "./report.js";
import { hasColors, printError, printOut } from "./streams.js";
import { assertSized, sizesOf } from "./sizes.js";
import { StepPrinter } from "./steps-printer.js";
import { UsageError } from "./usage-error.js";

interface Flags {
  readonly entry?: readonly string[];
  readonly from?: StageName;
  readonly to?: StageName;
  readonly at?: string;
  readonly cotangent?: string;
  readonly svg?: string;
  readonly html?: string;
  readonly over?: string;
  readonly only?: StageName;
  readonly wrt?: readonly string[];
  readonly legend: boolean;
  readonly typescript: boolean;
  readonly wrap: boolean;
  readonly unicode?: boolean;
  readonly all?: true;
}

export function stepsCommand(setExitCode: SetExitCode): Command {
  return new Command("steps")
    .description("show the derivative stage by stage, in the paper's notation and as TypeScript")
    .argument("<file>", "the model, or - for standard input")
    .addOption(
      new Option(
        "--entry <names>",
        "definitions to show, with what they use (default: the last that can be exported)",
      ).argParser(parseNames),
    )
    .addOption(new Option("--from <stage>", "the first stage to show").argParser(parseStage))
    .addOption(new Option("--to <stage>", "the last stage to show").argParser(parseStage))
    .addOption(new Option("--only <stage>", "show one stage").argParser(parseStage).conflicts(["from", "to"]))
    .addOption(
      new Option(
        "--wrt <parameters>",
        "differentiate with respect to these alone, in the stage adjoint: loss.x,loss.y",
      ).argParser(parseParameters),
    )
    .option("--all", "show all that the definitions use (default: them, and what they call themselves)")
    .option("--no-legend", "leave out what the notation means, interfaces, and departures from the figures")
    .option("--no-typescript", "leave out the TypeScript")
    .option("--no-wrap", "leave out the wrappers, which are called from outside")
    .option("--unicode", "write terms as the paper does (default: where the model does)")
    .option("--no-unicode")
    .option("--at <args>", `tell one run of the definition of --entry step by step; ${jsonArgument}`)
    .option("--cotangent <json>", "the cotangent of the result, where that is no number, with --at")
    .option("--svg <file>", "draw the graph of dual numbers of that run; with --only parallel that of its jobs")
    .option(
      "--html <file>",
      "write a page with the stages side by side, and with --at the run and its picture, that needs no other file",
    )
    .option("--over <sizes>", "with --html and --at, a chart of the counted work over sizes, n=1,2,4")
    .action(async (file: string, flags: Flags) => {
      assertOrder(flags);
      assertPageFlags(flags);
      assertOneStdin([file, flags.at, flags.cotangent]);
      const source = await readSource(file);
      const imports = new Imports(source);
      if (flags.at !== undefined && flags.html === undefined) {
        setExitCode(await tellRun(source, imports, flags.at, flags));
        return;
      }
      if (flags.at === undefined && (flags.svg !== undefined || flags.cotangent !== undefined))
        throw new UsageError("--svg and --cotangent are about one run: they need --at");
      const { entries, note } = entriesOf(source, imports, flags);
      const result = steps(source, {
        entries,
        from: flags.only ?? flags.from ?? null,
        to: flags.only ?? flags.to ?? null,
        wrt: flags.wrt ?? [],
        unicode: flags.unicode ?? usesUnicode(source.text),
        load: imports.load,
      });
      await reportDiagnostics(imports, result.diagnostics);
      if (!result.ok) {
        setExitCode(exitCodes.diagnostics);
        return;
      }
      if (note !== "") await printError(note);
      if (flags.html !== undefined) {
        setExitCode(await writePage(flags.html, source, imports, result.value, { ...flags, roots: entries }));
        return;
      }
      const colors = pc.createColors(hasColors(process.stdout));
      await printOut(
        new StepPrinter({ ...flags, all: flags.all === true, roots: entries }, colors).print(result.value),
      );
    });
}

/** The definitions to show: where none is named, the last that can be exported, which most models end with. */
function entriesOf(
  source: SourceFile,
  imports: Imports,
  { entry }: Flags,
): { readonly entries: readonly string[] | null; readonly note: string } {
  if (entry !== undefined) return { entries: entry, note: "" };
  const known = signatures(source, { load: imports.load });
  const exported = known.ok ? known.value.filter((each) => each.exported).map(({ name }) => name) : [];
  const [last] = exported.slice(-1);
  if (last === undefined || exported.length === 1) return { entries: null, note: "" };
  return {
    entries: [last],
    note: `note: this is ${last}, with what it uses; --entry shows others: ${exported.slice(0, -1).join(", ")}\n`,
  };
}

/** Writes the page, with a run and the work over sizes where they are asked for. */
async function writePage(
  path: string,
  source: SourceFile,
  imports: Imports,
  shown: readonly Step[],
  { roots, at, over, ...flags }: Flags & { readonly roots: readonly string[] | null },
): Promise<ExitCode> {
  const sizes = over === undefined ? null : sizesOf(over);
  const page = { roots, told: null, costs: null };
  if (at === undefined) {
    await writeAtomically(path, stepsPage(source, shown, page));
    return exitCodes.ok;
  }
  const entry = entryOf(flags);
  const args = await readJson(at);
  if (sizes !== null) assertSized(args, sizes);
  const options = { load: imports.load, externs: await loadExterns(source, imports.load) };
  const cotangent = await cotangentOf(flags);
  const told = toldRun(source, entry, args, { ...options, cotangent });
  await reportDiagnostics(imports, told.diagnostics);
  if (!told.ok) return exitCodes.diagnostics;
  const counted = sizes === null ? null : costOver(source, entry, args, sizes, options);
  await reportDiagnostics(imports, counted?.diagnostics ?? []);
  if (counted?.ok === false) return exitCodes.diagnostics;
  const costs =
    counted === null || sizes === null
      ? null
      : { series: counted.value, sizes: sizes.values, name: sizes.names.join(", ") };
  await writeAtomically(path, stepsPage(source, shown, { ...page, told: told.value, costs }));
  return exitCodes.ok;
}

/** The definition that `--at` runs. */
function entryOf({ entry: names }: Flags): string {
  const [entry, ...others] = names ?? [];
  if (entry === undefined || others.length > 0) throw new UsageError("--at runs one definition: name it with --entry");
  return entry;
}

async function cotangentOf({ cotangent }: Flags): Promise<unknown> {
  return cotangent === undefined ? undefined : await readJsonValue(cotangent);
}

/** One run instead of the stages. */
async function tellRun(source: SourceFile, imports: Imports, args: string, flags: Flags): Promise<ExitCode> {
  const entry = entryOf(flags);
  for (const name of ["from", "to"] as const)
    if (flags[name] !== undefined)
      throw new UsageError(`--at tells of a run, and not of stages: --${name} does not go with it`);
  const options = {
    cotangent: await cotangentOf(flags),
    load: imports.load,
    externs: await loadExterns(source, imports.load),
  };
  const told = toldRun(source, entry, await readJson(args), options);
  await reportDiagnostics(imports, told.diagnostics);
  if (!told.ok) return exitCodes.diagnostics;
  if (flags.svg !== undefined) {
    const isOfJobs = flags.only === "parallel";
    const picture = isOfJobs ? drawJobs(told.value) : drawRun(told.value);
    const found = isOfJobs ? "more" : `${told.value.run.nodes.length}`;
    if (picture === null)
      throw new UsageError(
        `--svg draws up to ${mostNodes} ${isOfJobs ? "jobs" : "dual numbers"}: this run has ${found}`,
      );
    await writeAtomically(flags.svg, picture);
  }
  await printOut(printToldRun(told.value));
  return exitCodes.ok;
}

function assertPageFlags({ html, svg, over, at, legend, typescript, wrap, all }: Flags): void {
  if (html === undefined && over !== undefined) throw new UsageError("--over goes with --html; dualrev cost --over prints the counts"); // prettier-ignore
  if (html === undefined) return;
  if (over !== undefined && at === undefined) throw new UsageError("--over counts runs: it needs --at");
  if (svg !== undefined) throw new UsageError("--html has the pictures in the page: --svg does not go with it");
  const left = { "--no-legend": !legend, "--no-typescript": !typescript, "--no-wrap": !wrap, "--all": all === true };
  const [useless] = Object.entries(left).flatMap(([flag, isGiven]) => (isGiven ? [flag] : []));
  if (useless !== undefined) throw new UsageError(`--html has all of it in the page: ${useless} does not go with it`);
}

function assertOrder({ from, to }: Flags): void {
  if (from === undefined || to === undefined || stageNames.indexOf(from) <= stageNames.indexOf(to)) return;
  throw new UsageError(`--from ${from} is behind --to ${to}: the stages are ${stageNames.join(", ")}`);
}

/** Whether a model is written with the papers' signs; comments do not count. */
function usesUnicode(text: string): boolean {
  return tokenize(text).tokens.some(({ image }) => /^[λ→ℝℤ×⋆]$/u.test(image));
}
