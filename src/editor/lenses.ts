// What can be shown of the exported definitions of a file.

import type { Analysis } from "../driver/analyse.js";
import { exportsOf } from "../elaborate/elaborate.js";
import type { Span } from "../syntax/source.js";

export interface Lens {
  readonly span: Span;
  readonly definition: string;
  /** Without parameters it has no gradient. */
  readonly isConstant: boolean;
}

/** The definitions that a compiled module exports; none while the file has errors. */
export function lensesOf(analysis: Analysis): readonly Lens[] {
  if (analysis.diagnostics().some(({ severity }) => severity === "error")) return [];
  const { exported } = exportsOf(analysis.typed);
  return exported.map(({ binding }) => ({
    span: binding.nameSpan,
    definition: binding.sourceName,
    isConstant: binding.params.length === 0,
  }));
}
