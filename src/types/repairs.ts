// Hints that are tried before they are given: the program is changed where the mistake is, and inferred again. Only where that mends the mistake, and
// makes no other one, the change is told.

import { pathTo, replaceLast } from "../syntax/edit.js";
import { wholeText } from "../syntax/sketch.js";
import type * as Tree from "../syntax/tree.js";
import { attemptsFor } from "./attempts.js";
import { type Attempt, isIn } from "./calls.js";
import { unknownName } from "./lambda-attempts.js";
import { placeOf, type TypeMistake } from "./mistakes.js";
import { wholeAnnotations } from "./whole-annotations.js";

/** Programs that are inferred at most, in all and for one mistake: fewer where they are large. */
const maxTries = 100;
const maxTriesEach = 40;
const maxCharacters = 300_000;

/**
 * The mistakes of the file `own` with what would mend them; without those that are gone with another one. `mistakesOf` infers the names and types of a
 * changed file.
 */
export function repaired(
  own: Tree.Module,
  mistakes: readonly TypeMistake[],
  mistakesOf: (changed: Tree.Module) => readonly TypeMistake[],
): readonly TypeMistake[] {
  const known = new Set(mistakes.map(keyOf));
  let tries = Math.min(maxTries, Math.floor(maxCharacters / own.span.end));
  /** The mistakes that an attempt leaves; null where it does not mend this one, makes others, or has some in what it shows. */
  const leaves = ({ path, changed }: ChangedProgram, mistake: TypeMistake): ReadonlySet<string> | null => {
    tries -= 1;
    const after = mistakesOf(changed).filter(isTold);
    const shown = path.at(-1);
    if (after.some((other) => isIn(placeOf(other), shown))) return null;
    const keys = new Set(after.map(keyOf));
    return keys.has(keyOf(mistake)) || [...keys].some((key) => !known.has(key)) ? null : keys;
  };
  const open = new Set(mistakes);
  /** Takes out what is gone with a mistake that is mended. */
  const close = (after: ReadonlySet<string>): readonly TypeMistake[] => {
    const gone = [...open].filter((other) => isInferred(other) && !after.has(keyOf(other)));
    for (const other of gone) open.delete(other);
    return gone;
  };
  /** What is told in the place of the first of the mistakes that follow from it. */
  const instead = new Map<TypeMistake, TypeMistake>();
  for (const { changed, tells } of mistakes.some(isInferred) ? wholeAnnotations(own) : []) {
    if (tries <= 0) break;
    tries -= 1;
    const after = new Set(mistakesOf(changed).map(keyOf));
    if ([...after].some((key) => !known.has(key))) continue;
    const [first] = close(after);
    if (first !== undefined) instead.set(first, tells);
  }
  return mistakes.flatMap((mistake) => {
    const told = instead.get(mistake);
    if (told !== undefined) return [told];
    if (!open.has(mistake)) return [];
    let found: { readonly attempt: Attempt; readonly after: ReadonlySet<string> } | null = null;
    const last = tries - maxTriesEach;
    for (const attempt of attemptsIn(own, mistake)) {
      if (tries <= Math.max(0, last)) break;
      if (found !== null && found.attempt.rank !== attempt.rank) break;
      const after = leaves(attempt, mistake);
      if (after === null) continue;
      if (found !== null) return [mistake];
      found = { attempt, after };
      if (attempt.rank === null) break;
    }
    if (found === null) return [mistake];
    const { attempt, after } = found;
    return [withRepair(mistake, attempt, close(after).length)];
  });
}

/** The file as an attempt changes it. */
interface ChangedProgram extends Attempt {
  readonly changed: Tree.Module;
}

/** All that is said of a mistake: another one at the same place is another one. */
function keyOf(mistake: TypeMistake): string {
  return JSON.stringify(mistake);
}

/** Whether inference alone finds a mistake: what it does not find in a changed program may be there all the same. */
function isInferred(mistake: TypeMistake): boolean {
  switch (mistake.kind) {
    case "notExhaustive":
    case "redundantBranch":
    case "variableForConstructor":
    case "matchTooComplex":
    case "typeTooLarge":
      return false;
    default:
      return true;
  }
}

/** The variable that means nothing is no mistake of the program. */
function isTold(mistake: TypeMistake): boolean {
  return mistake.kind !== "unbound" || mistake.name !== unknownName;
}

function withRepair(mistake: TypeMistake, { tells, path, replacement }: Attempt, mends: number): TypeMistake {
  if (tells.kind === "lambdaParameters") return tells;
  const change = { span: path.at(-1)?.span ?? replacement.span, text: wholeText(replacement) };
  return "repair" in mistake ? { ...mistake, repair: { ...tells, change, mends } } : mistake;
}

/** The changed programs, each made when it is asked for. */
function* attemptsIn(own: Tree.Module, mistake: TypeMistake): Generator<ChangedProgram> {
  const place = placeOf(mistake);
  if (place === null || !("repair" in mistake)) return;
  const data = own.items.filter((item) => item.kind === "data");
  for (const [i, item] of own.items.entries()) {
    if (item.kind !== "def") continue;
    const { binding } = item;
    for (const attempt of attemptsFor(mistake, pathTo(binding.body, place), data)) {
      const changed = { ...item, binding: { ...binding, body: replaceLast(attempt.path, attempt.replacement) } };
      yield { ...attempt, changed: { ...own, items: own.items.with(i, changed) } };
    }
  }
}
