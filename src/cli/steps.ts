import { Command, Option } from "commander";
import pc from "picocolors";
import { steps, type Step } from "../driver/steps.js";
import { stageNames, type StageName } from "../driver/stages.js";
import { drawRun, mostNodes } from "../driver/run-graph.js";
import { printToldRun, toldRun } from "../driver/told-run.js";
import type { SourceFile } from "../syntax/source.js";
import { writeAtomically } from "./files.js";
import { Imports } from "./imports.js";
import { signatures } from "../driver/signatures.js";
import { inUnicode, usesUnicode } from "../driver/unicode.js";
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
import { UsageError } from "./usage-error.js";

interface Flags {
  readonly entry?: readonly string[];
  readonly from?: StageName;
  readonly to?: StageName;
  readonly at?: string;
  readonly cotangent?: string;
  readonly svg?: string;
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
      const { entries, note } = entriesOf(source, imports, flags);
      const result = steps(source, {
        entries,
        from: flags.only ?? flags.from ?? null,
        to: flags.only ?? flags.to ?? null,
        wrt: flags.wrt ?? [],
        load: imports.load,
      });
      await reportDiagnostics(imports, result.diagnostics);
      if (!result.ok) {
        setExitCode(exitCodes.diagnostics);
        return;
      }
      if (note !== "") await printError(note);
      const shown: Shown = { legend: new Set(), parts: new Map(), functions: new Map() };
      const isUnicode = flags.unicode ?? usesUnicode(source.text);
      const style: Style = {
        colors: pc.createColors(hasColors(process.stdout)),
        flags,
        term: isUnicode ? inUnicode : (text) => text,
      };
      await printOut(result.value.map((step) => printStep(step, entries, shown, style)).join("\n"));
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

/** What has been shown so far, so that it is not shown again. */
interface Shown {
  /** Notation with its meaning, and departures. */
  readonly legend: Set<string>;
  /** By name, the text of a definition in the stage before. */
  readonly parts: Map<string, string>;
  readonly functions: Map<string, string>;
}

interface Style {
  readonly colors: ReturnType<typeof pc.createColors>;
  readonly flags: Flags;
  /** Writes a term. */
  readonly term: (text: string) => string;
}

/** A stage: what it does, what the notation means, the program, and its TypeScript. */
function printStep(step: Step, roots: readonly string[] | null, shown: Shown, { colors, flags, term }: Style): string {
  const rule = (words: string): string => colors.dim(`-- ${words} `.padEnd(ruleWidth, "-"));
  const prose = (text: string): readonly string[] => wrap(text, ruleWidth).map((line) => colors.italic(line));
  const hidden = flags.all === true ? new Set<string>() : farDefinitions(step, roots);
  const parts = step.parts.filter(({ kind, name }) => (flags.wrap || kind !== "wrapper") && !hidden.has(name));
  const functions = step.functions.filter(
    ({ isWrapper, definition }) => (flags.wrap || !isWrapper) && !hidden.has(definition ?? ""),
  );
  const departures = flags.legend ? step.departures.filter((text) => !shown.legend.has(text)) : [];
  for (const text of departures) shown.legend.add(text);
  const sections: (readonly string[])[] = [
    [colors.bold(`== ${step.stage}: ${step.title} `.padEnd(ruleWidth, "="))],
    prose(step.change),
    ...(departures.length === 0 ? [] : [departures.flatMap((text) => prose(`Departs from the figure: ${text}`))]),
    ...legendSection(step, shown, flags, rule, term),
    ...newTexts(parts, shown.parts).map((text) => [term(text)]),
    ...(hidden.size === 0 ? [] : [wrap(`Called from these, and shown by --all: ${[...hidden].join(", ")}`, ruleWidth)]),
    ...resolvedSection(step, colors, rule),
  ];
  if (flags.typescript) {
    sections.push([rule("TypeScript")], ...newTexts(functions, shown.functions).map((text) => [text]));
    const fragments = flags.legend ? newTexts(step.box.typescript, shown.functions) : [];
    if (fragments.length > 0) sections.push([rule("TypeScript of the interface")], ...fragments.map((text) => [text]));
  }
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** The definitions that neither are to be shown nor are called by one that is. */
function farDefinitions({ parts }: Step, roots: readonly string[] | null): ReadonlySet<string> {
  const definitions = parts.filter(({ kind, name }) => kind === "definition" && name !== "");
  const wrapped = parts.filter(({ kind }) => kind === "wrapper").flatMap(({ calls }) => calls);
  const near = new Set([...(roots ?? wrapped), ...wrapped]);
  for (const { name, calls } of definitions)
    if (roots?.includes(name) ?? wrapped.includes(name)) for (const called of calls) near.add(called);
  return new Set(definitions.map(({ name }) => name).filter((name) => !near.has(name)));
}

/** The texts that are not what the stage before has under their names; the others are named. */
function newTexts(
  parts: readonly { readonly name: string; readonly text: string }[],
  before: Map<string, string>,
): readonly string[] {
  const same = parts.filter(({ name, text }) => name !== "" && before.get(name) === text);
  const texts = parts.filter((part) => !same.includes(part)).map(({ text }) => text);
  for (const { name, text } of parts) before.set(name, text);
  return same.length === 0 ? texts : [...texts, `As above: ${same.map(({ name }) => name).join(", ")}`];
}

function legendSection(
  { legend, box }: Step,
  shown: Shown,
  flags: Flags,
  rule: (words: string) => string,
  term: (text: string) => string,
): readonly (readonly string[])[] {
  if (!flags.legend) return [];
  const entries = legend.filter(({ symbol, meaning }) => !shown.legend.has(`${symbol} ${meaning}`));
  for (const { symbol, meaning } of entries) shown.legend.add(`${symbol} ${meaning}`);
  const width = Math.max(0, ...entries.map(({ symbol }) => symbol.length));
  const lines = entries.flatMap(({ symbol, meaning }) =>
    wrap(meaning, ruleWidth - width - 2).map((line, i) => `${(i === 0 ? term(symbol) : "").padEnd(width)}  ${line}`),
  );
  return [
    ...(lines.length === 0 ? [] : [[rule("Notation"), "", ...lines]]),
    ...(box.term === "" ? [] : [[rule("The interface of the figure"), "", term(box.term)]]),
    ...(lines.length === 0 && box.term === "" ? [] : [[rule("The program")]]),
  ];
}

/** What is saved is decided before the code is tidied: a reader who looks for it below may find less. */
const resolvedNote =
  "By the names above, as both sweeps are written at first. Where their loops are then joined, or one value tells another, the TypeScript saves less.";

function resolvedSection(
  { resolved }: Step,
  colors: ReturnType<typeof pc.createColors>,
  rule: (words: string) => string,
): readonly (readonly string[])[] {
  if (resolved.length === 0) return [];
  const lines = resolved.flatMap((text) =>
    wrap(text, ruleWidth - 2).map((line, index) => (index === 0 ? line : `  ${line}`)),
  );
  return [[rule("Resolved at compile time")], wrap(resolvedNote, ruleWidth).map((line) => colors.italic(line)), lines];
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
