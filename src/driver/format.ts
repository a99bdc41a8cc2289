import { formatModule } from "../syntax/format.js";
import type { SourceFile } from "../syntax/source.js";
import { answer, type Answer } from "./answer.js";
import { assertCall } from "./options.js";
import { Passes } from "./passes.js";
import { guarded, parse } from "./pipeline.js";

/** A model, laid out. The value is its whole new text; a text that does not parse is not changed. */
export function format(source: SourceFile): Answer<string> {
  assertCall("format", source, {}, []);
  const passes = new Passes(null);
  const tree = parse(source, passes);
  if (!tree.ok) return tree;
  return guarded(source, () =>
    answer(
      passes.run("format", () => formatModule(source, tree.value)),
      tree.diagnostics,
    ),
  );
}
