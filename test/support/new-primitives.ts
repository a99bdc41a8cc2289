// Rows that the table of primitives does not have, by the recipe of CONTRIBUTING.md.

import { any, growing, rising } from "../../src/core/intervals.js";
import { k, math, no, op, result, row, unitRight, x, y, yes } from "../../src/core/primitives/row.js";

// prettier-ignore
export const newRows = {
  // As `exp`, of which no pass knows the name
  growth: row({
    source: "growth", params: ["R"], result: "R", notation: "growth", typescript: math("exp"), mayFail: false,
    cost: Infinity, singular: null, absorbs: [yes], range: (of) => growing(of.x, Math.exp),
    onLiterals: null, laws: [], domain: [[-1, 1]], partials: [result],
  }),
  asinh: row({
    source: "asinh", params: ["R"], result: "R", notation: "asinh", typescript: math("asinh"), mayFail: false,
    cost: Infinity, singular: null, absorbs: [no], range: (of) => rising(of.x, Math.asinh),
    onLiterals: null, laws: [], domain: [[-2, 2]], partials: [op("overLength", k(1), k(1), x)],
  }),
  // A real and an integer, with a law
  steps: row({
    source: "steps", params: ["R", "Z"], result: "R", notation: "steps", typescript: math("pow"), mayFail: false,
    cost: 4, singular: "pole", absorbs: [yes, null], range: () => any,
    onLiterals: null, laws: [unitRight(1)], domain: [[1, 2], [1, 3]],
    partials: [op("mul", op("toReal", y), op("powInt", x, op("subZ", y, k(1)))), null],
  }),
};
