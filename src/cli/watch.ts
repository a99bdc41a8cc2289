// Building again whenever a file changes.

import { watch } from "chokidar";
import { version } from "../version.js";
import { internalErrorText } from "./report.js";
import { printError } from "./streams.js";
import { exitCodes, type ExitCode } from "./exit-code.js";
import { UsageError } from "./usage-error.js";

/** Editors write in several steps: a change counts when the file has rested for so long. */
const restMilliseconds = 30;

/** What a build did. */
export interface Build {
  readonly code: ExitCode;
  /** The paths of the files that the model imports, also of those that are not there yet. */
  readonly imported: readonly string[];
}

/**
 * Builds now and after every change of the model or of a file that it imports, one build at a time; goes on after errors. Does not return while
 * the files are watched.
 */
export async function watchFile(file: string, build: () => Promise<Build>): Promise<void> {
  let wanted = false;
  let running = false;
  let imported: readonly string[] = [];
  const watcher = watch(file, {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: restMilliseconds, pollInterval: 10 },
  });
  const rebuild = async (): Promise<void> => {
    wanted = true;
    if (running) return;
    running = true;
    while (wanted) {
      wanted = false;
      const built = await buildAndTell(file, build);
      // A build that could not read the model says nothing about what it imports
      if (built === null) continue;
      watcher.unwatch(imported.filter((path) => !built.imported.includes(path)));
      watcher.add(built.imported.filter((path) => !imported.includes(path)));
      imported = built.imported;
    }
    running = false;
  };
  await new Promise<void>((resolve, reject) => {
    watcher.on("ready", resolve);
    watcher.on("error", reject);
  });
  await rebuild();
  watcher.on("add", () => void rebuild());
  watcher.on("change", () => void rebuild());
  watcher.on("unlink", (path) => {
    if (imported.includes(path)) void rebuild();
    else void printError(`${file} is gone; waiting for it to come back\n`);
  });
}

async function buildAndTell(file: string, build: () => Promise<Build>): Promise<Build | null> {
  const start = performance.now();
  const built = await outcome(build);
  const milliseconds = Math.round(performance.now() - start);
  const state = built?.code === exitCodes.ok ? "compiled" : "not compiled, output left as it was,";
  await printError(`${file}: ${state} in ${milliseconds} ms, watching for changes\n`);
  return built;
}

/** Null where the build could not be carried out. */
async function outcome(build: () => Promise<Build>): Promise<Build | null> {
  try {
    return await build();
  } catch (error) {
    if (error instanceof UsageError) {
      await printError(`error: ${error.message}\n`);
    } else {
      await printError(internalErrorText(error, version));
    }
    return null;
  }
}
