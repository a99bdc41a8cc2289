// The functions of the prelude that random programs use: for each, what text and operands give a result of a type.

import type { Piece } from "./random-scope.js";
import * as T from "./random-types.js";
import type { Type } from "./random-types.js";

/** The pieces of a call with a result of the given type; null where there is none. `any` makes a type up. */
export type Call = (result: Type, any: () => Type) => readonly Piece[] | null;

const reals = T.arrayOf(T.real);
const matrix = T.arrayOf(reals);

const toReal =
  (...pieces: readonly Piece[]): Call =>
  (t) =>
    t.kind === "real" ? pieces : null;
const toReals =
  (...pieces: readonly Piece[]): Call =>
  (t) =>
    T.sameType(t, reals) ? pieces : null;
const toMatrix =
  (...pieces: readonly Piece[]): Call =>
  (t) =>
    T.sameType(t, matrix) ? pieces : null;
/** With the element type of an array. */
const toArray =
  (pieces: (element: Type, any: () => Type) => readonly Piece[]): Call =>
  (t, any) =>
    t.kind === "array" ? pieces(t.element, any) : null;
/** Reals, at least one. */
const some: readonly Piece[] = ["(append [", T.real, "] ", reals, ")"];

/** Indices stay within their arrays, and lengths that must agree do; `random-arrays.ts` has the functions of arrays of one length. */
export const preludeCalls: Readonly<Record<string, Call>> = {
  map: toArray((b, any) => {
    const a = any();
    return ["map ", T.fn(a, b), " ", T.arrayOf(a)];
  }),
  mapi: toArray((b, any) => {
    const a = any();
    return ["mapi ", T.fn(T.integer, T.fn(a, b)), " ", T.arrayOf(a)];
  }),
  foldl: (t, any) => {
    const a = any();
    return ["foldl ", T.fn(t, T.fn(a, t)), " ", t, " ", T.arrayOf(a)];
  },
  foldr: (t, any) => {
    const a = any();
    return ["foldr ", T.fn(a, T.fn(t, t)), " ", t, " ", T.arrayOf(a)];
  },
  scan: (t, any) => {
    const [s, a, b] = [any(), any(), any()];
    const scanned = (state: Type, element: Type): readonly Piece[] => ["(scan ", T.fn(state, T.fn(a, T.tuple(state, element))), " ", state, " ", T.arrayOf(a), ")"]; // prettier-ignore
    return t.kind === "array" ? ["snd ", ...scanned(s, t.element)] : ["fst ", ...scanned(t, b)];
  },
  scanl: toArray((b, any) => {
    const a = any();
    return ["scanl ", T.fn(b, T.fn(a, b)), " ", b, " ", T.arrayOf(a)];
  }),
  sum: (t) => (t.kind === "real" || t.kind === "integer" ? ["sum ", T.arrayOf(t)] : null),
  product: toReal("product ", reals),
  maximum: toReal("maximum ", ...some),
  minimum: toReal("minimum ", ...some),
  argmax: (t) => (t.kind === "integer" ? ["argmax ", ...some] : null),
  norm: toReal("norm ", reals),
  cumsum: toReals("cumsum ", reals),
  cumprod: toReals("cumprod ", reals),
  diff: toReals("diff ", reals),
  sort: toReals("sort ", reals),
  sortBy: toArray((a) => ["sortBy ", T.fn(a, T.integer), " ", T.arrayOf(a)]),
  filter: toArray((a) => ["filter ", T.fn(a, T.boolean), " ", T.arrayOf(a)]),
  count: (t, any) => {
    const a = any();
    return t.kind === "integer" ? ["count ", T.fn(a, T.boolean), " ", T.arrayOf(a)] : null;
  },
  take: toArray((a) => ["take (mod ", T.integer, " 2) (append [", a, "] ", T.arrayOf(a), ")"]),
  drop: toArray((a) => ["drop (mod ", T.integer, " 3) (append [", a, ", ", a, "] ", T.arrayOf(a), ")"]),
  gather: toArray((a) => ["gather [0, mod ", T.integer, " 2, 1] (append [", a, ", ", a, "] ", T.arrayOf(a), ")"]),
  set: toArray((a) => ["set (mod ", T.integer, " 2) ", a, " (append [", a, ", ", a, "] ", T.arrayOf(a), ")"]),
  setInTurn: toReals("foldl (\\ys i. set (mod i 2) (ys ! mod (i + 1) 2 * ", T.real, ") ys) (append [", T.real, ", ", T.real, "] ", reals, ") (range 0 (mod ", T.integer, " 4))"), // prettier-ignore
  scatterAdd: toReals("(\\zs. scatterAdd (map (\\i. mod i 2) (range 1 (length zs))) zs (append [", T.real, ", ", T.real, "] ", reals, ")) ", reals), // prettier-ignore
  median: toReal("median ", ...some),
  replicate: toArray((a) => ["replicate (mod ", T.integer, " 4) ", a]),
  append: toArray((a) => ["append ", T.arrayOf(a), " ", T.arrayOf(a)]),
  concat: toArray((a) => ["concat ", T.arrayOf(T.arrayOf(a))]),
  reverse: toArray((a) => ["reverse ", T.arrayOf(a)]),
  range: (t) => {
    const integers: readonly Piece[] = ["(range (mod ", T.integer, " 3) (mod ", T.integer, " 5))"];
    if (t.kind === "real") return ["sum (map ", T.fn(T.integer, T.real), " ", ...integers, ")"];
    return T.sameType(t, T.arrayOf(T.integer)) ? integers : null;
  },
  linspace: toReals("linspace ", T.real, " ", T.real, " (mod ", T.integer, " 4)"),
  iterate: (t) => ["iterate (mod ", T.integer, " 4) ", T.fn(t, t), " ", t],
  all: (t, any) => {
    const a = any();
    return t.kind === "boolean" ? ["all ", T.fn(a, T.boolean), " ", T.arrayOf(a)] : null;
  },
  any: (t, any) => {
    const a = any();
    return t.kind === "boolean" ? ["any ", T.fn(a, T.boolean), " ", T.arrayOf(a)] : null;
  },
  // Rows that are one array are also one value reached by several paths
  transpose: toArray(
    (row) =>
    row.kind === "array" ? ["transpose (replicate (mod ", T.integer, " 3) ", row, ")"] : ["concat (transpose (replicate 2 ", T.arrayOf(row), "))"], // prettier-ignore
  ),
  outer: toMatrix("outer ", reals, " ", reals),
  softmax: toReals("softmax ", reals),
  logSumExp: toReal("logSumExp ", ...some),
  mean: toReal("mean ", ...some),
  variance: toReal("variance ", ...some),
};
