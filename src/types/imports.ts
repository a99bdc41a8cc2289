// What a file's imports bring into its scope.

import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import type { Declarations } from "./declarations.js";
import type { Files } from "./files.js";
import type { TypeMistake } from "./mistakes.js";
import type { TopLevel } from "./scope.js";
import { suggest } from "./suggest.js";

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
      const types = declarations.get(target);
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
        const constructorOf = types?.ownData.find(({ info }) => info.constructors.some((each) => each.name === name));
        const isImportedThere = files.importsOf(target).some((each) => each.item.names.some((n) => n.name === name));
        const inPrelude = definitions.get(files.prelude)?.has(name) ?? declarations.get(files.prelude)?.data.has(name);
        mistakes.push({
          kind: "unknownImport",
          name,
          span,
          path: item.path,
          suggestions: suggest(
            name,
            [...defined.keys()].filter((candidate) => isUpper(candidate) === isUpper(name)),
          ),
          constructorOf: constructorOf?.info.name ?? null,
          elsewhere: isImportedThere ? "import" : inPrelude === true ? "prelude" : null,
        });
      }
    }
  }
}

/** The names that a file defines, with their places. */
function placesIn(file: Tree.Module): ReadonlyMap<string, Span> {
  return new Map(
    file.items.flatMap((item): [string, Span][] => {
      if (item.kind === "import") return [];
      const { name, span } = item.kind === "def" ? item.binding.name : item.name;
      return [[name, span]];
    }),
  );
}

function isUpper(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}
