// Loops that count, also where that shows only in another form of them: with the length of an array as a parameter, with what is in front of the test behind it, or both.

import { atomOf, letOf, sameAtom } from "./build.js";
import { counted, type Counted } from "./counted.js";
import { withHeadInside } from "./head-inside.js";
import type { Known } from "./kept-shapes.js";
import { constant, minus, shifted, type Linear } from "./linear.js";
import type { FlatNames } from "./naming.js";
import type { Atom, Stmt } from "./program.js";
import { withLengthCarried } from "./stepping-lengths.js";

type Loop = Stmt & { readonly kind: "loop" };

/** The loop as one that counts, in one form or another; null where it does not. */
export function countedInAnyWay(loop: Loop, names: FlatNames, known: Known): Counted | null {
  const made = countedBy(loop, names, known);
  if (made !== null) return made;
  const otherwise = (fresh: FlatNames): Counted | null => {
    const other = withHeadInside(loop, fresh);
    const byLength = countedByLength(loop, fresh, known);
    if (byLength !== null || other === null) return byLength;
    return countedBy(other, fresh, known) ?? countedByLength(other, fresh, known);
  };
  return otherwise(names.trial()) === null ? null : otherwise(names);
}

/** `formOf`: what is known of integers. */
function countedBy(
  loop: Loop,
  names: FlatNames,
  { ranges, definitions, atom }: Known,
  formOf = (integer: Atom): Linear => ranges.form(atom(integer)),
): Counted | null {
  return counted(loop, definitions, names, (start, limit, step) => {
    const distance = minus(formOf(limit), formOf(start));
    return ranges.proves(step === 1 ? distance : minus(constant(0), distance));
  });
}

/** A loop that ends by the length of an array that it carries. */
function countedByLength(loop: Loop, names: FlatNames, known: Known): Counted | null {
  const { ranges, definitions, atom } = known;
  const carried = withLengthCarried(loop, definitions, names);
  if (carried === null) return null;
  const { length, array, checks } = carried;
  const form = ranges.lengthOf(atom(array));
  const made = ranges.within(() => {
    if (checks.length > 0) ranges.assume(shifted(form, -1));
    return countedBy(carried.loop, names, known, (integer) => sameAtom(integer, atomOf(length)) ? form : ranges.form(atom(integer))); // prettier-ignore
  });
  return made === null ? null : { ...made, before: [letOf(length, { kind: "length", array }), ...made.before, ...checks] }; // prettier-ignore
}
