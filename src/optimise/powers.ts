// Strength reduction.
//
// Powers with small exponents are products, by squares and cubes: a general power takes many times as long, and so does its derivative.
//
//   x ^ 6    =>  (x ^ 2) ^ 3              x ^ 5   =>  x ^ 4 * x
//   x ^ -2   =>  (1 / x) ^ 2              pow x 3.0  =>  x ^ 3
//
// Of 1 / x ^ n the derivative would be a quotient of what may be too large, where x ^ -n is not. The factors of (1 / x) ^ n are infinite where x is zero: as
// of x ^ -n, a cotangent of zero contributes nothing.

import * as b from "../core/build.js";
import type { Names } from "../core/names.js";
import type { Program, Term } from "../core/term.js";
import { mapDefinitions, rewriteUp, withBody } from "./rewrite.js";

/** Larger ones lose digits. */
const largest = 32;

export function expandPowers(program: Program, names: Names): Program {
  const expanded = (term: Term): Term => {
    const [base, exponent] = term.kind === "op" && (term.op === "powInt" || term.op === "pow") ? term.args : [];
    const isLiteral = exponent?.kind === "int" || exponent?.kind === "real";
    if (base === undefined || !isLiteral || !isSmall(exponent.value)) return term;
    return term.kind === "op" && term.op === "powInt" && isPlain(exponent.value)
      ? term
      : power(base, exponent.value, names);
  };
  return mapDefinitions(program, (fn) => withBody(fn, rewriteUp(fn.body, expanded)));
}

function isSmall(exponent: number): boolean {
  return Number.isInteger(exponent) && exponent !== 0 && Math.abs(exponent) <= largest;
}

/** A square or a cube. */
function isPlain(exponent: number): boolean {
  return exponent === 2 || exponent === 3;
}

function power(base: Term, exponent: number, names: Names): Term {
  if (exponent < 0) return guarded(power(b.op("div", [b.realLit(1), base], null), -exponent, names));
  if (exponent === 1) return base;
  if (isPlain(exponent)) return b.op("powInt", [base, b.intLit(exponent)], null);
  const factor = [3, 2].find((divisor) => exponent % divisor === 0);
  if (factor !== undefined) return power(power(base, exponent / factor, names), factor, names);
  const times = (x: Term): Term => b.op("mul", [power(x, exponent - 1, names), x], null);
  if (b.isAtom(base)) return times(base);
  const name = names.fresh("base");
  return b.letIn(name, b.real, base, times(b.variable(name)));
}

/** The operations of a power of a reciprocal, all but the reciprocal itself. */
function guarded(term: Term): Term {
  if (term.kind === "let") return { ...term, body: guarded(term.body) };
  if (term.kind !== "op" || (term.op !== "powInt" && term.op !== "mul")) return term;
  return { ...term, args: term.args.map(guarded), isGuarded: true };
}
