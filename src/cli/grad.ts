import { Command } from "commander";
import { explainNaN } from "../driver/explain-nan.js";
import { grad } from "../driver/grad.js";
import { printJson } from "../driver/json.js";
import { shownValues } from "../driver/shown-values.js";
import type { StageName } from "../driver/stages.js";
import { atPoint, reportDifferences } from "./at-point.js";
import { loadExterns } from "./externs.js";
import { Imports } from "./imports.js";
import { assertOneStdin, readJson, readJsonValue, readSource } from "./input.js";
import { exitCodes, type SetExitCode } from "./exit-code.js";
import { reportDiagnostics } from "./report.js";
import { printError, printOut } from "./streams.js";

interface Flags {
  readonly stage: StageName;
  readonly check?: true;
  readonly cotangent?: string;
  readonly explainNan?: true;
}

const examples = `
Examples:
  dualrev grad model.lam loss args.json
  dualrev grad model.lam loss '{"x": 1, "y": 2}' --check
  dualrev grad model.lam predict args.json --cotangent weights.json

Where the result is not a scalar and there is no cotangent, "jacobian" is printed: a list of gradients, one for each scalar of the result.`;

export function gradCommand(setExitCode: SetExitCode): Command {
  return atPoint(new Command("grad"))
    .description("evaluate a definition and its gradient; prints both as JSON")
    .option("--check", "compare with finite differences; fail where they differ")
    .option("--cotangent <json>", "the cotangent of the result: JSON in a file, on standard input (-), or written here")
    .option("--explain-nan", "name the first operations whose values or derivatives are not finite")
    .addHelpText("after", examples)
    .action(async (file: string, entry: string, argsFile: string, flags: Flags) => {
      assertOneStdin([file, argsFile, flags.cotangent]);
      const source = await readSource(file);
      const imports = new Imports(source);
      const args = await readJson(argsFile);
      const cotangent = flags.cotangent === undefined ? undefined : await readJsonValue(flags.cotangent);
      const options = { load: imports.load, externs: await loadExterns(source, imports.load) };
      const shown = shownValues(source, entry, args, { cotangent, derivatives: true, ...options });
      if (shown.ok) for (const line of shown.value) await printError(`${line}\n`);
      const result = grad(source, entry, args, {
        stage: flags.stage,
        cotangent,
        check: flags.check === true,
        ...options,
      });
      await reportDiagnostics(imports, result.diagnostics);
      if (!result.ok) {
        setExitCode(exitCodes.diagnostics);
        return;
      }
      await printOut(`${printJson(result.value.document)}\n`);
      if (flags.explainNan === true) {
        const explained = explainNaN(source, entry, args, { cotangent, ...options });
        await reportDiagnostics(imports, explained.ok ? explained.value : explained.diagnostics);
        if (explained.ok && explained.value.length === 0)
          await printError("all values and cotangents on the way are finite\n");
        if (!explained.ok) setExitCode(exitCodes.diagnostics);
      }
      await reportDifferences("the gradient", result.value.differences, setExitCode);
    });
}
