// What commands that differentiate a definition at a point have in common.

import { type Command, Option } from "commander";
import { defaultStage } from "../driver/stages.js";
import { exitCodes, type SetExitCode } from "./exit-code.js";
import { jsonArgument, parseStage } from "./input.js";
import { printError } from "./streams.js";

/** Gives a command the arguments FILE, ENTRY and ARGS, and the option `--stage`. */
export function atPoint(command: Command): Command {
  return command
    .argument("<file>", "the model, or - for standard input")
    .argument("<entry>", "the definition")
    .argument("<args>", `its arguments, ${jsonArgument}`)
    .addOption(
      new Option("--stage <stage>", "the transformation that makes the derivative")
        .argParser(parseStage)
        .default(defaultStage),
    );
}

/** Prints where `what` is not what finite differences say, and has the command fail then. */
export async function reportDifferences(
  what: string,
  lines: readonly string[],
  setExitCode: SetExitCode,
): Promise<void> {
  if (lines.length === 0) return;
  await printError(`error: ${what} differs from finite differences\n`);
  for (const line of lines) await printError(`  ${line}\n`);
  setExitCode(exitCodes.diagnostics);
}
