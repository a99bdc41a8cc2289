// The rows of what `fail "text"` is: a number or a truth value that never comes.

import { moderate } from "../intervals.js";
import { row, runtime } from "./row.js";

const fail = runtime("fail");

// prettier-ignore
export const failures = {
  fail: row({
    source: null, params: [], result: "R", notation: "fail", typescript: fail, mayFail: true, cost: Infinity,
    singular: null, absorbs: [], range: () => moderate, onLiterals: null, laws: [], domain: [], partials: [],
  }),
  failZ: row({
    source: null, params: [], result: "Z", notation: "fail", typescript: fail, mayFail: true, cost: Infinity,
    singular: null, absorbs: [], range: () => moderate, onLiterals: null, laws: [], domain: [], partials: [],
  }),
  failB: row({
    source: null, params: [], result: "B", notation: "fail", typescript: runtime("failBoolean"), mayFail: true, cost: Infinity,
    singular: null, absorbs: [], range: null, onLiterals: null, laws: [], domain: [], partials: [],
  }),
};
