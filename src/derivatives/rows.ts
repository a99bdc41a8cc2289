// Functions whose results are arrays that are made element by element: `build n (\i. t)`, behind variables that are the same for all elements or cheap. Each element is a
// function of its own then, which a reverse pass goes through alone.

import type { Fn, Term } from "../core/term.js";
import { allTerms } from "../core/traverse.js";
import { freeIn } from "../optimise/term-facts.js";
import { isBinding, withBindings, type Binding } from "../optimise/rewrite.js";
import type { Type } from "../core/type.js";
import type { DualData } from "./dual-data.js";

/** What a function gives, element by element. */
export interface Rows {
  /** What no element computes: it does not depend on what is differentiated. */
  readonly outside: readonly Binding[];
  readonly size: Term;
  readonly index: string;
  readonly element: Type;
  /** An element, with the variables that depend on what is differentiated. */
  readonly body: Term;
}

/** A definition as its elements; null where its result is not made in this way. `isActive`: which of its parameters are differentiated. */
export function rowsOf({ params, body }: Fn, isActive: readonly boolean[], data: DualData): Rows | null {
  const active = new Set(params.filter((_, index) => isActive[index]).map(({ name }) => name));
  const made = new Set<string>();
  const [outside, inside]: [Binding[], Binding[]] = [[], []];
  let term = body;
  for (; isBinding(term); term = term.body) {
    const alone = withBindings([{ ...term, body: unit }], unit);
    // What has no reals, as a length, is the same wherever the derivative is taken
    const isDiscrete = term.kind === "let" && !data.hasReal(term.type);
    if (!dependsOn(alone, isDiscrete ? made : active)) {
      outside.push(term);
      continue;
    }
    if (term.kind === "let" && !isCheap(term.bound)) return null;
    inside.push(term);
    for (const name of term.kind === "let" ? [term.name] : term.functions.map((fn) => fn.name)) {
      active.add(name);
      made.add(name);
    }
  }
  if (term.kind !== "build" || dependsOn(term.size, made)) return null;
  const { size, index, element } = term;
  return { outside, size, index, element, body: withBindings(inside, term.body) };
}

const unit: Term = { kind: "tuple", items: [] };

function dependsOn(term: Term, names: ReadonlySet<string>): boolean {
  const { variables, functions } = freeIn(term);
  return [...variables, ...functions].some((name) => names.has(name));
}

/** Whether each element may compute it again. */
function isCheap(term: Term): boolean {
  return allTerms(term).every(
    ({ kind }) => kind !== "call" && kind !== "app" && kind !== "build" && kind !== "scan" && kind !== "letRec",
  );
}
