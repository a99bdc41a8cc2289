// Random operations: on reals, integers and Booleans.

import { opNames, primitive, type OpName } from "../../src/core/primitives.js";
import { pick, weighted } from "./random-dice.js";
import { share, type Maker, type Production, type Scope } from "./random-scope.js";
import { showing, term, tight, type Term } from "./random-terms.js";
import * as T from "./random-types.js";
import type { Type } from "./random-types.js";

/** Smooth functions on all of R that neither grow nor shrink fast: the text around the holes `_`. */
const smoothFunctions: readonly string[] = [
  ...opNames.flatMap(withinDomain),
  "sin _", "cos _", "tanh _", "atan _", "sigmoid _", "softplus _", "erf _", "-_", "_ * _", "_ + _", "_ - _", "_ * _", "_ + _", "_ * sin _", "_ * cos _ + _", "tanh _ * _ - _",
  "log (1 + _ ^ 2)", "log1p (_ ^ 2)", "sqrt (1 + _ ^ 2)", "_ / (1 + _ ^ 2)", "exp (sin _)", "expm1 (tanh _)", "tan (0.7 * sin _)",
  "asin (0.9 * sin _)", "acos (0.9 * cos _)", "atan2 _ (2 + sin _)", "asinh _", "acosh (1.5 + _ ^ 2)", "atanh (0.9 * sin _)", "sinh (tanh _)", "cosh (tanh _)", "pow (1.5 + sin _) (tanh _)",
  "lgamma (1.5 + sigmoid _)", "_ ^ 2", "(1.5 + cos _) ^ 3", "(2 + sin _) ^ (-1)", "(\\s. s * s - s) _",
  // With kinks: the interpreter says how far away the nearest is.
  "abs _", "relu _", "min _ _", "max _ _", "_ * sign _",
]; // prettier-ignore

/** A function of reals that the table of primitives has, of arguments where it is smooth. */
function withinDomain(name: OpName): readonly string[] {
  const { source, params, result, domain } = primitive(name);
  if (source === null || !/^[a-z]/.test(source) || result !== "R" || !params.includes("R")) return [];
  const args = domain.map((bounds, index) => {
    const [low, high] = bounds ?? [0, 0];
    const middle = (low + high) / 2;
    return params[index] === "R"
      ? `(${String(middle)} + ${String((high - low) / 2)} * sin _)`
      : String(Math.ceil(middle));
  });
  return [[source, ...args].join(" ")];
}

const integerFunctions: readonly (readonly [string, Type])[] = [
  ["mod (_ + _) 7", T.integer], ["mod (_ * _ - _) 5", T.integer], ["abs _", T.integer], ["min _ _", T.integer],
  ["max _ _", T.integer], ["div _ 3", T.integer], ["mod (-_) 4", T.integer], ["mod _ 3 ^ 2", T.integer],
  ["floor (3 * tanh _)", T.real], ["round (3 * sin _)", T.real], ["truncate (3 * cos _)", T.real],
]; // prettier-ignore

const singularTexts: readonly string[] = [
  "1 / (_ - _)", "log (_ - _)", "sqrt (_ - _)", "pow (_ - _) 0.5", "asin (1 + _ - _)", "lgamma (_ - _)", "(_ - _) ^ (-2)", "log (-1 - _ ^ 2)", "sqrt (-1 - _ * _)",
]; // prettier-ignore

/** Integer operations that fail where their second argument is 0 or the first not finite. */
const failingFunctions: readonly (readonly [string, Type])[] = [["mod _ _", T.integer], ["div _ _", T.integer], ["_ ^ _", T.integer], ["floor (1 / _)", T.real]]; // prettier-ignore

/** `text` with a term of type `from` at each `_`. */
export function fill(maker: Maker, type: Type, text: string, from: Type, scope: Scope, fuel: number): Term {
  const texts = text.split("_");
  return term(type, texts.flatMap((piece, i) =>
    i === 0 ? [piece] : [tight(maker.term(from, scope, share(maker, fuel, texts.length - 1))), piece],
  )); // prettier-ignore
}

export const realOperation: Production = (maker, _, scope, fuel) => {
  return weighted(maker.dice, [
    [12, () => fill(maker, T.real, pick(maker.dice, smoothFunctions), T.real, scope, fuel)],
    [1, () => fill(maker, T.real, "toReal _", T.integer, scope, fuel)],
    [1, () => fill(maker, T.real, "listSum _", T.listOf(T.real), scope, fuel)],
    [1, () => power(maker, scope, fuel)],
  ]);
};

export const integerOperation: Production = (maker, _, scope, fuel) => {
  const mayFail = maker.mayFail && maker.dice.fraction() < 0.2;
  const [text, from] = pick(maker.dice, mayFail ? failingFunctions : integerFunctions);
  const made = fill(maker, T.integer, text, from, scope, fuel);
  return mayFail ? showing("integer operation that may fail", made) : made;
};

function power(maker: Maker, scope: Scope, fuel: number): Term {
  const base = maker.term(T.real, scope, share(maker, fuel, 2));
  const exponent = maker.term(T.integer, scope, share(maker, fuel, 2));
  return term(T.real, ["(1.5 + sin ", tight(base), ") ^ mod ", tight(exponent), " 4"]);
}

export const booleanOperation: Production = (maker, _, scope, fuel) => {
  const { dice } = maker;
  const compare = pick(dice, ["<", "<=", ">", ">=", "==", "/="]);
  return weighted(dice, [
    [3, () => fill(maker, T.boolean, `_ ${pick(dice, ["<", "<=", ">", ">="])} _`, T.real, scope, fuel)],
    [3, () => fill(maker, T.boolean, `_ ${compare} _`, T.integer, scope, fuel)],
    [2, () => fill(maker, T.boolean, `_ ${pick(dice, ["&&", "||", "==", "/="])} _`, T.boolean, scope, fuel)],
  ]);
};

/** A real that is not finite, or has a derivative that is not. */
export function singular(maker: Maker, x: Term): Term {
  const pieces = pick(maker.dice, singularTexts).split("_");
  return term(T.real, pieces.flatMap((piece, i) => (i === 0 ? [piece] : [tight(x), piece]))); // prettier-ignore
}
