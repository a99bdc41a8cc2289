// Building again whenever a file changes.

import { watch } from "chokidar";
import { version } from "../version.js";
import { internalErrorText } from "./report.js";
import { printError } from "./streams.js";
import { exitCodes, type ExitCode } from "./exit-code.js";
import { UsageError } from "./usage-error.js";

/** Editors write in several steps: a change counts when the file has rested for so long. */
const restMilliseconds = 30;

/**
 * Builds now and after every change of the file, one build at a time; goes on after errors. Does not return while the file is watched.
 */
export async function watchFile(file: string, build: () => Promise<ExitCode>): Promise<void> {
  let wanted = false;
  let running = false;
  const rebuild = async (): Promise<void> => {
    wanted = true;
    if (running) return;
    running = true;
    while (wanted) {
      wanted = false;
      await buildAndTell(file, build);
    }
    running = false;
  };
  const watcher = watch(file, {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: restMilliseconds, pollInterval: 10 },
  });
  await new Promise<void>((resolve, reject) => {
    watcher.on("ready", resolve);
    watcher.on("error", reject);
  });
  await rebuild();
  watcher.on("add", () => void rebuild());
  watcher.on("change", () => void rebuild());
  watcher.on("unlink", () => void printError(`${file} is gone; waiting for it to come back\n`));
}

async function buildAndTell(file: string, build: () => Promise<ExitCode>): Promise<void> {
  const start = performance.now();
  const state = await outcome(build);
  const milliseconds = Math.round(performance.now() - start);
  await printError(`${file}: ${state} in ${milliseconds} ms, watching for changes\n`);
}

async function outcome(build: () => Promise<ExitCode>): Promise<string> {
  try {
    return (await build()) === exitCodes.ok ? "compiled" : "not compiled, output left as it was,";
  } catch (error) {
    if (error instanceof UsageError) {
      await printError(`error: ${error.message}\n`);
    } else {
      await printError(internalErrorText(error, version));
    }
    return "not compiled, output left as it was,";
  }
}
