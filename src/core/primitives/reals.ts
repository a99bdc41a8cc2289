// The rows of arithmetic and elementary functions on reals.

import {
  absolute,
  angle,
  any,
  between,
  growing,
  length,
  logarithm,
  mayBeInfinite,
  mayBeNaN,
  moderate,
  product,
  quotient,
  rising,
  square,
  sum,
  unit,
  type Interval,
} from "../intervals.js";
import {
  infix,
  k,
  math,
  minus,
  no,
  op,
  result,
  row,
  runtime,
  same,
  unitLeft,
  unitRight,
  when,
  x,
  y,
  yes,
} from "./row.js";

/** Of a function that is bounded at infinity, too. */
const bounded = (interval: Interval) => (args: { readonly x: Interval }) => (mayBeNaN(args.x) ? any : interval);

// prettier-ignore
export const arithmetic = {
  add: row({
    source: "+", params: ["R", "R"], result: "R", notation: "+", typescript: infix("+"), mayFail: false, cost: 1,
    singular: null, absorbs: [no, no], range: (of) => sum(of.x, of.y),
    onLiterals: (a, b) => a + b, laws: [], domain: [[-2, 2], [-2, 2]], partials: [k(1), k(1)],
  }),
  sub: row({
    source: "-", params: ["R", "R"], result: "R", notation: "-", typescript: infix("-"), mayFail: false, cost: 1,
    singular: null, absorbs: [no, no], range: (of) => between(of.x.low - of.y.high, of.x.high - of.y.low),
    onLiterals: (a, b) => a - b, laws: [unitRight(0)], domain: [[-2, 2], [-2, 2]], partials: [k(1), k(-1)],
  }),
  mul: row({
    source: "*", params: ["R", "R"], result: "R", notation: "*", typescript: infix("*"), mayFail: false, cost: 1,
    singular: null, absorbs: [no, no], range: (of) => (of.isSame ? square(of.x) : product(of.x, of.y)),
    onLiterals: (a, b) => a * b, laws: [unitRight(1), unitLeft(1)], domain: [[-2, 2], [-2, 2]], partials: [y, x],
  }),
  div: row({
    source: "/", params: ["R", "R"], result: "R", notation: "/", typescript: infix("/"), mayFail: false, cost: 4,
    singular: "pole", absorbs: [no, yes], range: (of) => quotient(of.x, of.y),
    onLiterals: (a, b) => a / b, laws: [unitRight(1)], domain: [[-2, 2], [1, 3]],
    partials: [op("div", k(1), y), op("neg", op("div", result, y))],
  }),
  neg: row({
    source: "negate", params: ["R"], result: "R", notation: "-", typescript: minus, mayFail: false, cost: 1,
    singular: null, absorbs: [no], range: (of) => between(-of.x.high, -of.x.low),
    onLiterals: (a) => -a, laws: [{ kind: "involution" }], domain: [[-2, 2]], partials: [k(-1)],
  }),
  // 0 at 0, by convention
  abs: row({
    source: "abs", params: ["R"], result: "R", notation: "abs", typescript: math("abs"), mayFail: false, cost: 1,
    singular: null, absorbs: [no], range: (of) => absolute(of.x),
    onLiterals: (a) => Math.abs(a), laws: [], domain: [[0.5, 2]], partials: [op("sign", x)],
  }),
  // Ties: the first argument's, by convention
  min: row({
    source: "min", params: ["R", "R"], result: "R", notation: "min", typescript: math("min"), mayFail: false, cost: 1,
    singular: null, absorbs: [yes, yes],
    range: (of) => between(Math.min(of.x.low, of.y.low), Math.min(of.x.high, of.y.high)),
    onLiterals: (a, b) => Math.min(a, b), laws: [], domain: [[-2, -1], [0, 2]],
    partials: [when(op("le", x, y), k(1), k(0)), when(op("le", x, y), k(0), k(1))],
  }),
  max: row({
    source: "max", params: ["R", "R"], result: "R", notation: "max", typescript: math("max"), mayFail: false, cost: 1,
    singular: null, absorbs: [yes, yes],
    range: (of) => between(Math.max(of.x.low, of.y.low), Math.max(of.x.high, of.y.high)),
    onLiterals: (a, b) => Math.max(a, b), laws: [], domain: [[-2, -1], [0, 2]],
    partials: [when(op("ge", x, y), k(1), k(0)), when(op("ge", x, y), k(0), k(1))],
  }),
  // A derivative times a direction: 0 where either is, whatever the other one is
  scaled: row({
    source: null, params: ["R", "R"], result: "R", notation: "scale", typescript: runtime("scale"), mayFail: false,
    cost: 1, singular: null, absorbs: [yes, yes], range: (of) => (of.isSame ? square(of.x) : product(of.x, of.y)),
    onLiterals: (a, b) => (a === 0 || b === 0 ? 0 : a * b), laws: [unitRight(1), unitLeft(1)],
    domain: [[-2, 2], [-2, 2]], partials: [y, x],
  }),
  // A direction divided by a number: 0 where it is 0, or the number infinite
  ratio: row({
    source: null, params: ["R", "R"], result: "R", notation: "ratio", typescript: runtime("ratio"), mayFail: false,
    cost: 4, singular: "pole", absorbs: [yes, yes], range: (of) => quotient(of.x, of.y),
    onLiterals: (a, b) => (a === 0 || Math.abs(b) === Infinity ? 0 : a / b), laws: [unitRight(1)],
    domain: [[-2, 2], [1, 3]], partials: [op("div", k(1), y), op("neg", op("div", result, y))],
  }),
  // A constant, as far as derivatives are concerned
  stop: row({
    source: null, params: ["R"], result: "R", notation: "stopGradient", typescript: same, mayFail: false, cost: 0,
    singular: null, absorbs: [no], range: (of) => of.x,
    onLiterals: (a) => a, laws: [], domain: [[-2, 2]], partials: [k(0)],
  }),
  // The first one, with the derivative of the second
  linked: row({
    source: null, params: ["R", "R"], result: "R", notation: "linked", typescript: same, mayFail: false,
    cost: 0, singular: null, absorbs: [yes, yes], range: (of) => of.x,
    onLiterals: (a) => a, laws: [], domain: [[-2, 2], [-2, 2]], partials: [k(0), k(1)],
  }),
  // A number as it is, in the place of an integer: that has no derivative
  plain: row({
    source: null, params: ["R"], result: "Z", notation: "plain", typescript: same, mayFail: false, cost: 0,
    singular: null, absorbs: [null], range: (of) => of.x,
    onLiterals: null, laws: [], domain: [[-2, 2]], partials: [null],
  }),
  sign: row({
    source: "sign", params: ["R"], result: "R", notation: "sign", typescript: math("sign"), mayFail: false, cost: 1,
    singular: null, absorbs: [yes], range: bounded(unit),
    onLiterals: null, laws: [], domain: [[0.5, 2]], partials: [k(0)],
  }),
};

// prettier-ignore
export const elementary = {
  sin: row({
    source: "sin", params: ["R"], result: "R", notation: "sin", typescript: math("sin"), mayFail: false, cost: Infinity,
    singular: null, absorbs: [no], range: (of) => (mayBeInfinite(of.x) ? any : unit),
    onLiterals: null, laws: [], domain: [[-2, 2]], partials: [op("cos", x)],
  }),
  cos: row({
    source: "cos", params: ["R"], result: "R", notation: "cos", typescript: math("cos"), mayFail: false, cost: Infinity,
    singular: null, absorbs: [no], range: (of) => (mayBeInfinite(of.x) ? any : unit),
    onLiterals: null, laws: [], domain: [[-2, 2]], partials: [op("neg", op("sin", x))],
  }),
  // No double is so close to a pole that the tangent overflows
  tan: row({
    source: "tan", params: ["R"], result: "R", notation: "tan", typescript: math("tan"), mayFail: false, cost: Infinity,
    singular: null, absorbs: [no], range: (of) => (mayBeInfinite(of.x) ? any : moderate),
    onLiterals: null, laws: [], domain: [[-0.7, 0.7]], partials: [op("add", k(1), op("mul", result, result))],
  }),
  asin: row({
    source: "asin", params: ["R"], result: "R", notation: "asin", typescript: math("asin"), mayFail: false,
    cost: Infinity, singular: "slope", absorbs: [no],
    range: (of) => (of.x.low < -1 || of.x.high > 1 ? any : angle),
    onLiterals: null, laws: [], domain: [[-0.6, 0.6]],
    partials: [op("div", k(1), op("sqrt", op("mul", op("sub", k(1), x), op("add", k(1), x))))],
  }),
  acos: row({
    source: "acos", params: ["R"], result: "R", notation: "acos", typescript: math("acos"), mayFail: false,
    cost: Infinity, singular: "slope", absorbs: [no],
    range: (of) => (of.x.low < -1 || of.x.high > 1 ? any : angle),
    onLiterals: null, laws: [], domain: [[-0.6, 0.6]],
    partials: [op("div", k(-1), op("sqrt", op("mul", op("sub", k(1), x), op("add", k(1), x))))],
  }),
  atan: row({
    source: "atan", params: ["R"], result: "R", notation: "atan", typescript: math("atan"), mayFail: false,
    cost: Infinity, singular: null, absorbs: [yes], range: bounded(angle),
    onLiterals: null, laws: [], domain: [[-2, 2]], partials: [op("overSquares", k(1), k(1), x)],
  }),
  // atan2 y x, in this order: the arguments are x (the ordinate) and y (the abscissa) here; 0 at the origin, by convention
  atan2: row({
    source: "atan2", params: ["R", "R"], result: "R", notation: "atan2", typescript: math("atan2"), mayFail: false,
    cost: Infinity, singular: "slope", absorbs: [yes, yes],
    range: (of) => (mayBeNaN(of.x) || mayBeNaN(of.y) ? any : angle),
    onLiterals: null, laws: [], domain: [[-2, 2], [1, 3]],
    partials: [op("overSquares", y, x, y), op("neg", op("overSquares", x, x, y))],
  }),
  sinh: row({
    source: "sinh", params: ["R"], result: "R", notation: "sinh", typescript: math("sinh"), mayFail: false,
    cost: Infinity, singular: null, absorbs: [no], range: (of) => growing(of.x, Math.sinh),
    onLiterals: null, laws: [], domain: [[-2, 2]], partials: [op("cosh", x)],
  }),
  cosh: row({
    source: "cosh", params: ["R"], result: "R", notation: "cosh", typescript: math("cosh"), mayFail: false,
    cost: Infinity, singular: null, absorbs: [no], range: (of) => growing(absolute(of.x), Math.cosh),
    onLiterals: null, laws: [], domain: [[-2, 2]], partials: [op("sinh", x)],
  }),
  tanh: row({
    source: "tanh", params: ["R"], result: "R", notation: "tanh", typescript: math("tanh"), mayFail: false,
    cost: Infinity, singular: null, absorbs: [yes], range: bounded(unit),
    onLiterals: null, laws: [], domain: [[-1, 1]], partials: [op("tanhSlope", x)],
  }),
  // (1 / cosh)², not 1 - tanh²: exact where tanh rounds to 1
  tanhSlope: row({
    source: null, params: ["R"], result: "R", notation: "tanhSlope", typescript: runtime("tanhSlope"), mayFail: false,
    cost: Infinity, singular: null, absorbs: [yes], range: bounded({ low: 0, high: 1 }),
    onLiterals: null, laws: [], domain: [[-1, 1]], partials: [op("mul", op("mul", k(-2), op("tanh", x)), result)],
  }),
  asinh: row({
    source: "asinh", params: ["R"], result: "R", notation: "asinh", typescript: math("asinh"), mayFail: false,
    cost: Infinity, singular: null, absorbs: [no], range: (of) => rising(of.x, Math.asinh),
    onLiterals: null, laws: [], domain: [[-2, 2]], partials: [op("div", k(1), op("hypot", k(1), x))],
  }),
  acosh: row({
    source: "acosh", params: ["R"], result: "R", notation: "acosh", typescript: math("acosh"), mayFail: false,
    cost: Infinity, singular: "slope", absorbs: [no], range: (of) => (of.x.low < 1 ? any : rising(of.x, Math.acosh)),
    onLiterals: null, laws: [], domain: [[1.5, 3]],
    partials: [op("div", k(1), op("mul", op("sqrt", op("sub", x, k(1))), op("sqrt", op("add", x, k(1)))))],
  }),
  atanh: row({
    source: "atanh", params: ["R"], result: "R", notation: "atanh", typescript: math("atanh"), mayFail: false,
    cost: Infinity, singular: "pole", absorbs: [no],
    range: (of) => (of.x.low <= -1 || of.x.high >= 1 ? any : rising(of.x, Math.atanh)),
    onLiterals: null, laws: [], domain: [[-0.6, 0.6]],
    partials: [op("div", k(1), op("mul", op("sub", k(1), x), op("add", k(1), x)))],
  }),
  exp: row({
    source: "exp", params: ["R"], result: "R", notation: "exp", typescript: math("exp"), mayFail: false, cost: Infinity,
    singular: null, absorbs: [yes], range: (of) => growing(of.x, Math.exp),
    onLiterals: null, laws: [], domain: [[-1, 1]], partials: [result],
  }),
  expm1: row({
    source: "expm1", params: ["R"], result: "R", notation: "expm1", typescript: math("expm1"), mayFail: false,
    cost: Infinity, singular: null, absorbs: [yes], range: (of) => growing(of.x, Math.expm1),
    onLiterals: null, laws: [], domain: [[-1, 1]], partials: [op("exp", x)],
  }),
  exp2: row({
    source: "exp2", params: ["R"], result: "R", notation: "exp2", typescript: runtime("exp2"), mayFail: false,
    cost: Infinity, singular: null, absorbs: [yes], range: (of) => growing(of.x, (bound) => 2 ** bound),
    onLiterals: null, laws: [], domain: [[-1, 1]], partials: [op("mul", k(Math.LN2), result)],
  }),
  log: row({
    source: "log", params: ["R"], result: "R", notation: "log", typescript: math("log"), mayFail: false, cost: Infinity,
    singular: "pole", absorbs: [no], range: (of) => logarithm(of.x),
    onLiterals: null, laws: [], domain: [[1, 3]], partials: [op("div", k(1), x)],
  }),
  log1p: row({
    source: "log1p", params: ["R"], result: "R", notation: "log1p", typescript: math("log1p"), mayFail: false,
    cost: Infinity, singular: "pole", absorbs: [no],
    range: (of) => rising(of.x, (bound) => Math.log1p(Math.max(bound, -1))),
    onLiterals: null, laws: [], domain: [[0, 2]], partials: [op("div", k(1), op("add", k(1), x))],
  }),
  log2: row({
    source: "log2", params: ["R"], result: "R", notation: "log2", typescript: math("log2"), mayFail: false,
    cost: Infinity, singular: "pole", absorbs: [no], range: (of) => rising(of.x, (bound) => Math.log2(Math.max(bound, 0))),
    onLiterals: null, laws: [], domain: [[1, 3]], partials: [op("div", k(Math.LOG2E), x)],
  }),
  log10: row({
    source: "log10", params: ["R"], result: "R", notation: "log10", typescript: math("log10"), mayFail: false,
    cost: Infinity, singular: "pole", absorbs: [no],
    range: (of) => rising(of.x, (bound) => Math.log10(Math.max(bound, 0))),
    onLiterals: null, laws: [], domain: [[1, 3]], partials: [op("div", k(Math.LOG10E), x)],
  }),
  sqrt: row({
    source: "sqrt", params: ["R"], result: "R", notation: "sqrt", typescript: math("sqrt"), mayFail: false, cost: 4,
    singular: "slope", absorbs: [no], range: (of) => (of.x.low < 0 ? any : rising(of.x, Math.sqrt)),
    onLiterals: (a) => Math.sqrt(a), laws: [], domain: [[1, 3]], partials: [op("div", k(0.5), result)],
  }),
  cbrt: row({
    source: "cbrt", params: ["R"], result: "R", notation: "cbrt", typescript: math("cbrt"), mayFail: false,
    cost: Infinity, singular: "slope", absorbs: [no], range: (of) => rising(of.x, Math.cbrt),
    onLiterals: null, laws: [], domain: [[1, 3]], partials: [op("div", k(1 / 3), op("mul", result, result))],
  }),
  // 0 at the origin, by convention
  hypot: row({
    source: "hypot", params: ["R", "R"], result: "R", notation: "hypot", typescript: runtime("hypot"), mayFail: false,
    cost: Infinity, singular: null, absorbs: [no, no], range: (of) => length(of.x, of.y),
    onLiterals: null, laws: [], domain: [[-2, 2], [1, 3]],
    partials: [op("overLength", x, x, y), op("overLength", y, x, y)],
  }),
  // 0 at 0, by convention
  relu: row({
    source: "relu", params: ["R"], result: "R", notation: "relu", typescript: runtime("relu"), mayFail: false, cost: 1,
    singular: null, absorbs: [yes], range: (of) => rising(of.x, (bound) => Math.max(bound, 0)),
    onLiterals: null, laws: [], domain: [[0.5, 2]], partials: [when(op("gt", result, k(0)), k(1), k(0))],
  }),
  // s(-x) for 1 - s(x): exact where s(x) rounds to 1
  sigmoid: row({
    source: "sigmoid", params: ["R"], result: "R", notation: "sigmoid", typescript: runtime("sigmoid"), mayFail: false,
    cost: Infinity, singular: null, absorbs: [yes], range: bounded({ low: 0, high: 1 }),
    onLiterals: null, laws: [], domain: [[-2, 2]], partials: [op("mul", result, op("sigmoid", op("neg", x)))],
  }),
  softplus: row({
    source: "softplus", params: ["R"], result: "R", notation: "softplus", typescript: runtime("softplus"),
    mayFail: false, cost: Infinity, singular: null, absorbs: [yes],
    range: (of) => (mayBeNaN(of.x) ? any : between(0, Math.max(1, of.x.high + 1))),
    onLiterals: null, laws: [], domain: [[-2, 2]], partials: [op("sigmoid", x)],
  }),
};
