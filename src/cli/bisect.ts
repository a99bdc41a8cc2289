import { Command } from "commander";
import { bisect, type BisectResult } from "../driver/bisect.js";
import { passNamed } from "../driver/registry.js";
import { exitCodes, type SetExitCode } from "./exit-code.js";
import { Imports } from "./imports.js";
import { assertOneStdin, jsonArgument, readJson, readSource } from "./input.js";
import { limitedTo } from "./limited.js";
import { reportDiagnostics } from "./report.js";
import { printOut } from "./streams.js";

/** A run that takes longer, in milliseconds, is taken for endless. */
const longest = 60_000;

const help = `
Value and gradient are computed after every run of a pass of the stage adjoint, at the arguments and at two points beside, and
compared with those of the stage tape. Exit code 1: a pass changes them.

Example:
  dualrev bisect model.lam loss args.json`;

export function bisectCommand(setExitCode: SetExitCode): Command {
  return new Command("bisect")
    .description("name the first pass of the stage adjoint after which a value or a gradient is another one")
    .argument("<file>", "the model, or - for standard input")
    .argument("<entry>", "the definition")
    .argument("<args>", `its arguments, ${jsonArgument}`)
    .addHelpText("after", help)
    .action(async (file: string, entry: string, argsFile: string) => {
      assertOneStdin([file, argsFile]);
      const source = await readSource(file);
      const imports = new Imports(source);
      const result = bisect(source, entry, await readJson(argsFile), {
        load: imports.load,
        limited: limitedTo(longest),
      });
      await reportDiagnostics(imports, result.diagnostics);
      if (!result.ok) setExitCode(exitCodes.diagnostics);
      else {
        await printOut(told(file, entry, result.value));
        if (result.value.guilty !== null) setExitCode(exitCodes.diagnostics);
      }
    });
}

function told(file: string, entry: string, { runs, guilty }: BisectResult): string {
  if (guilty === null) return `${entry}: value and gradient are the same after each of ${runs} runs of passes\n`;
  const { pass, within, problem } = guilty;
  const place = within === null ? "" : ` in ${within}`;
  return [
    `${pass}${place}: ${problem}`,
    ...(passNamed(pass) === null ? [] : [`  what it does: ${passNamed(pass)?.title ?? ""}`]),
    `  what it did:  dualrev compile ${file} --entry ${entry} --dump ${pass}`,
    "",
  ].join("\n");
}
