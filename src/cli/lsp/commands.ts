// What the lenses above a definition show: the emitted module, the stages, the value at one point.

import { execFile } from "node:child_process";
import { dirname } from "node:path";
import pc from "picocolors";
import { renderDiagnostics } from "../../diagnostics/render.js";
import { compile } from "../../driver/compile.js";
import { externFiles } from "../../driver/externs.js";
import { steps } from "../../driver/steps.js";
import { sampleArguments } from "../../editor/sample-arguments.js";
import { isAbsolutePath } from "../../syntax/paths.js";
import type { SourceFile } from "../../syntax/source.js";
import { StepPrinter } from "../steps-printer.js";
import type { Workspace } from "./workspace.js";

export const commandNames = [
  "dualrev.showGradient",
  "dualrev.showSteps",
  "dualrev.run",
  "dualrev.sampleArguments",
] as const;

/** A text to show. */
export interface ShownText {
  readonly title: string;
  readonly language: "typescript" | "json" | "plaintext";
  readonly text: string;
  /** Of an emitted module, the text of its source map, whose sources are addresses of files; null for other texts. */
  readonly map: string | null;
}

/** A run that takes longer is stopped. */
const longestRun = 10_000;

/** Carries out a command on a definition of a file. `args`: for `dualrev.run`, as JSON. */
export async function runCommand(
  workspace: Workspace,
  command: string,
  [uri, definition, args]: readonly unknown[],
): Promise<ShownText | null> {
  const name = typeof uri === "string" ? workspace.nameOf(uri) : "";
  const text = workspace.textOf(name);
  if (text === null || typeof definition !== "string") return null;
  const source = { name, text };
  switch (command) {
    case "dualrev.showGradient":
      return gradientOf(workspace, source, definition);
    case "dualrev.showSteps":
      return stepsOf(workspace, source, definition);
    case "dualrev.run":
      return {
        title: `${definition}: value`,
        language: "json",
        text: await valueOf(workspace, source, definition, args),
        map: null,
      };
    case "dualrev.sampleArguments": {
      const analysis = workspace.analysisOf(name);
      const sample = analysis === null ? null : sampleArguments(analysis, definition);
      return { title: `${definition}: arguments`, language: "json", text: JSON.stringify(sample ?? {}), map: null };
    }
    default:
      return null;
  }
}

function gradientOf(workspace: Workspace, source: SourceFile, definition: string): ShownText {
  const sourceMap = { sourceName: (file: string) => workspace.uriOf(file) };
  const found = compile(source, { entries: [definition], load: workspace.load, sourceMap });
  const title = `${definition}: gradient`;
  if (!found.ok) return { title, language: "plaintext", text: told(workspace, found.diagnostics), map: null };
  return { title, language: "typescript", text: found.value.code, map: found.value.map };
}

function stepsOf(workspace: Workspace, source: SourceFile, definition: string): ShownText {
  const found = steps(source, { entries: [definition], load: workspace.load });
  const options = { legend: true, typescript: true, wrap: true, all: false, roots: [definition] };
  const text = found.ok
    ? new StepPrinter(options, pc.createColors(false)).print(found.value)
    : told(workspace, found.diagnostics);
  return { title: `${definition}: steps`, language: "plaintext", text, map: null };
}

/** The value at a point, in a process that can be stopped. Functions of the caller are not run. */
function valueOf(workspace: Workspace, source: SourceFile, definition: string, args: unknown): Promise<string> {
  const externs = externFiles(source, workspace.load);
  if (externs.length > 0) {
    const command = `dualrev run ${source.name} ${definition}`;
    return Promise.resolve(
      `The model has functions from ${externs.join(", ")}, which an editor does not run: ${command}`,
    );
  }
  const analysis = workspace.analysisOf(source.name);
  const given =
    typeof args === "string" ? args : JSON.stringify((analysis && sampleArguments(analysis, definition)) ?? {});
  const [script = ""] = process.argv.slice(1);
  const cwd = isAbsolutePath(source.name) ? dirname(source.name) : process.cwd();
  return new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: "1" };
    const options = { cwd, env, timeout: longestRun, maxBuffer: 2 ** 26 };
    const child = execFile(process.execPath, [script, "run", "-", definition, given], options, (error, out, err) => {
      if (error?.killed === true) resolve(`${definition} takes longer than ${longestRun / 1000} s and was stopped.`);
      else resolve(error === null ? `// ${definition} at ${given}\n${out}` : err || error.message);
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(source.text);
  });
}

function told(workspace: Workspace, diagnostics: Parameters<typeof renderDiagnostics>[0]): string {
  return renderDiagnostics(diagnostics, (file) => workspace.textOf(file));
}
