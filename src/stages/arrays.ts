// Arrays element by element: what Interleave, Deinterleave and their relatives do at [T] (KR22 §8.3: D[[T]] = [D[T]]).

import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import type { Term } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";

/** `let x = s in t`; no `let` where s is a variable. */
export function nameIt(s: Term, type: Type, names: Names, t: (x: Term) => Term): Term {
  if (b.isAtom(s)) return t(s);
  const x = names.fresh("x");
  return b.letIn(x, type, s, t(b.variable(x)));
}

/**
 * `build (length x) (\i. f (x ! i) i)`, from an array with elements of one type to one of another; `x` and what f gets are atoms, or
 * elements of which one use is made. f may give a computation.
 */
export function mapArray(x: Term, from: Type, to: Type, names: Names, f: (element: Term, i: Term) => Term): Term {
  const i = names.fresh("k");
  const at = b.indexOf(x, b.variable(i));
  const element = isScalar(from) ? at : b.variable(names.fresh("x"));
  const mapped = f(element, b.variable(i));
  if (mapped === element) return x;
  const body = isScalar(from) ? mapped : b.letIn(b.nameOf(element, "x"), from, at, mapped);
  return b.build(b.length(x), i, to, body);
}

/** `build (length ps) (\i. (ps ! i).part)`. */
export function partOfEach(ps: Term, part: number, type: Type, names: Names): Term {
  const i = names.fresh("k");
  return b.build(b.length(ps), i, type, b.proj(part, b.indexOf(ps, b.variable(i))));
}

/** `sum (length x) (\i. f (x ! i) i)` in the monoid at `type`. */
export function sumOverArray(
  type: Type,
  x: Term,
  element: Type,
  names: Names,
  f: (element: Term, i: Term) => Term,
): Term {
  const i = names.fresh("k");
  const at = b.indexOf(x, b.variable(i));
  const body = nameElement(at, element, names, (atom) => f(atom, b.variable(i)));
  return b.sumOver(type, b.length(x), i, body);
}

/** `let x = s in t`; no `let` for a scalar, which is used once. */
export function nameElement(s: Term, type: Type, names: Names, t: (x: Term) => Term): Term {
  return isScalar(type) ? t(s) : nameIt(s, type, names, t);
}

function isScalar({ kind }: Type): boolean {
  return kind === "real" || kind === "int" || kind === "bool" || kind === "opaque";
}

/** A type that the translation leaves as it is, and whose cotangents are zero: Z, Bool, arrays of these. */
export function isDiscrete(type: Type): boolean {
  return type.kind === "array" ? isDiscrete(type.element) : type.kind === "int" || type.kind === "bool";
}
