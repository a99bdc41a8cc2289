// The rows of operations on integers, and of those between integers and reals. What leaves the safe integers fails at run time.

import { absolute, between, moderate, product, square, sum } from "../intervals.js";
import { infix, math, row, runtime, same, unitLeft, unitRight } from "./row.js";

// prettier-ignore
export const integers = {
  toReal: row({
    source: "toReal", params: ["Z"], result: "R", notation: "toReal", typescript: same, mayFail: false, cost: 1,
    singular: null, absorbs: [null], range: (of) => of.x,
    onLiterals: (a) => a, laws: [], domain: [[-3, 3]], partials: [null],
  }),
  floor: row({
    source: "floor", params: ["R"], result: "Z", notation: "floor", typescript: runtime("floorInt"), mayFail: true,
    cost: Infinity, singular: null, absorbs: [null], range: () => moderate,
    onLiterals: null, laws: [], domain: [[0.2, 0.8]], partials: [null],
  }),
  round: row({
    source: "round", params: ["R"], result: "Z", notation: "round", typescript: runtime("roundInt"), mayFail: true,
    cost: Infinity, singular: null, absorbs: [null], range: () => moderate,
    onLiterals: null, laws: [], domain: [[-0.3, 0.3]], partials: [null],
  }),
  truncate: row({
    source: "truncate", params: ["R"], result: "Z", notation: "truncate", typescript: runtime("truncateInt"),
    mayFail: true, cost: Infinity, singular: null, absorbs: [null], range: () => moderate,
    onLiterals: null, laws: [], domain: [[0.2, 0.8]], partials: [null],
  }),
  addZ: row({
    source: "+", params: ["Z", "Z"], result: "Z", notation: "+", typescript: runtime("addInt"), mayFail: true, cost: 1,
    singular: null, absorbs: [null, null], range: (of) => sum(of.x, of.y),
    onLiterals: (a, b) => a + b, laws: [unitRight(0), unitLeft(0)], domain: [[-9, 9], [-9, 9]], partials: [null, null],
  }),
  subZ: row({
    source: "-", params: ["Z", "Z"], result: "Z", notation: "-", typescript: runtime("subInt"), mayFail: true, cost: 1,
    singular: null, absorbs: [null, null], range: (of) => between(of.x.low - of.y.high, of.x.high - of.y.low),
    onLiterals: (a, b) => a - b, laws: [unitRight(0)], domain: [[-9, 9], [-9, 9]], partials: [null, null],
  }),
  mulZ: row({
    source: "*", params: ["Z", "Z"], result: "Z", notation: "*", typescript: runtime("mulInt"), mayFail: true, cost: 1,
    singular: null, absorbs: [null, null], range: (of) => (of.isSame ? square(of.x) : product(of.x, of.y)),
    onLiterals: (a, b) => a * b, laws: [unitRight(1), unitLeft(1)], domain: [[-9, 9], [-9, 9]], partials: [null, null],
  }),
  negZ: row({
    source: "negate", params: ["Z"], result: "Z", notation: "-", typescript: runtime("negInt"), mayFail: false, cost: 1,
    singular: null, absorbs: [null], range: (of) => between(-of.x.high, -of.x.low),
    onLiterals: (a) => -a, laws: [{ kind: "involution" }], domain: [[-9, 9]], partials: [null],
  }),
  absZ: row({
    source: "abs", params: ["Z"], result: "Z", notation: "abs", typescript: math("abs"), mayFail: false, cost: 1,
    singular: null, absorbs: [null], range: (of) => absolute(of.x),
    onLiterals: (a) => Math.abs(a), laws: [], domain: [[-9, 9]], partials: [null],
  }),
  minZ: row({
    source: "min", params: ["Z", "Z"], result: "Z", notation: "min", typescript: math("min"), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null],
    range: (of) => between(Math.min(of.x.low, of.y.low), Math.min(of.x.high, of.y.high)),
    onLiterals: (a, b) => Math.min(a, b), laws: [], domain: [[-9, 9], [-9, 9]], partials: [null, null],
  }),
  maxZ: row({
    source: "max", params: ["Z", "Z"], result: "Z", notation: "max", typescript: math("max"), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null],
    range: (of) => between(Math.max(of.x.low, of.y.low), Math.max(of.x.high, of.y.high)),
    onLiterals: (a, b) => Math.max(a, b), laws: [], domain: [[-9, 9], [-9, 9]], partials: [null, null],
  }),
  powZ: row({
    source: "^", params: ["Z", "Z"], result: "Z", notation: "^", typescript: runtime("powInt"), mayFail: true,
    cost: Infinity, singular: null, absorbs: [null, null], range: () => moderate,
    onLiterals: null, laws: [], domain: [[-9, 9], [0, 5]], partials: [null, null],
  }),
  divZ: row({
    source: "div", params: ["Z", "Z"], result: "Z", notation: "div", typescript: runtime("divInt"), mayFail: true,
    cost: Infinity, singular: null, absorbs: [null, null], range: () => moderate,
    onLiterals: (a, b) => (b === 0 || Math.abs(a) > 2 ** 31 ? NaN : Math.floor(a / b)), laws: [unitRight(1)],
    domain: [[-9, 9], [1, 9]], partials: [null, null],
  }),
  modZ: row({
    source: "mod", params: ["Z", "Z"], result: "Z", notation: "mod", typescript: runtime("modInt"), mayFail: true,
    cost: Infinity, singular: null, absorbs: [null, null], range: () => moderate,
    onLiterals: null, laws: [], domain: [[-9, 9], [1, 9]], partials: [null, null],
  }),
  // What is known of a `modZ` of two that are not negative, the second one not 0
  remZ: row({
    source: null, params: ["Z", "Z"], result: "Z", notation: "rem", typescript: infix("%"), mayFail: false, cost: 4,
    singular: null, absorbs: [null, null], range: () => moderate,
    onLiterals: null, laws: [], domain: [[0, 9], [1, 9]], partials: [null, null],
  }),
  // What is known of a `divZ` of an integer of 32 bits by a power of two: `divZ x 8` is `shrZ x 3`
  shrZ: row({
    source: null, params: ["Z", "Z"], result: "Z", notation: "shr", typescript: infix(">>"), mayFail: false, cost: 1,
    singular: null, absorbs: [null, null], range: () => moderate,
    onLiterals: null, laws: [], domain: [[-9, 9], [1, 3]], partials: [null, null],
  }),
  // The length that both are, which is there; fails where they differ
  sameLength: row({
    source: "sameLength", params: ["Z", "Z"], result: "Z", notation: "sameLength", typescript: runtime("sameLength"),
    mayFail: true, cost: 0, singular: null, absorbs: [null, null], range: () => moderate,
    onLiterals: (a, b) => (a === b ? a : NaN), laws: [{ kind: "idempotent" }], domain: [[3, 3], [3, 3]],
    partials: [null, null],
  }),
};
