// Programs may be long chains of bindings: passes follow them in a loop, not by recursion.

import type * as Source from "../core/term.js";
import { inPlaceOf, location } from "../location.js";
import { locateAll } from "../target-calculus/locate.js";
import type { Term } from "../target-calculus/term.js";

export type Binding = Source.Term & { readonly kind: "let" | "letRec" };

/** Translates the bindings at the top of a term, outermost first, each to what is put around the translation of its body; then the rest. All is from where it was. */
export function alongBindings(
  start: Source.Term,
  binding: (term: Binding) => (body: Term) => Term,
  rest: (term: Exclude<Source.Term, Binding>) => Term,
): Term {
  const around: ((body: Term) => Term)[] = [];
  let term = start;
  while (term.kind === "let" || term.kind === "letRec") {
    const [whole, wrap] = [term, binding(term)];
    around.push((body) => inPlaceOf(wrap(body), whole));
    term = term.body;
  }
  return around.reduceRight((body, wrap) => wrap(body), locateAll(rest(term), term[location]));
}
