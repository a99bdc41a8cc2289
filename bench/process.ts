// Measurements run in processes of their own, which print their result as JSON. They are bundled first: tsx marks every closure that is made
// with its name, which would slow both sides.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const built = `${root}/node_modules/.cache/dualrev-bench`;

/** A file of this folder that is run in a process of its own, and what it prints. */
export interface Measurement<T> {
  readonly file: string;
  /** Options of Node. */
  readonly flags?: readonly string[];
  readonly isResult: (value: unknown) => value is T;
}

/** Bundles measurements: needed once, before they are run. */
export function bundle(measurements: readonly Measurement<unknown>[]): void {
  buildSync({
    entryPoints: measurements.map(({ file }) => `${root}/bench/${file}.ts`),
    outdir: built,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    logLevel: "error",
  });
}

/**
 * What keeps memory that has been freed with the process. Otherwise glibc hands it to the operating system after each collection, and the next arrays get it
 * back page by page: a gradient of two arrays of 10⁴ numbers takes 590 to 780 µs instead of 20, by hand alike, as the system takes for a page.
 */
const keepingMemory = {
  MALLOC_TRIM_THRESHOLD_: "4000000000",
  MALLOC_MMAP_THRESHOLD_: "4000000000",
  MALLOC_TOP_PAD_: "67108864",
};

/** Runs a measurement with the repository's root as its working directory; `input` is what it reads. */
export function inProcess<T>({ file, flags = [], isResult }: Measurement<T>, args: readonly string[], input = ""): T {
  const output = execFileSync(process.execPath, [...flags, `${built}/${file}.mjs`, ...args], {
    cwd: root,
    env: { ...process.env, ...keepingMemory },
    encoding: "utf8",
    input,
    stdio: ["pipe", "pipe", "inherit"],
    maxBuffer: 2 ** 26,
  });
  const result: unknown = JSON.parse(output);
  if (!isResult(result)) throw new Error(`bench/${file}.ts printed something else: ${output}`);
  return result;
}
