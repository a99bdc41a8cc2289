import type { Fn } from "../core/term.js";
import { contentsOf } from "../optimise/term-facts.js";

/** How definitions are found by their names. */
export interface Definitions {
  readonly definition: (name: string) => Fn;
  readonly isDefinition: (name: string) => boolean;
}

/** A definition, and all that it comes to by what it calls, each once. */
export function* reachedFrom(start: string, { definition, isDefinition }: Definitions): Generator<string> {
  const seen = new Set([start]);
  for (const name of seen) {
    yield name;
    for (const callee of contentsOf(definition(name).body).calls.keys()) if (isDefinition(callee)) seen.add(callee);
  }
}

/** Whether a definition is a wanted one, or comes to one by what it calls. */
export function comesTo(start: string, isWanted: (name: string) => boolean, definitions: Definitions): boolean {
  for (const name of reachedFrom(start, definitions)) if (isWanted(name)) return true;
  return false;
}
