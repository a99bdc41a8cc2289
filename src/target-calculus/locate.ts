// Target terms told where they are from.

import { locate, location, type Location } from "../location.js";
import type { Term } from "./term.js";
import { eachSubterm } from "./traverse.js";

/** A term that has been made of one from there, all of it: parts that know better are done, with what they hold. Variables and literals stand wherever they are used. */
export function locateAll(term: Term, at: Location | undefined): Term {
  if (at === undefined) return term;
  const waiting = [term];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (part[location] !== undefined) continue;
    eachSubterm(part, (inner) => waiting.push(inner));
    if (isMade(part)) locate(part, at);
  }
  return term;
}

function isMade({ kind }: Term): boolean {
  return !["var", "real", "int", "bool", "zero", "impossible"].includes(kind);
}
