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
  expect(growthOf([1, 2, 4], [1, 2, 4])).toBe("not enough sizes");
});
