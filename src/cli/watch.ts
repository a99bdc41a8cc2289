// Building again whenever a file changes.

import { setTimeout as sleep } from "node:timers/promises";
import { version } from "../version.js";
import { exitCodes, type ExitCode } from "./exit-code.js";
import { internalErrorText } from "./report.js";
import { missing, stampOf } from "./stamp.js";
import { printError } from "./streams.js";
import { UsageError } from "./usage-error.js";

/** Time between two looks at the files. Editors write in several steps: a change counts when two looks see the same. */
const restMilliseconds = 60;

/** Files as they were at a time: the stamp of each path, also of those that are not there. */
export type Seen = ReadonlyMap<string, string>;

/** What a build did. */
export interface Build {
  readonly code: ExitCode;
  /** The files that the model imports, as they were before they were read. */
  readonly imported: Seen;
}

/**
 * Builds now and after every change of the model or of a file that it imports, one build at a time; goes on after errors, until `signal` is aborted.
 *
 * The files are looked at again and again: what tells of events begins to tell some time after a build has asked for a file, and what happens
 * until then would be lost. What a build has seen is known for sure.
 */
export async function watchFile(file: string, build: () => Promise<Build>, signal: AbortSignal): Promise<void> {
  let imported: Seen = new Map();
  for (;;) {
    const model = stampOf(file);
    const before = now(imported.keys());
    const built = await buildAndTell(file, build);
    // A build that could not be carried out says nothing about what the model imports
    imported = built?.imported ?? before;
    const present = await changed(new Map([...imported, [file, model]]), signal);
    if (signal.aborted) return;
    if (present.get(file) !== missing) continue;
    await printError(`${file} is gone; waiting for it to come back\n`);
    await changed(new Map([[file, missing]]), signal);
  }
}

/** Waits until files are no longer as they were seen, and rest, or until `signal` is aborted; how they are then. */
async function changed(seen: Seen, signal: AbortSignal): Promise<Seen> {
  let last = seen;
  for (;;) {
    await sleep(restMilliseconds);
    const present = now(seen.keys());
    if (signal.aborted || (!isSame(present, seen) && isSame(present, last))) return present;
    last = present;
  }
}

/** Time between two looks at what there is to watch. */
const listMilliseconds = 500;

/**
 * Watches what `list` gives, as long as it gives it: jobs come, go and change with a project file. A list that cannot be had leaves the last one as it
 * is. Never returns.
 */
export async function watchJobs<Job extends { readonly file: string }>(
  list: () => Promise<readonly Job[]>,
  builder: (jobs: readonly Job[]) => (job: Job) => Promise<Build>,
): Promise<never> {
  let watched = "";
  let stop = new AbortController();
  let running: readonly Promise<void>[] = [];
  let problem = "";
  for (;;) {
    try {
      const jobs = await list();
      problem = "";
      if (JSON.stringify(jobs) !== watched) {
        watched = JSON.stringify(jobs);
        stop.abort();
        // What is still being built would be written over what comes now
        await Promise.all(running);
        stop = new AbortController();
        const build = builder(jobs);
        const { signal } = stop;
        running = jobs.map((job) => watchFile(job.file, () => build(job), signal));
      }
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      if (error.message !== problem) await printError(`error: ${error.message}\n`);
      problem = error.message;
    }
    await sleep(listMilliseconds);
  }
}

function now(paths: Iterable<string>): Seen {
  return new Map(Array.from(paths, (path) => [path, stampOf(path)]));
}

function isSame(one: Seen, other: Seen): boolean {
  return [...one].every(([path, stamp]) => other.get(path) === stamp);
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
