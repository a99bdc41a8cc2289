import { Command } from "commander";
import { cost, printCosts } from "../driver/cost.js";
import { Imports } from "./imports.js";
import { assertOneStdin, jsonArgument, readJson, readSource } from "./input.js";
import { exitCodes, type SetExitCode } from "./exit-code.js";
import { reportDiagnostics } from "./report.js";
import { printOut } from "./streams.js";

export function costCommand(setExitCode: SetExitCode): Command {
  return new Command("cost")
    .description("count the work of every stage but adjoint on given arguments: adjoint code has nothing to count")
    .argument("<file>", "the model, or - for standard input")
    .argument("<entry>", "the definition")
    .argument("<args>", `its arguments, ${jsonArgument}`)
    .option("--json", "print one JSON document")
    .action(async (file: string, entry: string, argsFile: string, flags: { readonly json?: true }) => {
      assertOneStdin([file, argsFile]);
      const source = await readSource(file);
      const imports = new Imports(source);
      const result = cost(source, entry, await readJson(argsFile), { load: imports.load });
      await reportDiagnostics(imports, result.diagnostics);
      if (!result.ok) {
        setExitCode(exitCodes.diagnostics);
        return;
      }
      await printOut(flags.json === true ? `${JSON.stringify(result.value)}\n` : printCosts(result.value));
    });
}
