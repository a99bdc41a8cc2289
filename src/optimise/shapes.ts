// What terms are but for the names of their own variables, and for where they fail: two of the same shape have the same type, and the same value wherever both
// are evaluated.

import { isShown } from "../core/primitives.js";
import type { Term } from "../core/term.js";
import { allTerms } from "../core/traverse.js";
import { writtenOut } from "../key.js";
import { copyTerm } from "./copy.js";
import { sizeOf } from "./term-facts.js";

/** Larger terms have no shape, so that all of a program takes time in proportion to it. */
const largest = 256;

/** The shape of a term; null of one that shows something when it is evaluated, or is too large. `free` tells what a variable from outside stands for. */
export function shapeOf(term: Term, free: (name: string) => number): string | null {
  if (sizeOf(term, largest) > largest) return null;
  if (allTerms(term).some((part) => part.kind === "op" && isShown(part.op))) return null;
  const own = new Set<string>();
  const fresh = (): string => {
    const name = `#${own.size}`;
    own.add(name);
    return name;
  };
  return JSON.stringify(copyTerm(term, { fresh }), (key, part: unknown) => {
    if (key === "site") return undefined;
    return isVariable(part) && !own.has(part.name) ? free(part.name) : writtenOut(part);
  });
}

function isVariable(part: unknown): part is Term & { readonly kind: "var" } {
  return typeof part === "object" && part !== null && "kind" in part && part.kind === "var";
}
