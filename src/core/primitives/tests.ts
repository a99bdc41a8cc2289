// The rows of operations that give truth values.

import { infix, row, type Law } from "./row.js";

const always: Law = { kind: "constant", value: true };
const never: Law = { kind: "constant", value: false };

// What is not a number is not equal to itself: of reals there are no laws.
// prettier-ignore
export const tests = {
  lt: row({
    source: "<", params: ["R", "R"], result: "B", notation: "<", typescript: infix("<"), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null], range: null,
    onLiterals: (a, b) => a < b, laws: [], domain: [[-2, 2], [-2, 2]], partials: [null, null],
  }),
  ltZ: row({
    source: "<", params: ["Z", "Z"], result: "B", notation: "<", typescript: infix("<"), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null], range: null,
    onLiterals: (a, b) => a < b, laws: [never], domain: [[-9, 9], [-9, 9]], partials: [null, null],
  }),
  le: row({
    source: "<=", params: ["R", "R"], result: "B", notation: "<=", typescript: infix("<="), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null], range: null,
    onLiterals: (a, b) => a <= b, laws: [], domain: [[-2, 2], [-2, 2]], partials: [null, null],
  }),
  leZ: row({
    source: "<=", params: ["Z", "Z"], result: "B", notation: "<=", typescript: infix("<="), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null], range: null,
    onLiterals: (a, b) => a <= b, laws: [always], domain: [[-9, 9], [-9, 9]], partials: [null, null],
  }),
  gt: row({
    source: ">", params: ["R", "R"], result: "B", notation: ">", typescript: infix(">"), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null], range: null,
    onLiterals: (a, b) => a > b, laws: [], domain: [[-2, 2], [-2, 2]], partials: [null, null],
  }),
  gtZ: row({
    source: ">", params: ["Z", "Z"], result: "B", notation: ">", typescript: infix(">"), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null], range: null,
    onLiterals: (a, b) => a > b, laws: [never], domain: [[-9, 9], [-9, 9]], partials: [null, null],
  }),
  ge: row({
    source: ">=", params: ["R", "R"], result: "B", notation: ">=", typescript: infix(">="), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null], range: null,
    onLiterals: (a, b) => a >= b, laws: [], domain: [[-2, 2], [-2, 2]], partials: [null, null],
  }),
  geZ: row({
    source: ">=", params: ["Z", "Z"], result: "B", notation: ">=", typescript: infix(">="), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null], range: null,
    onLiterals: (a, b) => a >= b, laws: [always], domain: [[-9, 9], [-9, 9]], partials: [null, null],
  }),
  eq: row({
    source: "==", params: ["R", "R"], result: "B", notation: "==", typescript: infix("==="), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null], range: null,
    onLiterals: (a, b) => a === b, laws: [], domain: [[-2, 2], [-2, 2]], partials: [null, null],
  }),
  eqZ: row({
    source: "==", params: ["Z", "Z"], result: "B", notation: "==", typescript: infix("==="), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null], range: null,
    onLiterals: (a, b) => a === b, laws: [always], domain: [[-9, 9], [-9, 9]], partials: [null, null],
  }),
  eqB: row({
    source: "==", params: ["B", "B"], result: "B", notation: "==", typescript: infix("==="), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null], range: null,
    onLiterals: (a, b) => a === b, laws: [always], domain: [null, null], partials: [null, null],
  }),
  ne: row({
    source: "/=", params: ["R", "R"], result: "B", notation: "/=", typescript: infix("!=="), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null], range: null,
    onLiterals: (a, b) => a !== b, laws: [], domain: [[-2, 2], [-2, 2]], partials: [null, null],
  }),
  neZ: row({
    source: "/=", params: ["Z", "Z"], result: "B", notation: "/=", typescript: infix("!=="), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null], range: null,
    onLiterals: (a, b) => a !== b, laws: [never], domain: [[-9, 9], [-9, 9]], partials: [null, null],
  }),
  neB: row({
    source: "/=", params: ["B", "B"], result: "B", notation: "/=", typescript: infix("!=="), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null], range: null,
    onLiterals: (a, b) => a !== b, laws: [never], domain: [null, null], partials: [null, null],
  }),
  // Of two conditions that cost next to nothing; in programs they are conditionals
  and: row({
    source: null, params: ["B", "B"], result: "B", notation: "&&", typescript: infix("&&"), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null], range: null,
    onLiterals: null, laws: [], domain: [null, null], partials: [null, null],
  }),
  or: row({
    source: null, params: ["B", "B"], result: "B", notation: "||", typescript: infix("||"), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null], range: null,
    onLiterals: null, laws: [], domain: [null, null], partials: [null, null],
  }),
};
