// What a file's imports bring into its scope.

import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import type { Declarations } from "./declarations.js";
import type { Files } from "./files.js";
import { namesLike, placesIn, typeWithConstructor } from "./imported-names.js";
import type { TypeMistake } from "./mistakes.js";
import type { TopLevel } from "./scope.js";

/**
 * Looks at every name of every import: it must exist in the other file, come once, and not be defined in the importing file as well.
 */
export function checkImports(
  files: Files,
  definitions: ReadonlyMap<Tree.Module, TopLevel>,
  declarations: ReadonlyMap<Tree.Module, Declarations>,
  mistakes: TypeMistake[],
): void {
  for (const file of files.user) {
    const own = placesIn(file);
    const imported = new Map<string, Span>();
    for (const { item, file: target } of files.importsOf(file)) {
      const defined = placesIn(target);
      for (const { name, span } of item.names) {
        const earlier = imported.get(name);
        const other = own.get(name);
        if (defined.has(name)) {
          if (earlier !== undefined) {
            mistakes.push({ kind: "duplicate", what: "imported name", name, span, first: earlier });
          } else if (other !== undefined) {
            mistakes.push({ kind: "importClash", name, span, defined: other });
          } else imported.set(name, span);
          continue;
        }
        const isImportedThere = files.importsOf(target).some((each) => each.item.names.some((n) => n.name === name));
        const inPrelude = definitions.get(files.prelude)?.has(name) ?? declarations.get(files.prelude)?.data.has(name);
        mistakes.push({
          kind: "unknownImport",
          name,
          span,
          path: item.path,
          suggestions: namesLike(name, target),
          constructorOf: typeWithConstructor(name, target),
          elsewhere: isImportedThere ? "import" : inPrelude === true ? "prelude" : null,
        });
      }
    }
  }
}
