import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mayBeInfinite, moderate, widened, type Interval } from "./intervals.js";
import { opNames, primitive } from "./primitives.js";
import { intervalOf } from "./primitives/ranges.js";
import { valueOf } from "../flat/primitive-values.js";

/** The operations on reals alone. The last argument of `powRate` is no number of its own. */
const operations = opNames.filter((op) => {
  const { params, result } = primitive(op);
  return result === "R" && params.every((param) => param === "R") && op !== "powRate";
});

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
  test.each(operations.filter((op) => primitive(op).params.length > 0))("%s", (op) => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(interval, share), { minLength: 3, maxLength: 3 }), (drawn) => {
        const args = drawn.slice(0, primitive(op).params.length);
        const { low, high } = intervalOf(op, args.map(([within]) => within), false); // prettier-ignore
        const value = Number(valueOf(op, args.map(([range, at]) => within(range, at)))); // prettier-ignore
        const rounded = 1e-9 * Math.max(1, Math.abs(value));
        const isWithin = value >= low - rounded && value <= high + rounded;
        expect(isWithin || (!Number.isFinite(value) && mayBeInfinite({ low, high }))).toBe(true);
      }),
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
  for (let iteration = 1; iteration < 1000; iteration++) {
    bounds = widened(bounds, { low: bounds.low - iteration, high: bounds.high * 2 + iteration });
    seen.add(JSON.stringify(bounds));
  }
  expect(seen.size).toBeLessThan(10);
});
