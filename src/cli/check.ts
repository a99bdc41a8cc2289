import { Command } from "commander";
import { sortDiagnostics, toJson } from "../diagnostics/render.js";
import { check } from "../driver/check.js";
import { forEachFile } from "./each-file.js";
import { exitCodes, type SetExitCode } from "./exit-code.js";
import { Imports } from "./imports.js";
import { reportDiagnostics } from "./report.js";
import { printOut } from "./streams.js";

export function checkCommand(setExitCode: SetExitCode): Command {
  return new Command("check")
    .description("parse and type-check models")
    .argument("<files...>", "models, or - for standard input")
    .option("--json", "print diagnostics to standard output, one JSON object on each line")
    .action(async (files: readonly string[], flags: { readonly json?: true }) => {
      const code = await forEachFile(files, async (source) => {
        const imports = new Imports(source);
        const { ok, diagnostics } = check(source, { load: imports.load });
        if (flags.json === true) {
          const texts = (path: string) => imports.textOf(path);
          const lines = sortDiagnostics(diagnostics).map((d) => `${JSON.stringify(toJson(d, texts))}\n`);
          if (lines.length > 0) await printOut(lines.join(""));
        } else {
          await reportDiagnostics(imports, diagnostics);
        }
        return ok ? exitCodes.ok : exitCodes.diagnostics;
      });
      setExitCode(code);
    });
}
