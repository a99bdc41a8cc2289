// Straight-line programs of scalars with their derivatives in both modes, by hand: "a path with a zero factor contributes 0" (docs/language.md), and where rounding,
// cancelling or overflow make that a matter of the order of operations.

import { isShown, opNames, primitive } from "../../src/core/primitives.js";
import { valueOf } from "../../src/flat/primitive-values.js";
import { partialOf } from "../../src/trace/partials.js";
import { digamma, lgamma, overSquares, powRate, powSlope, sigmoid } from "../../src/runtime/numbers.js";

export interface Step {
  readonly op: string;
  /** Earlier numbers: the inputs, then the steps. */
  readonly args: readonly number[];
}

interface Meaning {
  readonly text: (args: readonly string[]) => string;
  readonly value: (x: number, y: number) => number;
  readonly partials: (x: number, y: number) => readonly number[];
}

const infix =
  (operator: string) =>
  ([x, y]: readonly string[]): string =>
    `${String(x)} ${operator} ${String(y)}`;
const named =
  (name: string) =>
  (args: readonly string[]): string =>
    [name, ...args].join(" ");

// prettier-ignore
const own = {
  add: { text: infix("+"), value: (x, y) => x + y, partials: () => [1, 1] },
  sub: { text: infix("-"), value: (x, y) => x - y, partials: () => [1, -1] },
  mul: { text: infix("*"), value: (x, y) => x * y, partials: (x, y) => [y, x] },
  div: { text: infix("/"), value: (x, y) => x / y, partials: (x, y) => [1 / y, -(x / y / y)] },
  square: { text: ([x]) => `${String(x)} ^ 2`, value: (x) => x * x, partials: (x) => [2 * x] },
  min: { text: named("min"), value: (x, y) => Math.min(x, y), partials: (x, y) => (x <= y ? [1, 0] : [0, 1]) },
  max: { text: named("max"), value: (x, y) => Math.max(x, y), partials: (x, y) => (x >= y ? [1, 0] : [0, 1]) },
  abs: { text: named("abs"), value: (x) => Math.abs(x), partials: (x) => [Math.sign(x)] },
  relu: { text: named("relu"), value: (x) => Math.max(x, 0), partials: (x) => [x > 0 ? 1 : 0] },
  sqrt: { text: named("sqrt"), value: (x) => Math.sqrt(x), partials: (x) => [0.5 / Math.sqrt(x)] },
  log: { text: named("log"), value: (x) => Math.log(x), partials: (x) => [1 / x] },
  exp: { text: named("exp"), value: (x) => Math.exp(x), partials: (x) => [Math.exp(x)] },
  tanh: { text: named("tanh"), value: (x) => Math.tanh(x), partials: (x) => [(1 / Math.cosh(x)) ** 2] },
  sigmoid: { text: named("sigmoid"), value: (x) => sigmoid(x), partials: (x) => [sigmoid(x) * sigmoid(-x)] },
  asin: { text: named("asin"), value: (x) => Math.asin(x), partials: (x) => [1 / Math.sqrt((1 - x) * (1 + x))] },
  lgamma: { text: named("lgamma"), value: (x) => lgamma(x), partials: (x) => [digamma(x)] },
  atan2: { text: named("atan2"), value: (x, y) => Math.atan2(x, y), partials: (x, y) => [overSquares(y, x, y), -overSquares(x, x, y)] },
  pow: { text: named("pow"), value: (x, y) => Math.pow(x, y), partials: (x, y) => [powSlope(x, y), powRate(x, y, Math.pow(x, y))] },
} as const satisfies Readonly<Record<string, Meaning>>;

/** The other functions of reals in the table of primitives, as their rows say: a new one is among them. */
const others = opNames.flatMap((op): readonly (readonly [string, Meaning])[] => {
  const { source, params, result, partials } = primitive(op);
  const name = typeof source === "string" && /^[a-z]\w*$/.test(source) && !isShown(op) ? source : null;
  if (name === null || name in own || result !== "R" || !params.every((param) => param === "R")) return [];
  const value = (x: number, y: number): number => Number(valueOf(op, [x, y].slice(0, params.length)));
  const partialsAt = (x: number, y: number): readonly number[] =>
    partials.map((partial) => (partial === null ? 0 : Number(partialOf(partial, [x, y], value(x, y)))));
  return [[name, { text: named(name), value, partials: partialsAt }]];
});

export const operations: Readonly<Record<string, Meaning>> = { ...own, ...Object.fromEntries(others) };

function meaningOf(op: string): Meaning {
  const meaning = operations[op];
  if (meaning === undefined) throw new Error(`no operation is called ${op}`);
  return meaning;
}

/** The steps as a definition `entry` of as many inputs. */
export function textOf(inputs: number, steps: readonly Step[]): string {
  const name = (at: number): string => (at < inputs ? `x${String(at)}` : `t${String(at - inputs)}`);
  const params = Array.from({ length: inputs }, (_, i) => `(${name(i)} : R)`).join(" ");
  const lines = steps.map(({ op, args }, i) => `  let ${name(inputs + i)} = ${meaningOf(op).text(args.map(name))} in`);
  return `def entry ${params} : R =\n${lines.join("\n")}\n  ${name(inputs + steps.length - 1)}\n`;
}

export interface Derivative {
  readonly value: number;
  readonly forward: readonly number[];
  readonly reverse: readonly number[];
  /** Whether a sum has cancelled, or a product left the range of doubles: what an infinite factor makes of that depends on the mode. */
  readonly isOrdered: boolean;
  /** Whether no number on the way is infinite, NaN, or subnormal. */
  readonly isOrdinary: boolean;
  /** Whether any partial derivative is. */
  readonly isSteep: boolean;
}

/** Both modes, in the order in which the stages compute. */
export function derivative(inputs: readonly number[], steps: readonly Step[]): Derivative {
  const values = [...inputs];
  const partials: (readonly number[])[] = [];
  let isOrdered = false;
  const isInRange = (product: number): boolean => Math.abs(product) > 1e-290 && Math.abs(product) < 1e300;
  for (const { op, args } of steps) {
    const [x = NaN, y = NaN] = args.map((at) => values[at] ?? NaN);
    values.push(meaningOf(op).value(x, y));
    partials.push(meaningOf(op).partials(x, y));
    // A quotient's second partial is itself a product, which the stages multiply from its other end
    if (op === "div" && y !== 0 && Number.isFinite(y) && x !== 0 && !isInRange(x / y / y)) isOrdered = true;
  }
  const scaled = (a: number, b: number): number => {
    if (a === 0 || b === 0) return 0;
    const product = a * b;
    const isWithin = Number.isFinite(a) && Number.isFinite(b);
    if (isWithin && !isInRange(product)) isOrdered = true;
    return product;
  };
  const added = (a: number, b: number): number => {
    const sum = a + b;
    // What is left of two numbers that are nearly opposite is rounding, by whatever it is multiplied then
    if (a !== 0 && b !== 0 && Math.abs(sum) < 1e-6 * Math.abs(a)) isOrdered = true;
    if (Number.isNaN(sum) && !Number.isNaN(a) && !Number.isNaN(b)) isOrdered = true;
    return sum;
  };
  const forward = inputs.map((_, input) => {
    const tangents = inputs.map((_, i): number => (i === input ? 1 : 0));
    steps.forEach(({ args }, at) => {
      const terms = args.map((arg, i) => scaled(tangents[arg] ?? NaN, partials[at]?.[i] ?? NaN));
      tangents.push(terms.reduce(added, 0));
    });
    return tangents.at(-1) ?? NaN;
  });
  const cotangents = values.map((_, at): number => (at === values.length - 1 ? 1 : 0));
  for (let at = steps.length - 1; at >= 0; at--) {
    steps[at]?.args.forEach((arg, i) => {
      const term = scaled(cotangents[inputs.length + at] ?? NaN, partials[at]?.[i] ?? NaN);
      cotangents[arg] = added(cotangents[arg] ?? NaN, term);
    });
  }
  return {
    value: values.at(-1) ?? NaN,
    forward,
    reverse: cotangents.slice(0, inputs.length),
    isOrdered,
    isOrdinary: values.every((x) => x === 0 || (Math.abs(x) > 1e-307 && Number.isFinite(x))),
    isSteep: partials.some((some) => !some.every(Number.isFinite)),
  };
}
