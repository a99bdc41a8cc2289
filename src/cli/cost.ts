import { Command } from "commander";
import { cost, costLegend, printCosts } from "../driver/cost.js";
import { drawSeries, drawSeriesSvg, printSeries } from "../driver/cost-chart.js";
import { costOver } from "../driver/cost-over.js";
import { indented } from "../driver/table.js";
import { baseName } from "../syntax/paths.js";
import { writeAtomically } from "./files.js";
import { loadExterns } from "./externs.js";
import { Imports } from "./imports.js";
import { assertOneStdin, jsonArgument, readJson, readSource } from "./input.js";
import { exitCodes, type SetExitCode } from "./exit-code.js";
import { reportDiagnostics } from "./report.js";
import { printOut } from "./streams.js";
import { assertSized, sizesOf } from "./sizes.js";
import { UsageError } from "./usage-error.js";

interface Flags {
  readonly json?: true;
  readonly legend: boolean;
  readonly over?: string;
  readonly svg?: string;
}

const help = `
Columns:
${indented(costLegend())}
The work is that of one value with one pullback; of one directional derivative in the stage forward.

Examples:
  dualrev cost model.lam loss args.json
  dualrev cost model.lam power '{"n": 1, "x": 2}' --over n=1,2,4,8,16
  dualrev cost model.lam dot '{"x": [1], "y": [2]}' --over x,y=10,100,1000,10000 --svg dot.svg`;

export function costCommand(setExitCode: SetExitCode): Command {
  return new Command("cost")
    .description("count the work of every stage on given arguments")
    .argument("<file>", "the model, or - for standard input")
    .argument("<entry>", "the definition")
    .argument("<args>", `its arguments, ${jsonArgument}`)
    .option("--over <sizes>", "count for several sizes, n=1,2,4: of an integer its value, of an array its length")
    .option("--svg <file>", "draw the counts over the sizes")
    .option("--no-legend", "leave out what the columns mean")
    .option("--json", "print one JSON document")
    .addHelpText("after", help)
    .action(async (file: string, entry: string, argsFile: string, flags: Flags) => {
      assertOneStdin([file, argsFile]);
      const over = flags.over === undefined ? null : sizesOf(flags.over);
      if (flags.svg !== undefined && over === null)
        throw new UsageError("--svg draws counts over sizes: it needs --over");
      const source = await readSource(file);
      const imports = new Imports(source);
      const args = await readJson(argsFile);
      const options = { load: imports.load, externs: await loadExterns(source, imports.load) };
      if (over === null) {
        const result = cost(source, entry, args, options);
        await reportDiagnostics(imports, result.diagnostics);
        if (!result.ok) setExitCode(exitCodes.diagnostics);
        else if (flags.json === true) await printOut(`${JSON.stringify(result.value)}\n`);
        else await printOut([printCosts(result.value), ...(flags.legend ? [costLegend()] : [])].join("\n"));
        return;
      }
      assertSized(args, over);
      const result = costOver(source, entry, args, over, options);
      await reportDiagnostics(imports, result.diagnostics);
      if (!result.ok) {
        setExitCode(exitCodes.diagnostics);
        return;
      }
      const series = result.value;
      const name = over.names.join(", ");
      if (flags.svg !== undefined)
        await writeAtomically(flags.svg, drawSeriesSvg(series, name, `${entry} (${baseName(source.name)})`));
      if (flags.json === true) await printOut(`${JSON.stringify(series)}\n`);
      else await printOut([printSeries(series, over.values, name), drawSeries(series, name)].join("\n"));
    });
}
