import type { Fn } from "../core/term.js";
import { contentsOf } from "../optimise/term-facts.js";

/** How definitions are found by their names. */
export interface Definitions {
  readonly definition: (name: string) => Fn;
  readonly isDefinition: (name: string) => boolean;
}

/** Whether a definition is a wanted one, or comes to one by what it calls. */
export function comesTo(
  start: string,
  isWanted: (name: string) => boolean,
  { definition, isDefinition }: Definitions,
): boolean {
  const seen = new Set([start]);
  for (const name of seen) {
    if (isWanted(name)) return true;
    for (const callee of contentsOf(definition(name).body).calls.keys()) if (isDefinition(callee)) seen.add(callee);
  }
  return false;
}
