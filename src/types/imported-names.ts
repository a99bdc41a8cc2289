// The names of an import, and what those mean that the other file does not define.

import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import type { Import } from "./files.js";
import { suggest } from "./suggest.js";

/** The names that a file defines, with their places. */
export function placesIn(file: Tree.Module): ReadonlyMap<string, Span> {
  return new Map(
    file.items.flatMap((item): [string, Span][] => {
      if (item.kind === "import" || item.kind === "rule") return [];
      const { name, span } = item.kind === "def" ? item.binding.name : item.name;
      return [[name, span]];
    }),
  );
}

/** The names of a file that look like one that it does not define. */
export function namesLike(name: string, file: Tree.Module): readonly string[] {
  const candidates = [...placesIn(file).keys()].filter((candidate) => isUpper(candidate) === isUpper(name));
  return suggest(name, candidates);
}

/** The data type of a file that has a constructor of this name. */
export function typeWithConstructor(name: string, file: Tree.Module): string | null {
  const item = file.items.find((each) => each.kind === "data" && each.constructors.some((c) => c.name.name === name));
  return item?.kind === "data" ? item.name.name : null;
}

/** What an import's wrong names seem to mean, which is seen as well: what is wrong is told once, at the import. */
export function meantNames({ item, file }: Import): readonly string[] {
  const defined = placesIn(file);
  return item.names.flatMap(({ name }) => {
    if (defined.has(name)) return [];
    const type = typeWithConstructor(name, file);
    return type === null ? namesLike(name, file) : [type];
  });
}

function isUpper(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}
