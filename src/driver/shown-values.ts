import type { SourceFile } from "../syntax/source.js";
import { realsOf } from "../trace/machine.js";
import { reverse, type ShownValue, type Traced } from "../trace/tape.js";
import { meaningText, shownNumber } from "../trace/words.js";
import { answer, type Answer } from "./answer.js";
import { assertCall, assertEntry } from "./options.js";
import type { RunOptions } from "./load-options.js";
import { TracedCall } from "./traced-run.js";

export interface ShownOptions extends RunOptions {
  /** Whether the derivatives of what is shown come after the values. */
  readonly derivatives?: boolean;
  /** The cotangent of the result, as for `grad`; 1 for a number where left out. */
  readonly cotangent?: unknown;
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
  assertCall("shownValues", source, options, ["cotangent", "derivatives", "externs", "load"]);
  assertEntry("shownValues", entry);
  const call = TracedCall.of(source, entry, args, options);
  if (!call.ok) return call;
  if (!call.value.definition.usesDebug) return answer([], []);
  const shown: ShownValue[] = [];
  const run = call.value.run((value) => shown.push(value));
  const lines = (all: readonly ShownValue[], what: string, real: (value: Traced) => string): readonly string[] =>
    all.map(
      ({ label, site, meaning }) => `debug ${site?.position ?? ""} "${label}"${what}: ${meaningText(meaning, real)}`,
    );
  const values = lines(shown, "", ({ value }) => shownNumber(value));
  if (!run.ok || options.derivatives !== true) return answer(values, []);
  const weights = call.value.weights(options.cotangent);
  if (!weights.ok) return weights;
  if (weights.value === null) return answer(values, []);
  const { cotangents } = reverse(run.value, weights.value);
  const derivative = ({ id }: Traced): string => (id < 0 ? "0" : shownNumber(cotangents[id] ?? 0));
  return answer(
    [
      ...values,
      ...lines(shown.filter(({ meaning }) => realsOf(meaning).length > 0).toReversed(), ", derivative", derivative),
    ],
    [],
  );
}
