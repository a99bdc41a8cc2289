import { Command } from "commander";
import { printJson } from "../driver/json.js";
import { run } from "../driver/run.js";
import { shownValues } from "../driver/shown-values.js";
import { loadExterns } from "./externs.js";
import { Imports } from "./imports.js";
import { assertOneStdin, jsonArgument, readJson, readSource } from "./input.js";
import { exitCodes, type SetExitCode } from "./exit-code.js";
import { reportDiagnostics, reportIn } from "./report.js";
import { openSession } from "./session.js";
import { printError, printOut } from "./streams.js";
import { UsageError } from "./usage-error.js";

interface Flags {
  readonly eval?: string;
  readonly load?: string;
}

const examples = `
Examples:
  dualrev run model.lam loss '{"x": 1, "y": 2}'
  dualrev run -e 'lgamma 3'
  dualrev run -e 'loss [0, 1] 2' --load model.lam`;

export function runCommand(setExitCode: SetExitCode): Command {
  return new Command("run")
    .description("evaluate a definition, or an expression; prints its value as JSON")
    .argument("[file]", "the model, or - for standard input")
    .argument("[entry]", "the definition")
    .argument("[args]", `its arguments, ${jsonArgument}`)
    .option("-e, --eval <expression>", "evaluate an expression instead of a definition")
    .option("--load <file>", "a model whose definitions the expression uses")
    .addHelpText("after", examples)
    .action(async (file: string | undefined, entry: string | undefined, argsFile: string | undefined, flags: Flags) => {
      if (flags.eval !== undefined) {
        if (file !== undefined) throw new UsageError(`-e takes the definitions of a model by --load ${file}`);
        const session = await openSession("<expression>", flags.load ?? null);
        const result = session === null ? null : session.evaluate(flags.eval);
        if (session !== null && result !== null) await reportIn((name) => session.textOf(name), result.diagnostics);
        if (result?.ok !== true) {
          setExitCode(exitCodes.diagnostics);
          return;
        }
        const { type, value, shown } = result.value;
        for (const line of shown) await printError(`${line}\n`);
        if (value === undefined) throw new UsageError(`the expression is a function, ${type}: apply it`);
        await printOut(`${printJson({ value })}\n`);
        return;
      }
      if (flags.load !== undefined) throw new UsageError("--load goes with -e: a definition is run by FILE ENTRY ARGS");
      if (file === undefined || entry === undefined || argsFile === undefined)
        throw new UsageError(`${missingPart(file, entry)}: dualrev run FILE ENTRY ARGS, or dualrev run -e EXPRESSION`);
      assertOneStdin([file, argsFile]);
      const source = await readSource(file);
      const imports = new Imports(source);
      const args = await readJson(argsFile);
      const options = { load: imports.load, externs: await loadExterns(source, imports.load) };
      const shown = shownValues(source, entry, args, options);
      if (shown.ok) for (const line of shown.value) await printError(`${line}\n`);
      const result = run(source, entry, args, options);
      await reportDiagnostics(imports, result.diagnostics);
      if (!result.ok) {
        setExitCode(exitCodes.diagnostics);
        return;
      }
      await printOut(`${printJson({ value: result.value })}\n`);
    });
}

function missingPart(file: string | undefined, entry: string | undefined): string {
  if (file === undefined) return "the model is missing";
  return entry === undefined ? "the name of a definition is missing" : "the arguments are missing";
}
