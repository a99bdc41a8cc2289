import { describe, expect, it, test } from "vitest";
import { compareGradients, contract, disagreements, finiteDifferences, testWeights } from "./finite-differences.js";

const f = ([x = 0, y = 0]: readonly number[]): number => Math.sin(x) * Math.exp(y) + y ** 3;
const exact = (x: number, y: number): readonly number[] => [
  Math.cos(x) * Math.exp(y),
  Math.sin(x) * Math.exp(y) + 3 * y * y,
];

describe("finiteDifferences", () => {
  it.each([
    [0, 0],
    [1, 2],
    [-3, 0.1],
    [100, -5],
  ])("agree with the derivative at (%d, %d)", (x, y) => {
    const { gradient, errors } = finiteDifferences(f, [x, y]);
    for (const [index, entry] of exact(x, y).entries()) {
      expect(Math.abs((gradient[index] ?? NaN) - entry)).toBeLessThan(1e-9 * (1 + Math.abs(entry)));
      expect(errors[index]).toBeLessThan(1e-6 * (1 + Math.abs(entry)));
    }
  });

  it("are exact for a constant", () => {
    expect(finiteDifferences(() => 3, [1, 2]).gradient).toEqual([0, 0]);
  });
});

describe("compareGradients", () => {
  const differences = finiteDifferences(f, [1, 2]);

  it("accepts the exact gradient", () => {
    expect(compareGradients(exact(1, 2), differences)).toEqual([]);
  });

  it("names the entry that differs", () => {
    const [dx = 0, dy = 0] = exact(1, 2);
    expect(compareGradients([dx, dy * 1.001], differences)).toMatchObject([{ index: 1 }]);
    expect(compareGradients([NaN, dy], differences)).toMatchObject([{ index: 0 }]);
  });

  it("compares with the largest entry", () => {
    expect(compareGradients([1, 1e-12], { gradient: [1, 0], errors: [0, 0] })).toEqual([]);
  });
});

test("no step from a small number goes to the other side of 0", () => {
  const seen: number[] = [];
  finiteDifferences(([x = 0]) => (seen.push(x), Math.sqrt(x)), [1e-3]);
  expect(Math.min(...seen)).toBeGreaterThan(0);
});

describe("disagreements", () => {
  it("are not what is rounded away in a value that stays zero", () => {
    const saturated = ([x = 0]: readonly number[]): number => 1 - Math.tanh(36 + x / 100);
    expect(disagreements(saturated, [1], [-2.1e-33])).toEqual([]);
    expect(disagreements(saturated, [1], [1e-3])).toHaveLength(1);
  });

  /** Changes within a ten-thousandth of its argument. */
  const fast = ([x = 0, y = 0]: readonly number[]): number => Math.sin(20000 * x) + y;
  const gradient = [20000 * Math.cos(6000), 1] as const;

  it("are none of an exact gradient, though the function changes fast", () => {
    expect(compareGradients(gradient, finiteDifferences(fast, [0.3, 1]))).not.toEqual([]);
    expect(disagreements(fast, [0.3, 1], gradient)).toEqual([]);
  });

  it("are those of a gradient that is a little off", () => {
    expect(disagreements(fast, [0.3, 1], [gradient[0] * 1.0001, 1])).toMatchObject([{ index: 0 }]);
    expect(disagreements(fast, [0.3, 1], [NaN, 1])).toMatchObject([{ index: 0 }]);
    expect(disagreements(f, [1, 2], exact(1, 2))).toEqual([]);
    expect(disagreements(f, [1, 2], [0, exact(1, 2)[1] ?? 0])).toMatchObject([{ index: 0 }]);
  });
});

it("testWeights are always the same", () => {
  expect(testWeights(2)).toEqual(testWeights(3).slice(0, 2));
  expect(contract([1, 2], [3, 4])).toBe(11);
});
