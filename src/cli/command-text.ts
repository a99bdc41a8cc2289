// The command in the header of a module: one text for all ways of asking for the same, with paths relative to the module's folder.

import { basename, dirname, relative, resolve } from "node:path";
import { defaultStage } from "../driver/stages.js";
import { stdinArgument } from "./files.js";
import { withSlashes } from "./input.js";
import type { Job } from "./job.js";

/** What `dualrev compile` made a module of, and how. */
type Compilation = Omit<Job, "command" | "makesFolder"> & {
  /** All models of the run. */
  readonly files: readonly string[];
  /** The folder for the modules of several models; null: `out` is a file. */
  readonly outDir: string | null;
};

/** `dualrev compile ../model.lam -o model.grad.ts --entry loss`. */
export function compileText({ file, files, out, outDir, target, options, runtime, sourceMap }: Compilation): string {
  // What goes to standard output is the same wherever the command is given
  const path = (of: string): string =>
    of === stdinArgument ? of : out === null ? basename(of) : relativePath(dirname(out), of);
  const { stage = defaultStage, entries, wrt = [], with: derivatives, debug, library, threads, verify } = options;
  // What is in the runtime depends on all models of the run
  const isRun = runtime !== null && outDir !== null;
  const words = [
    ...(isRun ? files : [file]).map(path),
    ...(out === null ? [] : isRun ? ["--out-dir", path(outDir)] : ["-o", path(out)]),
    ...(stage === defaultStage ? [] : ["--stage", stage]),
    ...(entries == null ? [] : ["--entry", entries.join(",")]),
    ...(wrt.length === 0 ? [] : ["--wrt", wrt.join(",")]),
    ...(derivatives === undefined ? [] : ["--with", derivatives.join(",")]),
    ...(target === "js" && (out === null || isRun) ? ["--target", target] : []),
    ...(runtime === null ? [] : ["--runtime", path(runtime)]),
    ...(library === true ? ["--library"] : []),
    ...(threads === undefined ? [] : ["--threads"]),
    ...(sourceMap ? ["--source-map"] : []),
    ...(debug === true ? ["--debug"] : []),
    ...(verify === true ? ["--verify"] : []),
  ];
  return ["dualrev", "compile", ...words.map(quoted)].join(" ");
}

/** `dualrev build --config ../dualrev.config.json`. */
export function buildText(config: string, out: string): string {
  return `dualrev build --config ${quoted(relativePath(dirname(out), config))}`;
}

function relativePath(folder: string, path: string): string {
  const relativeTo = withSlashes(relative(resolve(folder), resolve(path)));
  return relativeTo === "" ? "." : relativeTo;
}

/** A word as shells take it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
