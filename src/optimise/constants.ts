// Operations on literals, and operations that give back an operand: exactly what they give at run time, for infinities, NaN and -0 too.

import type { OpName } from "../core/primitives.js";
import type { Term } from "../core/term.js";

type Operation = Term & { readonly kind: "op" };

/** What an operation is equal to that is simpler; null where nothing is known. */
export function foldOperation(term: Operation): Term | null {
  return foldLiterals(term) ?? foldIdentity(term);
}

function foldLiterals({ op, args }: Operation): Term | null {
  const numbers: number[] = [];
  for (const arg of args) {
    if (arg.kind === "bool") numbers.push(Number(arg.value));
    else if (arg.kind === "real" || arg.kind === "int") numbers.push(arg.value);
    else return null;
  }
  const [x = NaN, y = NaN] = numbers;
  const real = reals[op]?.(x, y);
  // A literal is finite, and has no sign of zero
  if (real !== undefined) return Number.isFinite(real) && !Object.is(real, -0) ? { kind: "real", value: real } : null;
  const integer = integers[op]?.(x, y);
  if (integer !== undefined) return Number.isSafeInteger(integer) ? { kind: "int", value: integer + 0 } : null;
  const truth = tests[op]?.(x, y);
  return truth === undefined ? null : { kind: "bool", value: truth };
}

type Table<T> = { readonly [Name in OpName]?: (x: number, y: number) => T };

/** What IEEE 754 gives every digit of. */
const reals: Table<number> = {
  add: (x, y) => x + y,
  sub: (x, y) => x - y,
  mul: (x, y) => x * y,
  div: (x, y) => x / y,
  neg: (x) => -x,
  abs: (x) => Math.abs(x),
  min: (x, y) => Math.min(x, y),
  max: (x, y) => Math.max(x, y),
  sqrt: (x) => Math.sqrt(x),
  powInt: productPower,
  toReal: (x) => x,
};

/** Squares and cubes, which other powers have become, are products; of what others are engines may give other digits. */
function productPower(x: number, exponent: number): number {
  if (exponent === 2) return x * x;
  return exponent === 3 ? x * x * x : NaN;
}

/** What is not an integer in the range of Z fails at run time. */
const integers: Table<number> = {
  addZ: (x, y) => x + y,
  subZ: (x, y) => x - y,
  mulZ: (x, y) => x * y,
  negZ: (x) => -x,
  absZ: (x) => Math.abs(x),
  minZ: (x, y) => Math.min(x, y),
  maxZ: (x, y) => Math.max(x, y),
  divZ: (x, y) => (y === 0 || Math.abs(x) > 2 ** 31 ? NaN : Math.floor(x / y)),
  sameLength: (x, y) => (x === y ? x : NaN),
};

const tests: Table<boolean> = {
  eq: (x, y) => x === y,
  ne: (x, y) => x !== y,
  lt: (x, y) => x < y,
  le: (x, y) => x <= y,
  gt: (x, y) => x > y,
  ge: (x, y) => x >= y,
  eqZ: (x, y) => x === y,
  neZ: (x, y) => x !== y,
  ltZ: (x, y) => x < y,
  leZ: (x, y) => x <= y,
  gtZ: (x, y) => x > y,
  geZ: (x, y) => x >= y,
  eqB: (x, y) => x === y,
  neB: (x, y) => x !== y,
};

/** `x + 0` is not among these: it is 0 where x is -0. */
function foldIdentity({ op, args }: Operation): Term | null {
  const [x, y] = args;
  if (x === undefined) return null;
  switch (op) {
    case "mul":
      if (isNumber(y, 1)) return x;
      return isNumber(x, 1) ? (y ?? null) : null;
    case "div":
      return isNumber(y, 1) ? x : null;
    case "sub":
      return isNumber(y, 0) ? x : null;
    case "neg":
    case "negZ":
      return x.kind === "op" && x.op === op ? (x.args[0] ?? null) : null;
    case "addZ":
      if (isNumber(y, 0)) return x;
      return isNumber(x, 0) ? (y ?? null) : null;
    case "subZ":
      return isNumber(y, 0) ? x : null;
    case "mulZ":
    case "divZ":
      if (isNumber(y, 1)) return x;
      return op === "mulZ" && isNumber(x, 1) ? (y ?? null) : null;
    case "sameLength":
      return isSameAtom(x, y) ? x : null;
    case "eqZ":
    case "leZ":
    case "geZ":
    case "eqB":
      return isSameAtom(x, y) ? { kind: "bool", value: true } : null;
    case "neZ":
    case "ltZ":
    case "gtZ":
    case "neB":
      return isSameAtom(x, y) ? { kind: "bool", value: false } : null;
    default:
      return null;
  }
}

/** A literal; 0 is not -0. */
function isNumber(term: Term | undefined, value: number): boolean {
  return (term?.kind === "real" || term?.kind === "int") && Object.is(term.value, value);
}

/** Whether two terms are the same variable, or the length of one. */
function isSameAtom(left: Term, right: Term | undefined): boolean {
  if (left.kind === "length") return right?.kind === "length" && isSameAtom(left.array, right.array);
  return left.kind === "var" && right?.kind === "var" && left.name === right.name;
}
