// The rows of powers, and of the functions that partial derivatives are made of where the plain formula is wrong for large or small numbers.

import { length, point, power, product, quotient, logarithm, shifted, square, sum, union } from "../intervals.js";
import { k, math, op, result, row, runtime, when, x, y, yes, z, no, type Absorption, type Literals } from "./row.js";

/** Of a literal exponent that is positive, an infinite base gives an infinite power. */
const unlessGrowing: Absorption = ([, exponent = null]) => exponent === null || exponent <= 0;

/** Squares and cubes are products; of what others are engines may give other digits. */
function productPower(base: number, exponent: number): number {
  if (exponent === 2) return base * base;
  return exponent === 3 ? base * base * base : NaN;
}

function powerCost([, exponent]: Literals): number {
  return exponent === 2 ? 1 : exponent === 3 ? 2 : Infinity;
}

// prettier-ignore
export const powers = {
  // d pow / dx = 0 at y = 0, and d pow / dy = 0 at x = 0, y > 0, by convention
  pow: row({
    source: "pow", params: ["R", "R"], result: "R", notation: "pow", typescript: math("pow"), mayFail: false,
    cost: Infinity, singular: "slope", absorbs: [unlessGrowing, unlessGrowing], range: (of) => power(of.x, of.y),
    onLiterals: null, laws: [], domain: [[1, 2], [-2, 2]],
    partials: [op("powSlope", x, y), op("powRate", x, y, result)],
  }),
  powInt: row({
    source: "^", params: ["R", "Z"], result: "R", notation: "^", typescript: math("pow"), mayFail: false,
    cost: powerCost, singular: "pole", absorbs: [unlessGrowing, null], range: (of) => power(of.x, of.y),
    onLiterals: productPower, laws: [], domain: [[1, 2], [-3, 3]],
    partials: [
      when(op("eq", op("toReal", y), k(0)), k(0), op("mul", op("toReal", y), op("pow", x, op("sub", op("toReal", y), k(1))))),
      null,
    ],
  }),
  // y x^(y - 1)
  powSlope: row({
    source: null, params: ["R", "R"], result: "R", notation: "powSlope", typescript: runtime("powSlope"),
    mayFail: false, cost: Infinity, singular: "slope", absorbs: [yes, yes],
    range: (of) => union(point(0), product(of.y, power(of.x, shifted(of.y, -1)))),
    onLiterals: null, laws: [], domain: [[1, 2], [-2, 2]],
    partials: [
      op("mul", y, op("powSlope", x, op("sub", y, k(1)))),
      op("add",
        op("pow", x, op("sub", y, k(1))),
        op("mul", y, op("powRate", x, op("sub", y, k(1)), op("pow", x, op("sub", y, k(1)))))),
    ],
  }),
  // x^y log x, of which the third argument is x^y
  powRate: row({
    source: null, params: ["R", "R", "R"], result: "R", notation: "powRate", typescript: runtime("powRate"),
    mayFail: false, cost: Infinity, singular: "slope", absorbs: [yes, yes, yes],
    range: (of) => union(point(0), product(power(of.x, of.y), logarithm(of.x))),
    onLiterals: null, laws: [], domain: [[1, 2], [-2, 2], [1, 2]],
    partials: [when(op("eq", z, k(0)), k(0), op("div", z, x)), k(0), op("log", x)],
  }),
  // x / (y² + z²); 0 at the origin, by convention
  overSquares: row({
    source: null, params: ["R", "R", "R"], result: "R", notation: "overSquares", typescript: runtime("overSquares"),
    mayFail: false, cost: Infinity, singular: "slope", absorbs: [no, yes, yes],
    range: (of) => union(point(0), quotient(of.x, sum(square(of.y), square(of.z)))),
    onLiterals: null, laws: [], domain: [[-2, 2], [1, 3], [-2, 2]],
    partials: [
      op("overSquares", k(1), y, z),
      op("mul", k(-2), op("mul", result, op("overSquares", y, y, z))),
      op("mul", k(-2), op("mul", result, op("overSquares", z, y, z))),
    ],
  }),
  // x / sqrt (y² + z²); 0 at the origin, by convention
  overLength: row({
    source: null, params: ["R", "R", "R"], result: "R", notation: "overLength", typescript: runtime("overLength"),
    mayFail: false, cost: Infinity, singular: "slope", absorbs: [no, yes, yes],
    range: (of) => union(point(0), quotient(of.x, length(of.y, of.z))),
    onLiterals: null, laws: [], domain: [[-2, 2], [1, 3], [-2, 2]],
    partials: [
      op("overLength", k(1), y, z),
      op("neg", op("mul", result, op("overSquares", y, y, z))),
      op("neg", op("mul", result, op("overSquares", z, y, z))),
    ],
  }),
};
