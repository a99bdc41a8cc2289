import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { SourceFile } from "../syntax/source.js";
import { Passes } from "./passes.js";
import { typeCheck } from "./pipeline.js";

/** What `check` finds. `ok`: there is no error among the diagnostics. */
export interface CheckResult {
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses and type-checks a model. */
export function check(source: SourceFile): CheckResult {
  const { ok, diagnostics } = typeCheck(source, new Passes(null));
  return { ok, diagnostics };
}
