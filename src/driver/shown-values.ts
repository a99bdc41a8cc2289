import type { Site } from "../core/term.js";
import type { SourceFile } from "../syntax/source.js";
import { meaningText, shownNumber } from "../trace/words.js";
import { reverse, type ShownValue } from "../trace/tape.js";
import { answer, type Answer } from "./answer.js";
import { callable } from "./callable.js";
import { assertCall, assertEntry } from "./options.js";
import type { LoadOptions } from "./load-options.js";
import { withEarlier } from "./pipeline.js";
import { readArguments, readCotangent } from "./run-failures.js";
import { tracedRun } from "./traced-run.js";
import { realsOf } from "./values.js";

export interface ShownOptions extends LoadOptions {
  /** Whether the derivatives of what is shown come after the values. */
  readonly derivatives?: boolean;
  /** The cotangent of the result, as for `grad`; 1 for a number where left out. */
  readonly cotangent?: unknown;
}

/** Whether a model, or a file that it imports, has a `debug "text"`: what else it is in is no program. */
export function mentionsDebug(texts: readonly string[]): boolean {
  return texts.some((text) => /\bdebug\s+"/.test(text));
}

/**
 * What `debug "text" x` shows in one run of a definition, as lines: values in the order in which they are computed, also of a run that fails then, and their derivatives
 * in the order in which these are known. None for a model without `debug`.
 */
export function shownValues(
  source: SourceFile,
  entry: string,
  args: unknown,
  options: ShownOptions = {},
): Answer<readonly string[]> {
  assertCall("shownValues", source, options, ["cotangent", "derivatives", "load"]);
  assertEntry("shownValues", entry);
  const found = callable(source, entry, "primal", { load: options.load ?? null });
  if (!found.ok) return found;
  const definition = found.value;
  if (!mentionsDebug(definition.files.map(({ text }) => text))) return answer([], []);
  const given = readArguments(definition, args);
  if (!given.ok) return withEarlier(found.diagnostics, given);
  const shown: ShownValue[] = [];
  const run = tracedRun(source, definition, given.value, options.load, (value) => shown.push(value));
  const values = shown.map(
    (value) => `${headOf(value)}: ${meaningText(value.meaning, ({ value: real }) => shownNumber(real))}`,
  );
  if (!run.ok || options.derivatives !== true) return answer(values, []);
  let weights: readonly number[] = [1];
  if (options.cotangent !== undefined) {
    const read = readCotangent(definition, options.cotangent, definition.primal(...given.value));
    if (!read.ok) return withEarlier(found.diagnostics, read);
    weights = realsOf(read.value, definition.result);
  } else if (definition.result.kind !== "real") return answer(values, []);
  const { cotangents } = reverse(run.value, weights);
  const derivative = (id: number): string => (id < 0 ? "0" : shownNumber(cotangents[id] ?? 0));
  const derivatives = [...shown]
    .reverse()
    .map((value) => `${headOf(value)}, derivative: ${meaningText(value.meaning, ({ id }) => derivative(id))}`);
  return answer([...values, ...derivatives], []);
}

function headOf({ label, site }: { readonly label: string; readonly site: Site | null }): string {
  return `debug ${site?.position ?? ""} "${label}"`;
}
