import type { SourceFile } from "../syntax/source.js";
import { assertOneStdin, readSource } from "./input.js";
import { printError } from "./streams.js";
import { exitCodes, type ExitCode } from "./exit-code.js";
import { UsageError } from "./usage-error.js";

/** Does something with each file, also after one that cannot be read; gives the gravest exit code. */
export async function forEachFile(
  files: readonly string[],
  visit: (source: SourceFile, file: string) => Promise<ExitCode>,
): Promise<ExitCode> {
  assertOneStdin(files);
  let gravest: ExitCode = exitCodes.ok;
  for (const file of files) {
    const code = await visitOne(file, visit);
    if (code > gravest) gravest = code;
  }
  return gravest;
}

async function visitOne(
  file: string,
  visit: (source: SourceFile, file: string) => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await visit(await readSource(file), file);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    await printError(`error: ${error.message}\n`);
    return exitCodes.usage;
  }
}
