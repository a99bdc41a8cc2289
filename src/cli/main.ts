import { CommanderError } from "commander";
import { version } from "../version.js";
import { buildProgram } from "./program.js";
import { internalErrorText } from "./report.js";
import { guardStreams, printError } from "./streams.js";
import { exitCodes, type ExitCode } from "./exit-code.js";
import { UsageError } from "./usage-error.js";

/** Carries out a command line (without the interpreter and the script) and gives its exit code. */
export async function main(args: readonly string[]): Promise<number> {
  guardStreams();
  let code: ExitCode = exitCodes.ok;
  const program = buildProgram((exitCode) => {
    code = exitCode;
  });
  try {
    const [first = "", ...rest] = args;
    if (first.endsWith(".lam")) throw new UsageError(`${first} is a model, not a command: dualrev compile ${first}`);
    // Most tools take the small letter, too
    await program.parseAsync(first === "-v" ? ["--version", ...rest] : args, { from: "user" });
    return code;
  } catch (error) {
    // Commander has printed its own message; asking for help or the version is no error
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    if (error instanceof UsageError) {
      await printError(`error: ${error.message}\n`);
      return exitCodes.usage;
    }
    await printError(internalErrorText(error, version));
    return exitCodes.internal;
  }
}
