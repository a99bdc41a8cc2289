import { Command } from "commander";
import { format } from "../driver/format.js";
import { forEachFile } from "./each-file.js";
import { haveSameLines, stdinArgument, writeAtomically } from "./files.js";
import { Imports } from "./imports.js";
import { exitCodes, type SetExitCode } from "./exit-code.js";
import { reportDiagnostics } from "./report.js";
import { printError, printOut } from "./streams.js";

export function fmtCommand(setExitCode: SetExitCode): Command {
  return new Command("fmt")
    .description("format models in place")
    .argument("<files...>", "models; - formats standard input to standard output")
    .option("--check", "write nothing; fail where a file is not formatted")
    .action(async (files: readonly string[], flags: { readonly check?: true }) => {
      const code = await forEachFile(files, async (source, file) => {
        const result = format(source);
        await reportDiagnostics(new Imports(source), result.diagnostics);
        if (!result.ok) return exitCodes.diagnostics;
        if (flags.check === true) {
          if (haveSameLines(result.value, source.text)) return exitCodes.ok;
          await printError(`error: ${source.name} is not formatted: run dualrev fmt\n`);
          return exitCodes.diagnostics;
        }
        if (file === stdinArgument) await printOut(result.value);
        else if (!haveSameLines(result.value, source.text)) await writeAtomically(file, result.value);
        return exitCodes.ok;
      });
      setExitCode(code);
    });
}
