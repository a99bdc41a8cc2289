// The primitive operations and their derivatives, by hand.

import { primitive, type OpName } from "../../src/core/primitives.js";
import { digamma, erf, lgamma, relu, sigmoid, softplus } from "../../src/runtime/numbers.js";
import { valueOf } from "../../src/flat/primitive-values.js";
import { partialOf } from "../../src/trace/partials.js";
import type { Meaning } from "./interpreter.js";
import { distance, literal, operation, type Real } from "./real.js";

/** Told how far the inputs are from where the operation's value or derivative jumps. */
type Margin = (distance: number) => void;

type Rule = (args: Arguments, margin: Margin) => Meaning;

class Arguments {
  constructor(private readonly items: readonly Meaning[]) {}

  real(index: number): Real {
    const arg = this.items[index];
    if (typeof arg !== "object" || !("gradient" in arg)) throw new Error("not a real");
    return arg;
  }

  integer(index: number): number {
    const arg = this.items[index];
    if (typeof arg !== "number") throw new Error("not an integer");
    return arg;
  }

  boolean(index: number): boolean {
    return this.items[index] === true;
  }
}

/** An operation of one real: its value, and its derivative from argument and value. */
const unary = (value: (x: number) => number, derivative: (x: number, value: number) => number): Rule => {
  return (args) => {
    const x = args.real(0);
    const result = value(x.value);
    return operation(result, [[x, derivative(x.value, result)]]);
  };
};

const kinked = (value: (x: number) => number, derivative: (x: number) => number): Rule => {
  return (args, margin) => {
    const x = args.real(0);
    margin(distance(x, literal(0)));
    return operation(value(x.value), [[x, derivative(x.value)]]);
  };
};

const binary = (
  value: (x: number, y: number) => number,
  partials: (x: number, y: number) => readonly [number, number],
): Rule => {
  return (args) => {
    const [x, y] = [args.real(0), args.real(1)];
    const [dx, dy] = partials(x.value, y.value);
    return operation(value(x.value, y.value), [[x, dx], [y, dy]]); // prettier-ignore
  };
};

const choice = (first: (x: number, y: number) => boolean): Rule => {
  return (args, margin) => {
    const [x, y] = [args.real(0), args.real(1)];
    margin(distance(x, y));
    const takesFirst = first(x.value, y.value);
    return operation(takesFirst ? x.value : y.value, [[x, takesFirst ? 1 : 0], [y, takesFirst ? 0 : 1]]); // prettier-ignore
  };
};

const comparison = (compare: (x: number, y: number) => boolean): Rule => {
  return (args, margin) => {
    const [x, y] = [args.real(0), args.real(1)];
    margin(distance(x, y));
    return compare(x.value, y.value);
  };
};

/** The partial derivatives of the angle of a point. */
function turning(y: number, x: number): readonly [number, number] {
  const length = Math.hypot(x, y);
  return length === 0 || length === Infinity ? [0, 0] : [x / length / length, -y / length / length];
}

/** An operation without a rule here: value and derivatives are what the table says. Where it jumps is not known. */
const tabled = (op: OpName): Rule => {
  const { params, partials } = primitive(op);
  return (args) => {
    const scalars = params.map((type, i) => (type === "R" ? args.real(i).value : type === "Z" ? args.integer(i) : args.boolean(i))); // prettier-ignore
    const value = valueOf(op, scalars);
    if (primitive(op).result !== "R" || typeof value !== "number") return value;
    return operation(value, partials.flatMap((partial, i) => (partial === null ? [] : [[args.real(i), Number(partialOf(partial, scalars, value))] as const]))); // prettier-ignore
  };
};

const rounding = (round: (x: number) => number, gap: (x: number) => number): Rule => {
  return (args, margin) => {
    const x = args.real(0);
    margin(distance(x, literal(0), gap(x.value)));
    return integer(round(x.value));
  };
};

const toEdge = (x: number): number => Math.abs(x - Math.round(x));
const integers = (compute: (x: number, y: number) => number): Rule => (args) => integer(compute(args.integer(0), args.integer(1))); // prettier-ignore
const integerTest = (test: (x: number, y: number) => boolean): Rule => (args) => test(args.integer(0), args.integer(1)); // prettier-ignore

function integer(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError("not a safe integer");
  return value + 0;
}

function power(x: number, y: number): readonly [number, number] {
  return [y === 0 ? 0 : y * Math.pow(x, y - 1), x === 0 && y > 0 ? 0 : Math.pow(x, y) * Math.log(x)];
}

/** Derivatives that the table is tested against, and operations that jump: these tell their margin. */
const rules: { readonly [P in OpName]?: Rule } = {
  add: binary((x, y) => x + y, () => [1, 1]),
  sub: binary((x, y) => x - y, () => [1, -1]),
  mul: binary((x, y) => x * y, (x, y) => [y, x]),
  div: binary((x, y) => x / y, (x, y) => [1 / y, -x / (y * y)]),
  neg: unary((x) => -x, () => -1),
  abs: kinked(Math.abs, Math.sign),
  min: choice((x, y) => x <= y),
  max: choice((x, y) => x >= y),
  sign: kinked(Math.sign, () => 0),
  sin: unary(Math.sin, Math.cos),
  cos: unary(Math.cos, (x) => -Math.sin(x)),
  tan: unary(Math.tan, (x) => 1 / Math.cos(x) ** 2),
  asin: unary(Math.asin, (x) => 1 / Math.sqrt(1 - x * x)),
  acos: unary(Math.acos, (x) => -1 / Math.sqrt(1 - x * x)),
  atan: unary(Math.atan, (x) => 1 / (1 + x * x)),
  atan2: binary(Math.atan2, turning),
  sinh: unary(Math.sinh, Math.cosh),
  cosh: unary(Math.cosh, Math.sinh),
  tanh: unary(Math.tanh, (x) => 1 / Math.cosh(x) ** 2),
  asinh: unary(Math.asinh, (x) => 1 / Math.sqrt(1 + x * x)),
  acosh: unary(Math.acosh, (x) => 1 / Math.sqrt(x * x - 1)),
  atanh: unary(Math.atanh, (x) => 1 / (1 - x * x)),
  exp: unary(Math.exp, Math.exp),
  expm1: unary(Math.expm1, Math.exp),
  log: unary(Math.log, (x) => 1 / x),
  log1p: unary(Math.log1p, (x) => 1 / (1 + x)),
  sqrt: unary(Math.sqrt, (_, root) => 0.5 / root),
  pow: binary(Math.pow, power),
  powInt: (args) => operation(Math.pow(args.real(0).value, args.integer(1)), [[args.real(0), power(args.real(0).value, args.integer(1))[0]]]),
  relu: kinked(relu, (x) => (x > 0 ? 1 : 0)),
  sigmoid: unary(sigmoid, (x) => sigmoid(x) * sigmoid(-x)),
  softplus: unary(softplus, sigmoid),
  lgamma: unary(lgamma, digamma),
  erf: unary(erf, (x) => (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x)),
  toReal: (args) => literal(args.integer(0)),
  floor: rounding(Math.floor, toEdge),
  round: rounding(Math.round, (x) => toEdge(x + 0.5)),
  truncate: rounding(Math.trunc, toEdge),
  addZ: integers((x, y) => x + y),
  subZ: integers((x, y) => x - y),
  mulZ: integers((x, y) => x * y),
  negZ: (args) => integer(-args.integer(0)),
  absZ: (args) => integer(Math.abs(args.integer(0))),
  minZ: integers(Math.min),
  maxZ: integers(Math.max),
  powZ: integers((x, n) => (n < 0 ? NaN : x ** n)),
  divZ: integers((x, y) => Math.floor(x / y)),
  modZ: integers((x, y) => x - y * Math.floor(x / y)),
  remZ: integers((x, y) => x % y),
  shrZ: integers((x, y) => Math.floor(x / 2 ** y)),
  fail: () => literal(NaN),
  failZ: () => integer(NaN),
  failB: () => false,
  sameLength: integers((x, y) => (x === y ? x : NaN)),
  eq: comparison((x, y) => x === y),
  ne: comparison((x, y) => x !== y),
  lt: comparison((x, y) => x < y),
  le: comparison((x, y) => x <= y),
  gt: comparison((x, y) => x > y),
  ge: comparison((x, y) => x >= y),
  eqZ: integerTest((x, y) => x === y),
  neZ: integerTest((x, y) => x !== y),
  ltZ: integerTest((x, y) => x < y),
  leZ: integerTest((x, y) => x <= y),
  gtZ: integerTest((x, y) => x > y),
  geZ: integerTest((x, y) => x >= y),
  eqB: (args) => args.boolean(0) === args.boolean(1),
  neB: (args) => args.boolean(0) !== args.boolean(1),
  and: (args) => args.boolean(0) && args.boolean(1),
  or: (args) => args.boolean(0) || args.boolean(1),
}; // prettier-ignore

/** One operation on values. */
export function applyPrimitive(op: OpName, args: readonly Meaning[], margin: Margin): Meaning {
  return (rules[op] ?? tabled(op))(new Arguments(args), margin);
}
