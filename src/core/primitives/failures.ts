// The rows of what `fail "text"` and `failAt "text" k` are: a number or a truth value that never comes.

import { moderate } from "../intervals.js";
import { row, runtime } from "./row.js";

const fail = runtime("fail");
const failAt = runtime("failAt");

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
  failAt: row({
    source: null, params: ["Z"], result: "R", notation: "failAt", typescript: failAt, mayFail: true, cost: Infinity,
    singular: null, absorbs: [null], range: () => moderate, onLiterals: null, laws: [], domain: [[0, 9]], partials: [null],
  }),
  failAtZ: row({
    source: null, params: ["Z"], result: "Z", notation: "failAt", typescript: failAt, mayFail: true, cost: Infinity,
    singular: null, absorbs: [null], range: () => moderate, onLiterals: null, laws: [], domain: [[0, 9]], partials: [null],
  }),
  failAtB: row({
    source: null, params: ["Z"], result: "B", notation: "failAt", typescript: runtime("failBooleanAt"), mayFail: true, cost: Infinity,
    singular: null, absorbs: [null], range: null, onLiterals: null, laws: [], domain: [[0, 9]], partials: [null],
  }),
};
