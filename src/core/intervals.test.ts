import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mayBeInfinite, moderate, widened, type Interval } from "./intervals.js";
import type { OpName } from "./primitives.js";
import { intervalOf } from "./primitives/ranges.js";

/** Functions of reals, as JavaScript has them. */
const functions: ReadonlyMap<OpName, (x: number, y: number) => number> = new Map<
  OpName,
  (x: number, y: number) => number
>([
  ["add", (x, y) => x + y],
  ["sub", (x, y) => x - y],
  ["mul", (x, y) => x * y],
  ["div", (x, y) => x / y],
  ["neg", (x) => -x],
  ["abs", Math.abs],
  ["min", Math.min],
  ["max", Math.max],
  ["sign", Math.sign],
  ["sin", Math.sin],
  ["cos", Math.cos],
  ["tanh", Math.tanh],
  ["asin", Math.asin],
  ["atan", Math.atan],
  ["atan2", Math.atan2],
  ["exp", Math.exp],
  ["expm1", Math.expm1],
  ["sinh", Math.sinh],
  ["cosh", Math.cosh],
  ["log", Math.log],
  ["log1p", Math.log1p],
  ["sqrt", Math.sqrt],
  ["pow", Math.pow],
  ["relu", (x) => Math.max(x, 0)],
  ["softplus", (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))],
]);

// None that is closer to 0 than moderate numbers are
const small = fc.double({ min: -50, max: 50, noNaN: true }).map((x) => (Math.abs(x) < 1e-50 ? 0 : x));
const bound = fc.oneof(fc.constantFrom(0, 1, -1, 2, 3, 0.5, 800, -800, Infinity, -Infinity), small); // prettier-ignore
const interval = fc.tuple(bound, bound).filter(([a, b]) => Number.isFinite(a) || a !== b).map(([a, b]): Interval => ({ low: Math.min(a, b), high: Math.max(a, b) })); // prettier-ignore

/** A number within an interval: one of its bounds, or between them. */
function within({ low, high }: Interval, share: number): number {
  if (share < 0.2) return low;
  if (share > 0.8) return high;
  const [from, to] = [Math.max(low, -1e6), Math.min(high, 1e6)];
  return from + share * (to - from);
}

describe("what an operation gives is within its interval", () => {
  test.each([...functions.keys()])("%s", (op) => {
    const f = functions.get(op) ?? Number;
    fc.assert(
      fc.property(
        interval,
        interval,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, b, s, t) => {
          const { low, high } = intervalOf(op, [a, b], false);
          const value = f(within(a, s), within(b, t));
          const rounded = 1e-9 * Math.max(1, Math.abs(value));
          const isWithin = value >= low - rounded && value <= high + rounded;
          expect(isWithin || (!Number.isFinite(value) && mayBeInfinite({ low, high }))).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

test("a square is not negative", () => {
  expect(intervalOf("mul", [moderate, moderate], true).low).toBe(0);
  expect(intervalOf("powInt", [moderate, { low: 2, high: 2 }], false).low).toBe(0);
});

test("sums and products of moderate numbers are moderate", () => {
  const product = intervalOf("mul", [moderate, moderate], false);
  expect(intervalOf("add", [product, product], false)).toEqual(moderate);
});

test("bounds grow a few times only", () => {
  let bounds: Interval = { low: 0, high: 0 };
  const seen = new Set<string>();
  for (let round = 1; round < 1000; round++) {
    bounds = widened(bounds, { low: bounds.low - round, high: bounds.high * 2 + round });
    seen.add(JSON.stringify(bounds));
  }
  expect(seen.size).toBeLessThan(10);
});
