// What is right in a model, and probably not meant. In a module of its own, which a page that takes gradients alone is not given.

import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { explainLint } from "../diagnostics/explain-lint.js";
import { exportableNames } from "../elaborate/elaborate.js";
import { lint } from "../lint/lint.js";
import type { SourceFile } from "../syntax/source.js";
import { Passes } from "./passes.js";
import { preludeModule, type CheckedModule } from "./pipeline.js";

/** What is right in a model, and probably not meant, as warnings; not where they have been `told` of something. `entries`: definitions that are asked for. */
export function warningsOf(
  { tree, typed, files }: Pick<CheckedModule, "tree" | "typed" | "files">,
  source: SourceFile,
  told: readonly Diagnostic[],
  entries: readonly string[] = [],
): readonly Diagnostic[] {
  const imported = files.slice(1).map((file) => file.tree);
  const prelude = preludeModule(new Passes(null));
  const exported = new Set([...exportableNames(typed), ...entries]);
  const found = lint({ tree, text: source.text, imported, prelude, exported });
  // One thing is enough to be told of a place
  const places = new Set(told.map(({ span }) => span.start));
  return found.filter(({ span }) => !places.has(span.start)).map(explainLint);
}
