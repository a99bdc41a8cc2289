// Several values as one, so that a function of all of them is one of a single argument: a tuple, unless there is only one.

import * as b from "../core/build.js";
import type { Param, Term } from "../core/term.js";
import type { Type } from "../core/type.js";
import { InternalError } from "../internal-error.js";

export interface Point {
  readonly type: Type;
  /** The value that holds these. */
  of(parts: readonly Term[]): Term;
  /** One of them. */
  part(whole: Term, index: number): Term;
}

export function pointOf(types: readonly Type[]): Point {
  const [only] = types;
  if (types.length !== 1 || only === undefined)
    return {
      type: b.tupleType(...types),
      of: (parts) => b.tuple(...parts),
      part: (whole, index) => b.proj(index, whole),
    };
  const first = ([part]: readonly Term[]): Term => {
    if (part === undefined) throw new InternalError("derivatives", "a point of nothing");
    return part;
  };
  return { type: only, of: first, part: (whole) => whole };
}

/** A body in which these are bound to the parts of a value. */
export function taken(params: readonly Param[], whole: Term, body: Term): Term {
  const point = pointOf(params.map(({ type }) => type));
  return params.reduceRight((rest, { name, type }, index) => b.letIn(name, type, point.part(whole, index), rest), body);
}
