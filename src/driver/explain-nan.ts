import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { SourceFile } from "../syntax/source.js";
import { firstInCotangents, firstInValues, type Culprit } from "../trace/explain.js";
import type { Run } from "../trace/tape.js";
import { answer, type Answer } from "./answer.js";
import { callable, type Callable } from "./callable.js";
import { assertCall, assertEntry } from "./options.js";
import { type LoadOptions, preludeSource } from "./load-options.js";
import { withEarlier } from "./pipeline.js";
import { readArguments, readCotangent, siteIn } from "./run-failures.js";
import { tracedRun } from "./traced-run.js";
import { realsOf } from "./values.js";

export interface ExplainOptions extends LoadOptions {
  /** The cotangent of the result, as for `grad`; left out: each real number of the result in turn. */
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
  assertCall("explainNaN", source, options, ["cotangent", "load"]);
  assertEntry("explainNaN", entry);
  const load = options.load ?? null;
  const found = callable(source, entry, "primal", { load });
  if (!found.ok) return found;
  const given = readArguments(found.value, args);
  if (!given.ok) return withEarlier(found.diagnostics, given);
  const traced = tracedRun(source, found.value, given.value, load);
  if (!traced.ok) return traced;
  const run = traced.value;
  const weights = weightsOf(found.value, run, given.value, options.cotangent);
  if (!weights.ok) return weights;
  const value = firstInValues(run, false);
  const nan = firstInValues(run, true);
  const cotangent = weights.value.reduce<Culprit | null>((known, each) => known ?? firstInCotangents(run, each), null);
  const culprits = [value, ...(nan?.operation === value?.operation ? [] : [nan]), cotangent];
  return answer(
    culprits.filter((culprit) => culprit !== null).map((culprit) => diagnosticOf(culprit, found.value)),
    [],
  );
}

/** What the reverse sweep begins with, one or several times. */
function weightsOf(
  definition: Callable,
  { result }: Run,
  values: readonly unknown[],
  cotangent: unknown,
): Answer<readonly (readonly number[])[]> {
  if (cotangent === undefined)
    return answer(
      result.map((_, i) => result.map((_, j) => (i === j ? 1 : 0))),
      [],
    );
  const read = readCotangent(definition, cotangent, definition.primal(...values));
  return read.ok ? answer([realsOf(read.value, definition.result)], []) : read;
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
