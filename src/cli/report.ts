// What commands tell on standard error: diagnostics, internal errors, times.

import { InternalError } from "../internal-error.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { renderDiagnostics, type TextOf } from "../diagnostics/render.js";
import type { Imports } from "./imports.js";
import { hasColors, printError } from "./streams.js";

/** Prints diagnostics about a model and its imports to standard error; nothing where there are none. */
export async function reportDiagnostics(imports: Imports, diagnostics: readonly Diagnostic[]): Promise<void> {
  await reportIn((file) => imports.textOf(file), diagnostics);
}

/** Prints diagnostics about texts to standard error; nothing where there are none. */
export async function reportIn(textOf: TextOf, diagnostics: readonly Diagnostic[]): Promise<void> {
  const text = renderDiagnostics(diagnostics, textOf, { colors: hasColors(process.stderr) });
  if (text !== "") await printError(text);
}

/** Says why a model without mistakes fails. */
export async function reportDenied(file: string): Promise<void> {
  await printError(`error: ${file} has warnings, and --deny-warnings is given\n`);
}

/** What stands on standard error when dualrev itself is wrong. */
export function internalErrorText(error: unknown, version: string): string {
  const pass = error instanceof InternalError ? error.pass : "driver";
  const detail = error instanceof Error ? [error.message, ...framesOf(error)].join("\n") : String(error);
  return `internal error in the pass \`${pass}\`: this is a bug in dualrev ${version}.\nPlease report it with the program and this text:\n\n${detail}\n`;
}

/** Where an error was thrown: where it was first, if it was thrown again. */
function framesOf(error: Error): readonly string[] {
  if (error.cause instanceof Error) return framesOf(error.cause);
  return (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
}

/** Collects how long passes take, for `--time`. */
export class Times {
  readonly #rows: { readonly pass: string; milliseconds: number }[] = [];

  readonly listen = (pass: string, milliseconds: number): void => {
    const row = this.#rows.find((other) => other.pass === pass);
    if (row === undefined) this.#rows.push({ pass, milliseconds });
    else row.milliseconds += milliseconds;
  };

  /** A table of passes in the order in which they ran. */
  print(): string {
    const total = this.#rows.reduce((sum, row) => sum + row.milliseconds, 0);
    const rows = [...this.#rows, { pass: "total", milliseconds: total }];
    const width = Math.max(...rows.map(({ pass }) => pass.length));
    return rows
      .map(({ pass, milliseconds }) => `${pass.padEnd(width)} ${milliseconds.toFixed(1).padStart(9)} ms\n`)
      .join("");
  }
}
