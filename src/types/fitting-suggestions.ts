// "Did you mean" is said of what would be right in its place: each name that looks alike is tried there, and the program inferred again.

import { pathTo, replaceLast } from "../syntax/edit.js";
import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import { variable } from "./calls.js";
import { placeOf, type TypeMistake } from "./mistakes.js";

/** Programs that are inferred at most: fewer where they are large, whose other suggestions stay as they are. */
const maxTries = 30;
const maxCharacters = 300_000;

/** The mistakes, with those suggestions for unknown variables that make no other mistake. `mistakesOf` infers a changed file. */
export function withFittingSuggestions(
  own: Tree.Module,
  mistakes: readonly TypeMistake[],
  mistakesOf: (changed: Tree.Module) => readonly TypeMistake[],
): readonly TypeMistake[] {
  let tries = Math.min(maxTries, Math.floor(maxCharacters / own.span.end));
  const known = new Set(mistakes.map((mistake) => JSON.stringify(mistake)));
  return mistakes.map((mistake) => {
    if (mistake.kind !== "unbound" || mistake.what !== "variable" || mistake.clue !== null) return mistake;
    const suggestions = mistake.suggestions.filter((name) => {
      const tried = withName(own, mistake.span, name);
      if (tried === null || tries <= 0) return true;
      tries -= 1;
      // What was hidden behind the unknown name elsewhere says nothing of this one
      const isOfCall = (other: TypeMistake): boolean => {
        const place = placeOf(other);
        return place !== null && place.start < tried.call.end && place.end > tried.call.start;
      };
      return !mistakesOf(tried.changed).some((other) => isOfCall(other) && !known.has(JSON.stringify(other)));
    });
    return { ...mistake, suggestions };
  });
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
