import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { SourceFile } from "../syntax/source.js";
import { firstInCotangents, firstInValues, type Culprit } from "../trace/explain.js";
import { answer, type Answer } from "./answer.js";
import type { Callable } from "./callable.js";
import { assertCall, assertEntry } from "./options.js";
import { type RunOptions, preludeSource } from "./load-options.js";
import { siteIn } from "./error-sites.js";
import { TracedCall } from "./traced-run.js";

export interface ExplainOptions extends RunOptions {
  /** The cotangent of the result, as for `grad`; left out: 1 for each real number of the result. */
  readonly cotangent?: unknown;
}

/**
 * The first operations that make something that is not finite of finite numbers, as warnings: of the values on the way, and of the reverse sweep.
 * None where there is no such operation.
 */
export function explainNaN(
  source: SourceFile,
  entry: string,
  args: unknown,
  options: ExplainOptions = {},
): Answer<readonly Diagnostic[]> {
  assertCall("explainNaN", source, options, ["cotangent", "externs", "load"]);
  assertEntry("explainNaN", entry);
  const call = TracedCall.of(source, entry, args, options);
  if (!call.ok) return call;
  const traced = call.value.run();
  if (!traced.ok) return traced;
  const run = traced.value;
  const weights = call.value.weights(options.cotangent);
  if (!weights.ok) return weights;
  const value = firstInValues(run, false);
  const nan = firstInValues(run, true);
  const cotangent = firstInCotangents(run, weights.value ?? run.result.map(() => 1));
  const culprits = [value, ...(nan?.operation === value?.operation ? [] : [nan]), cotangent];
  return answer(
    culprits.filter((culprit) => culprit !== null).map((culprit) => diagnosticOf(culprit, call.value.definition)),
    [],
  );
}

const prelude = { ...preludeSource, place: preludeSource.name };

function diagnosticOf({ sweep, site, problem, label }: Culprit, { files, span }: Callable): Diagnostic {
  const place = site === null ? null : siteIn([...files, prelude], `${site.definition} (${site.position}): `);
  const via = site === null || site.via === "" ? [] : [`It happens in \`${site.via}\`, of the prelude.`];
  return {
    code: sweep === "forward" ? "W0601" : "W0602",
    severity: "warning",
    title: problem,
    span: place?.span ?? span,
    label,
    related: [],
    notes: via,
    hint: null,
  };
}
