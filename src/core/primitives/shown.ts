// The rows of what `debug "text"` is in a module that shows it: the operand itself, shown; the second operand is the place of an element in its array.

import { k, no, row, runtime } from "./row.js";

const show = runtime("show", "debug");
const showAt = runtime("showAt", "debug");

// prettier-ignore
export const shown = {
  show: row({
    source: null, params: ["R"], result: "R", notation: "show", typescript: show, mayFail: true, cost: Infinity,
    singular: null, absorbs: [no], range: (of) => of.x,
    onLiterals: null, laws: [], domain: [[-2, 2]], partials: [k(1)],
  }),
  showZ: row({
    source: null, params: ["Z"], result: "Z", notation: "show", typescript: show, mayFail: true, cost: Infinity,
    singular: null, absorbs: [null], range: (of) => of.x,
    onLiterals: null, laws: [], domain: [[-9, 9]], partials: [null],
  }),
  showB: row({
    source: null, params: ["B"], result: "B", notation: "show", typescript: show, mayFail: true, cost: Infinity,
    singular: null, absorbs: [null], range: null,
    onLiterals: null, laws: [], domain: [null], partials: [null],
  }),
  showAt: row({
    source: null, params: ["R", "Z"], result: "R", notation: "showAt", typescript: showAt, mayFail: true,
    cost: Infinity, singular: null, absorbs: [no, null], range: (of) => of.x,
    onLiterals: null, laws: [], domain: [[-2, 2], [-9, 9]], partials: [k(1), null],
  }),
  showAtZ: row({
    source: null, params: ["Z", "Z"], result: "Z", notation: "showAt", typescript: showAt, mayFail: true,
    cost: Infinity, singular: null, absorbs: [null, null], range: (of) => of.x,
    onLiterals: null, laws: [], domain: [[-9, 9], [-9, 9]], partials: [null, null],
  }),
  showAtB: row({
    source: null, params: ["B", "Z"], result: "B", notation: "showAt", typescript: showAt, mayFail: true,
    cost: Infinity, singular: null, absorbs: [null, null], range: null,
    onLiterals: null, laws: [], domain: [null, [-9, 9]], partials: [null, null],
  }),
};
