import type { SourceFile } from "../syntax/source.js";
import { answer, type Answer } from "./answer.js";
import { callable } from "./callable.js";
import { assertCall, assertEntry } from "./options.js";
import type { RunOptions } from "./load-options.js";
import { withEarlier } from "./pipeline.js";
import { readArguments, running } from "./run-failures.js";

/**
 * The value of a definition. `args` is an object by parameter name, of plain values as in JSON ("NaN", "Infinity" and "-Infinity" may stand
 * for numbers). The result is a value as emitted modules have it.
 */
export function run(source: SourceFile, entry: string, args: unknown, options: RunOptions = {}): Answer<unknown> {
  assertCall("run", source, options, ["externs", "load"]);
  assertEntry("run", entry);
  const found = callable(source, entry, "primal", { load: options.load ?? null, externs: options.externs ?? null });
  if (!found.ok) return found;
  const given = readArguments(found.value, args);
  if (!given.ok) return withEarlier(found.diagnostics, given);
  const value = running(found.value, () => found.value.primal(...given.value));
  return withEarlier(found.diagnostics, value.ok ? answer(value.value, []) : value);
}
