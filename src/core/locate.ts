// Core terms told where they are from.

import { inPlaceOf, locate, location, type Location } from "../location.js";
import { isAtom } from "./build.js";
import type { Fn, Term } from "./term.js";
import { allTerms } from "./traverse.js";

/** A term that gives its value there: what it binds first is told of its place by who has made it. Atoms stand wherever they are used. */
export function locateValue(term: Term, at: Location | undefined): Term {
  if (at === undefined) return term;
  let value = term;
  while (value.kind === "let" || value.kind === "letRec") value = value.body;
  if (!isAtom(value)) locate(value, at);
  return term;
}

/** A term that has been made anew, all of it, there: in the place of a call, say. Its parts may know better. */
export function locateAll(term: Term, at: Location | undefined): Term {
  if (at === undefined) return term;
  for (const part of allTerms(term)) if (part[location] === undefined && part.kind !== "let" && !isAtom(part)) locate(part, at); // prettier-ignore
  return term;
}

/** A function that has been made of another one. */
export function locatedFn(fn: Fn, of: Fn): Fn {
  locateAll(fn.body, of[location]);
  return inPlaceOf(fn, of);
}
