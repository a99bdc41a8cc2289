import { Command } from "commander";
import type { Answer } from "../driver/answer.js";
import { printJson } from "../driver/json.js";
import * as driver from "../driver/point-derivatives.js";
import { shownValues } from "../driver/shown-values.js";
import type { StageName } from "../driver/stages.js";
import type { SourceFile } from "../syntax/source.js";
import { atPoint, reportDifferences } from "./at-point.js";
import { loadExterns } from "./externs.js";
import { Imports } from "./imports.js";
import { assertOneStdin, jsonArgument, readJson, readSource } from "./input.js";
import { exitCodes, type SetExitCode } from "./exit-code.js";
import { reportDiagnostics } from "./report.js";
import { printError, printOut } from "./streams.js";

interface Flags {
  readonly stage: StageName;
  readonly check?: true;
  readonly tangent?: string;
}

/** What is given to a function of the library. */
interface Given {
  readonly source: SourceFile;
  readonly entry: string;
  readonly args: unknown;
  readonly tangent: unknown;
  readonly options: driver.PointOptions;
}

/** A command that prints derivatives at a point. */
interface Form {
  readonly name: "jvp" | "hvp" | "jacobian" | "hessian";
  readonly description: string;
  /** What finite differences are compared with. */
  readonly compared: string;
  readonly below: "values" | "gradients";
  readonly takesTangent: boolean;
  readonly help: string;
  readonly of: (given: Given) => Answer<driver.PointResult<object>>;
}

const alongHelp = `The tangent is an object by parameter name, each in the shape of the argument, with 0 for integers; parameters without real numbers need none.`;

const forms: readonly Form[] = [
  {
    name: "jvp",
    description: "evaluate a definition and its directional derivative; prints both as JSON",
    compared: "the tangent",
    below: "values",
    takesTangent: true,
    help: `
Examples:
  dualrev jvp model.lam predict args.json --tangent direction.json
  dualrev jvp model.lam loss '{"x": 1, "y": 2}' --tangent '{"x": 1, "y": 0}' --check

${alongHelp}`,
    of: ({ source, entry, args, tangent, options }) => driver.jvp(source, entry, args, tangent, options),
  },
  {
    name: "hvp",
    description: "evaluate a definition, its gradient, and its Hessian times a tangent; prints all as JSON",
    compared: "the Hessian times the tangent",
    below: "gradients",
    takesTangent: true,
    help: `
Examples:
  dualrev hvp model.lam loss args.json --tangent direction.json
  dualrev hvp model.lam loss '{"x": 1, "y": 2}' --tangent '{"x": 1, "y": 0}' --check

${alongHelp}`,
    of: ({ source, entry, args, tangent, options }) => driver.hvp(source, entry, args, tangent, options),
  },
  {
    name: "jacobian",
    description: "evaluate a definition and all its partial derivatives; prints both as JSON",
    compared: "the Jacobian",
    below: "values",
    takesTangent: false,
    help: `
Examples:
  dualrev jacobian model.lam predict args.json
  dualrev jacobian model.lam predict '{"x": 1, "y": 2}' --check

"jacobian" has its rows one after the other: "rows" of them, one for each real number of the result, of "columns" entries, one for each real number of the arguments.`,
    of: ({ source, entry, args, options }) => driver.jacobian(source, entry, args, options),
  },
  {
    name: "hessian",
    description: "evaluate a definition, its gradient and all its second partial derivatives; prints all as JSON",
    compared: "the Hessian",
    below: "gradients",
    takesTangent: false,
    help: `
Examples:
  dualrev hessian model.lam loss args.json
  dualrev hessian model.lam loss '{"x": 1, "y": 2}' --check

"hessian" has its rows one after the other: "size" of them, one for each real number of the arguments, of as many entries.`,
    of: ({ source, entry, args, options }) => driver.hessian(source, entry, args, options),
  },
];

/** The commands `jvp`, `hvp`, `jacobian` and `hessian`. */
export function pointDerivativeCommands(setExitCode: SetExitCode): readonly Command[] {
  return forms.map((form) => pointDerivativeCommand(form, setExitCode));
}

function pointDerivativeCommand(form: Form, setExitCode: SetExitCode): Command {
  const command = atPoint(new Command(form.name)).description(form.description);
  if (form.takesTangent) command.requiredOption("--tangent <json>", `the direction, ${jsonArgument}`);
  return command
    .option("--check", `compare with finite differences of ${form.below}; fail where they differ`)
    .addHelpText("after", form.help)
    .action(async (file: string, entry: string, argsFile: string, flags: Flags) => {
      assertOneStdin([file, argsFile, flags.tangent]);
      const source = await readSource(file);
      const imports = new Imports(source);
      const args = await readJson(argsFile);
      const tangent = flags.tangent === undefined ? undefined : await readJson(flags.tangent);
      const { load } = imports;
      const externs = await loadExterns(source, load);
      const shown = shownValues(source, entry, args, { load, externs });
      if (shown.ok) for (const line of shown.value) await printError(`${line}\n`);
      const options = { stage: flags.stage, check: flags.check === true, load, externs };
      const result = form.of({ source, entry, args, tangent, options });
      await reportDiagnostics(imports, result.diagnostics);
      if (!result.ok) {
        setExitCode(exitCodes.diagnostics);
        return;
      }
      await printOut(`${printJson(result.value.document)}\n`);
      await reportDifferences(form.compared, result.value.differences, setExitCode);
    });
}
