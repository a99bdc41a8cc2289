import { expect, test } from "vitest";
import { growthOf } from "./growth.js";

const sizes = [1, 2, 4, 8, 16, 32];
const of = (count: (n: number) => number): string => growthOf(sizes, sizes.map(count));

test("growths are told apart, also where there is a constant beside them", () => {
  expect(of(() => 7)).toBe("constant");
  expect(of((n) => 18 * Math.log2(n) + 25)).toBe("log n");
  expect(of((n) => Math.ceil(11 * Math.sqrt(n)) + 29)).toBe("sqrt n");
  expect(of((n) => 3 * n + 50)).toBe("linear");
  expect(of((n) => n)).toBe("linear");
  expect(of((n) => 4 * n * Math.log(n) + 2 * n + 9)).toBe("n log n");
  expect(of((n) => n * n + 3 * n + 2)).toBe("quadratic");
  expect(of((n) => 2 ** n)).toBe("exponential");
  expect(of((n) => 5 * 1.5 ** n + 1)).toBe("exponential");
  expect(growthOf([8, 2, 4, 2, 1, 16], [64, 4, 16, 4, 1, 256])).toBe("quadratic");
  expect(growthOf([1, 2, 4], [1, 2, 4])).toBe("not enough sizes");
});

test("no growth is named that the counts do not decide", () => {
  const small = [1, 2, 4, 6, 8, 10];
  // A logarithm that grows by steps, as depths of trees do, of a stage that is n log n
  expect(growthOf(small, [629, 1553, 3452, 5466, 7595, 10208])).toBe("undecided");
  expect(growthOf(small, small.map((n) => 20 * n * Math.ceil(Math.log2(n)) + 300 * n))).toBe("undecided"); // prettier-ignore
  // So few sizes that there is nothing to tell shapes apart by
  expect(growthOf([2, 3, 4, 5], [8, 27, 64, 125])).toBe("undecided");
  expect(
    growthOf(
      small,
      small.map((n) => 1.7 ** n * 30 + 300 * n + 100),
    ),
  ).toBe("undecided");
});

test.each([[[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]], [[1, 2, 4, 6, 8, 10]], [[1, 2, 4, 8]]])("small sizes %j", (small) => {
  const at = (count: (n: number) => number): string => growthOf(small, small.map((n) => Math.round(count(n)))); // prettier-ignore
  expect(at((n) => 30 * n + 100)).toBe("linear");
  expect(at((n) => 300 * n * Math.log(n) + 90 * n + 50)).toBe("n log n");
  expect(at((n) => n * n + 30 * n + 5)).toBe("quadratic");
  expect(at((n) => 26 * n * n + 5)).toBe("quadratic");
  expect(at((n) => 11 * 2 ** n + n + 3)).toBe("exponential");
});

test("a cubic growth is none of the others", () => {
  const small = [1, 2, 4, 6, 8, 10];
  expect(growthOf(small, small.map((n) => n ** 3))).toBe("cubic"); // prettier-ignore
  // Of a stage that has a map in two loops
  expect(growthOf(small, [47, 160, 623, 1469, 2695, 4330])).not.toBe("cubic");
  expect(growthOf(small, small.map((n) => n ** 3 + 30 * n * n + 20))).toBe("cubic"); // prettier-ignore
});
