import type { Diagnostic } from "../diagnostics/diagnostic.js";

/** What was asked for, with warnings; or, where there is an error among the diagnostics, the diagnostics alone. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** The answer `value`, unless one of the diagnostics is an error. */
export function answer<T>(value: T, diagnostics: readonly Diagnostic[]): Answer<T> {
  return diagnostics.some((d) => d.severity === "error")
    ? { ok: false, diagnostics }
    : { ok: true, value, diagnostics };
}

export function failure(...diagnostics: readonly Diagnostic[]): Answer<never> {
  return { ok: false, diagnostics };
}
