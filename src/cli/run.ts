import { Command } from "commander";
import { printJson } from "../driver/json.js";
import { run } from "../driver/run.js";
import { Imports } from "./imports.js";
import { assertOneStdin, jsonArgument, readJson, readSource } from "./input.js";
import { exitCodes, type SetExitCode } from "./exit-code.js";
import { reportDiagnostics } from "./report.js";
import { printOut } from "./streams.js";

export function runCommand(setExitCode: SetExitCode): Command {
  return new Command("run")
    .description("evaluate a definition; prints its value as JSON")
    .argument("<file>", "the model, or - for standard input")
    .argument("<entry>", "the definition")
    .argument("<args>", `its arguments, ${jsonArgument}`)
    .addHelpText("after", `\nExample:\n  dualrev run model.lam loss '{"x": 1, "y": 2}'`)
    .action(async (file: string, entry: string, argsFile: string) => {
      assertOneStdin([file, argsFile]);
      const source = await readSource(file);
      const imports = new Imports(source);
      const result = run(source, entry, await readJson(argsFile), { load: imports.load });
      await reportDiagnostics(imports, result.diagnostics);
      if (!result.ok) {
        setExitCode(exitCodes.diagnostics);
        return;
      }
      await printOut(`${printJson({ value: result.value })}\n`);
    });
}
