import { Command, Option } from "commander";
import pc from "picocolors";
import { steps, type Step } from "../driver/steps.js";
import { stageNames, type StageName } from "../driver/stages.js";
import { drawRun, mostNodes } from "../driver/run-graph.js";
import { printToldRun, toldRun } from "../driver/told-run.js";
import type { SourceFile } from "../syntax/source.js";
import { writeAtomically } from "./files.js";
import { Imports } from "./imports.js";
import { assertOneStdin, jsonArgument, parseNames, parseStage, readJson, readJsonValue, readSource } from "./input.js";
import { type ExitCode, exitCodes, type SetExitCode } from "./exit-code.js";
import { reportDiagnostics } from "./report.js";
import { hasColors, printOut } from "./streams.js";
import { UsageError } from "./usage-error.js";

interface Flags {
  readonly entry?: readonly string[];
  readonly from?: StageName;
  readonly to?: StageName;
  readonly at?: string;
  readonly cotangent?: string;
  readonly svg?: string;
}

export function stepsCommand(setExitCode: SetExitCode): Command {
  return new Command("steps")
    .description("show the derivative stage by stage, in the paper's notation and as TypeScript")
    .argument("<file>", "the model, or - for standard input")
    .addOption(
      new Option(
        "--entry <names>",
        "definitions to show, with what they use (default: all that can be exported)",
      ).argParser(parseNames),
    )
    .addOption(new Option("--from <stage>", "the first stage to show").argParser(parseStage))
    .addOption(new Option("--to <stage>", "the last stage to show").argParser(parseStage))
    .option("--at <args>", `tell one run of the definition of --entry step by step; ${jsonArgument}`)
    .option("--cotangent <json>", "the cotangent of the result, where that is no number, with --at")
    .option("--svg <file>", "draw the graph of dual numbers of that run")
    .action(async (file: string, flags: Flags) => {
      assertOrder(flags);
      assertOneStdin([file, flags.at, flags.cotangent]);
      const source = await readSource(file);
      const imports = new Imports(source);
      if (flags.at !== undefined) {
        setExitCode(await tellRun(source, imports, flags.at, flags));
        return;
      }
      if (flags.svg !== undefined || flags.cotangent !== undefined)
        throw new UsageError("--svg and --cotangent are about one run: they need --at");
      const result = steps(source, {
        entries: flags.entry ?? null,
        from: flags.from ?? null,
        to: flags.to ?? null,
        load: imports.load,
      });
      await reportDiagnostics(imports, result.diagnostics);
      if (!result.ok) {
        setExitCode(exitCodes.diagnostics);
        return;
      }
      const colors = pc.createColors(hasColors(process.stdout));
      await printOut(result.value.map((step) => printStep(step, colors)).join("\n"));
    });
}

/** One run instead of the stages. */
async function tellRun(source: SourceFile, imports: Imports, args: string, flags: Flags): Promise<ExitCode> {
  const [entry, ...others] = flags.entry ?? [];
  if (entry === undefined || others.length > 0) throw new UsageError("--at runs one definition: name it with --entry");
  for (const name of ["from", "to"] as const)
    if (flags[name] !== undefined)
      throw new UsageError(`--at tells of a run, and not of stages: --${name} does not go with it`);
  const cotangent = flags.cotangent === undefined ? undefined : await readJsonValue(flags.cotangent);
  const told = toldRun(source, entry, await readJson(args), { cotangent, load: imports.load });
  await reportDiagnostics(imports, told.diagnostics);
  if (!told.ok) return exitCodes.diagnostics;
  if (flags.svg !== undefined) {
    const picture = drawRun(told.value);
    if (picture === null)
      throw new UsageError(`--svg draws up to ${mostNodes} dual numbers: this run has ${told.value.run.nodes.length}`);
    await writeAtomically(flags.svg, picture);
  }
  await printOut(printToldRun(told.value));
  return exitCodes.ok;
}

function assertOrder({ from, to }: Flags): void {
  if (from === undefined || to === undefined || stageNames.indexOf(from) <= stageNames.indexOf(to)) return;
  throw new UsageError(`--from ${from} is behind --to ${to}: the stages are ${stageNames.join(", ")}`);
}

const ruleWidth = 80;

function printStep(step: Step, colors: ReturnType<typeof pc.createColors>): string {
  const heading = `== ${step.stage}: ${step.title} `;
  return [
    colors.bold(heading.padEnd(ruleWidth, "=")),
    "",
    ...wrap(step.change, ruleWidth).map((line) => colors.italic(line)),
    "",
    step.term.trimEnd(),
    "",
    ...resolvedLines(step, colors),
    colors.dim("-- TypeScript ".padEnd(ruleWidth, "-")),
    "",
    step.typescript.trimEnd(),
    "",
  ].join("\n");
}

/** What is saved is decided before the code is tidied: a reader who looks for it below may find less. */
const resolvedNote =
  "By the names above, as both sweeps are written at first. Where their loops are then joined, or one value tells another, the TypeScript saves less.";

function resolvedLines({ resolved }: Step, colors: ReturnType<typeof pc.createColors>): readonly string[] {
  if (resolved.length === 0) return [];
  const heading = colors.dim("-- Resolved at compile time ".padEnd(ruleWidth, "-"));
  const lines = resolved.flatMap((text) =>
    wrap(text, ruleWidth - 2).map((line, index) => (index === 0 ? line : `  ${line}`)),
  );
  return [heading, "", ...wrap(resolvedNote, ruleWidth).map((line) => colors.italic(line)), "", ...lines, ""];
}

/** A text in lines of at most so many columns, broken at spaces. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
