import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { SourceFile } from "../syntax/source.js";
import { assertCall } from "./options.js";
import { Passes } from "./passes.js";
import type { LoadOptions } from "./load-options.js";
import { mistakesInDerivatives, typeCheck } from "./pipeline.js";
import { warningsOf } from "./warnings.js";

/** What `check` finds. `ok`: there is no error among the diagnostics. */
export interface CheckResult {
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses and type-checks a model, and what it imports, with derivatives and rules in it; warns of what is right in the model, and probably not meant. */
export function check(source: SourceFile, options: LoadOptions = {}): CheckResult {
  assertCall("check", source, options, ["load"]);
  const checked = typeCheck(source, new Passes(null), options.load ?? null);
  const { diagnostics } = checked;
  if (!checked.ok) return { ok: false, diagnostics };
  const derivatives = mistakesInDerivatives(checked.value, source);
  const all = [...diagnostics, ...warningsOf(checked.value, source, diagnostics), ...derivatives];
  return { ok: derivatives.length === 0, diagnostics: all };
}
