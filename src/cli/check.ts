import { Command } from "commander";
import { sortDiagnostics, toJson } from "../diagnostics/render.js";
import { check } from "../driver/check.js";
import { checkRules } from "../driver/check-rules.js";
import { signatures, type Signature } from "../driver/signatures.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { forEachFile } from "./each-file.js";
import { loadExterns } from "./externs.js";
import { exitCodes, type SetExitCode } from "./exit-code.js";
import { Imports } from "./imports.js";
import { assertOneStdin, readJson } from "./input.js";
import { reportDenied, reportDiagnostics } from "./report.js";
import { printError, printOut } from "./streams.js";
import type { SourceFile } from "../syntax/source.js";
import { UsageError } from "./usage-error.js";

interface Flags {
  readonly json?: true;
  readonly types?: true;
  readonly denyWarnings?: true;
  readonly rules?: string;
}

export function checkCommand(setExitCode: SetExitCode): Command {
  return new Command("check")
    .description("parse and type-check models")
    .argument("<files...>", "models, or - for standard input")
    .option("--types", "print each definition with its type, its documentation, and why it is not exported")
    .option("--deny-warnings", "fail where there are warnings")
    .option(
      "--rules <json>",
      "compare rules with their definitions' own derivatives, and with finite differences: by definition its arguments, in a file, on standard input (-), or written here",
    )
    .option("--json", "print to standard output, one JSON object on each line")
    .action(async (files: readonly string[], flags: Flags) => {
      assertOneStdin([...files, flags.rules]);
      const rules = flags.rules === undefined ? null : byDefinition(await readJson(flags.rules));
      const code = await forEachFile(files, async (source) => {
        const imports = new Imports(source);
        const { ok, diagnostics, found } = checked(source, imports, flags.types === true);
        if (flags.json === true) {
          const texts = (path: string) => imports.textOf(path);
          const mistakes = sortDiagnostics(diagnostics).map((d) => toJson(d, texts));
          const lines = [...mistakes, ...found].map((each) => `${JSON.stringify(each)}\n`);
          if (lines.length > 0) await printOut(lines.join(""));
        } else {
          await reportDiagnostics(imports, diagnostics);
          if (found.length > 0) await printOut(found.map(printSignature).join("\n"));
        }
        if (!ok || (rules !== null && !(await agree(source, imports, rules)))) return exitCodes.diagnostics;
        if (flags.denyWarnings !== true || diagnostics.length === 0) return exitCodes.ok;
        await reportDenied(source.name);
        return exitCodes.diagnostics;
      });
      setExitCode(code);
    });
}

/** Arguments by the name of the definition. */
function byDefinition(document: unknown): Readonly<Record<string, unknown>> {
  if (typeof document !== "object" || document === null || Array.isArray(document))
    throw new UsageError("--rules expects a JSON object: by the name of each definition its arguments");
  return { ...document };
}

/** Prints what rules say otherwise; whether there is nothing. */
async function agree(source: SourceFile, imports: Imports, args: Readonly<Record<string, unknown>>): Promise<boolean> {
  const externs = await loadExterns(source, imports.load);
  const result = checkRules(source, args, { load: imports.load, externs });
  await reportDiagnostics(imports, result.ok ? [] : result.diagnostics);
  if (!result.ok) return false;
  const wrong = result.value.flatMap(({ definition, fromText, fromDifferences }) =>
    [...fromText, ...fromDifferences].map((line) => `error: the rule for \`${definition}\`: ${line}\n`),
  );
  if (wrong.length > 0) await printError(wrong.join(""));
  return wrong.length === 0;
}

interface Checked {
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly found: readonly Signature[];
}

function checked(source: Imports["source"], { load }: Imports, hasTypes: boolean): Checked {
  if (!hasTypes) return { ...check(source, { load }), found: [] };
  const { ok, diagnostics, ...rest } = signatures(source, { load });
  return { ok, diagnostics, found: "value" in rest ? rest.value : [] };
}

/** `--- doc`, `name : type`, and what else there is to say. */
function printSignature({ name, type, numeric, doc, reason }: Signature): string {
  const lines = doc === "" ? [] : doc.split("\n").map((line) => `--- ${line}`.trimEnd());
  const where = numeric.length === 0 ? "" : `    (${numeric.join(", ")}: R or Z)`;
  const notExported = reason === null ? [] : [`  not exported: ${reason}`];
  return [...lines, `${name} : ${type}${where}`, ...notExported].map((line) => `${line}\n`).join("");
}
