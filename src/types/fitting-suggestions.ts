// "Did you mean" is said of what would be right in its place: each name that looks alike is tried there, and the program inferred again.

import { pathTo, replaceLast } from "../syntax/edit.js";
import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import { variable } from "./calls.js";
import { placeOf, type TypeMistake } from "./mistakes.js";

/** Programs that are inferred at most: fewer where they are large, whose other suggestions stay as they are. */
const maxTries = 30;
const maxCharacters = 300_000;

/**
 * The mistakes that are told, with those suggestions for unknown variables that make no other mistake in their calls. `found` are the mistakes as inference
 * finds them, without what would mend them; `mistakesOf` infers a changed file.
 */
export function withFittingSuggestions(
  own: Tree.Module,
  mistakes: readonly TypeMistake[],
  found: readonly TypeMistake[],
  mistakesOf: (changed: Tree.Module) => readonly TypeMistake[],
): readonly TypeMistake[] {
  let tries = Math.min(maxTries, Math.floor(maxCharacters / own.span.end));
  const known = new Set(found.map((mistake) => JSON.stringify(mistake)));
  return mistakes.map((mistake) => {
    if (mistake.kind !== "unbound" || mistake.what !== "variable" || mistake.clue !== null) return mistake;
    const inCallOf = ({ call }: Tried): readonly Span[] =>
      found
        .filter((other) => other !== mistake)
        .flatMap((other) => placeOf(other) ?? [])
        .filter((place) => place.start >= call.start && place.end <= call.end);
    const fits = mistake.suggestions.map((name): Fit => {
      const tried = withName(own, mistake.span, name);
      if (tried === null || tries <= 0) return "fits";
      tries -= 1;
      // What was hidden behind the unknown name elsewhere says nothing of this one, nor does what is wrong in an argument anyway
      const inCall = inCallOf(tried);
      const against = mistakesOf(tried.changed).filter((other) => {
        const place = placeOf(other);
        if (place === null || !overlap(place, tried.call) || known.has(JSON.stringify(other))) return false;
        return !inCall.some((each) => overlap(each, place));
      });
      return against.length === 0 ? "fits" : against.every(isOtherNumber) ? "other number" : "does not fit";
    });
    const best = fits.includes("fits") ? "fits" : "other number";
    return { ...mistake, suggestions: mistake.suggestions.filter((_, i) => fits[i] === best) };
  });
}

/** How a name does in the place of another: with an R for a Z in its arguments it is meant all the same where nothing fits better. */
type Fit = "fits" | "other number" | "does not fit";

function overlap(one: Span, other: Span): boolean {
  return one.start < other.end && one.end > other.start;
}

/** Whether a Z stands where an R is expected, or the other way round. */
function isOtherNumber(mistake: TypeMistake): boolean {
  if (mistake.kind !== "mismatch") return false;
  const kinds = [mistake.expected.kind, mistake.found.kind];
  return kinds.includes("real") && kinds.includes("int");
}

interface Tried {
  readonly changed: Tree.Module;
  /** The variable with its arguments. */
  readonly call: Span;
}

/** The file with another name for the variable at a place; null where none stands there. */
function withName(own: Tree.Module, place: Span, name: string): Tried | null {
  for (const [i, item] of own.items.entries()) {
    if (item.kind !== "def") continue;
    const path = pathTo(item.binding.body, place);
    const last = path.at(-1);
    if (last?.kind !== "variable" || last.span.start !== place.start || last.span.file !== place.file) continue;
    const body = replaceLast(path, variable(name, place));
    const changed = { ...own, items: own.items.with(i, { ...item, binding: { ...item.binding, body } }) };
    return { changed, call: callAround(path) };
  }
  return null;
}

/** Where the last expression of a path stands with what it is applied to. */
function callAround(path: readonly Tree.Expr[]): Span {
  let at = path.length - 1;
  for (;;) {
    const [fn, around] = [path[at], path[at - 1]];
    if (around?.kind !== "apply" || around.fn !== fn) break;
    at -= 1;
  }
  return path[at]?.span ?? { file: "", start: 0, end: 0 };
}
