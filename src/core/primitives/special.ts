// The rows of the gamma and error functions.

import { any, between, exact, huge, mayBeNaN, unit, type Interval } from "../intervals.js";
import { k, no, op, row, runtime, x, y, yes } from "./row.js";

/** Of a positive argument that is not too small; n is an integer of 0 or more. */
function polygammaRange({ x: n, y: at }: { readonly x: Interval; readonly y: Interval }): Interval {
  if (n.low !== n.high || n.low < 1 || at.low <= 0) return any;
  let size = 1 + 1 / at.low;
  for (let i = 1; i <= n.low; i++) size *= i / at.low;
  return size > exact ? any : between(-size, size);
}

// prettier-ignore
export const special = {
  lgamma: row({
    source: "lgamma", params: ["R"], result: "R", notation: "lgamma", typescript: runtime("lgamma"), mayFail: false,
    cost: Infinity, singular: "pole", absorbs: [no],
    range: (of) => (of.x.low > 0 ? between(-1 / of.x.low, of.x.high === Infinity ? Infinity : huge) : any),
    onLiterals: null, laws: [], domain: [[1, 4]], partials: [op("digamma", x)],
  }),
  digamma: row({
    source: "digamma", params: ["R"], result: "R", notation: "digamma", typescript: runtime("digamma"), mayFail: false,
    cost: Infinity, singular: "pole", absorbs: [no],
    range: (of) => (of.x.low > 0 ? between(-1 / of.x.low - 1, of.x.high === Infinity ? Infinity : huge) : any),
    onLiterals: null, laws: [], domain: [[1, 4]], partials: [op("polygamma", k(1), x)],
  }),
  // The derivative of digamma of order n
  polygamma: row({
    source: "polygamma", params: ["Z", "R"], result: "R", notation: "polygamma", typescript: runtime("polygamma"),
    mayFail: false, cost: Infinity, singular: "pole", absorbs: [null, yes], range: polygammaRange,
    onLiterals: null, laws: [], domain: [[0, 3], [1, 4]], partials: [null, op("polygamma", op("addZ", x, k(1)), y)],
  }),
  erf: row({
    source: "erf", params: ["R"], result: "R", notation: "erf", typescript: runtime("erf"), mayFail: false,
    cost: Infinity, singular: null, absorbs: [yes], range: (of) => (mayBeNaN(of.x) ? any : unit),
    onLiterals: null, laws: [], domain: [[-1, 1]],
    partials: [op("mul", k(2 / Math.sqrt(Math.PI)), op("exp", op("neg", op("mul", x, x))))],
  }),
  // 1 - erf x, also where that is next to nothing
  erfc: row({
    source: "erfc", params: ["R"], result: "R", notation: "erfc", typescript: runtime("erfc"), mayFail: false,
    cost: Infinity, singular: null, absorbs: [yes], range: (of) => (mayBeNaN(of.x) ? any : { low: 0, high: 2 }),
    onLiterals: null, laws: [], domain: [[-1, 1]],
    partials: [op("mul", k(-2 / Math.sqrt(Math.PI)), op("exp", op("neg", op("mul", x, x))))],
  }),
};
