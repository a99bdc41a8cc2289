import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withoutSameCounters } from "./same-counters.js";

const after = (text: string): string => afterPass(text, (fn) => withoutSameCounters(fn, surroundings));

test("variables that are stepped together, on each way through an iteration", () => {
  expect(
    after(`function f(xs: Float64Array, isOdd: readonly boolean[], e: List<number>): number {
      let iterations = 0;
      let count = 0;
      for (;;) {
        if (xs[iterations]! > 0) {
          break;
        }
        switch (e.tag) {
          case "Cons": {
            xs[count] = 1;
            count += 1;
            break;
          }
          case "Nil": {
            if (isOdd[count]!) {
              count += 1;
            } else {
              xs[count] = 2;
              count += 1;
            }
            break;
          }
        }
        iterations += 1;
      }
      return g(xs.subarray(0, count), iterations);
    }`),
  ).toMatchInlineSnapshot(`
    "function f(
      xs: Float64Array,
      isOdd: readonly boolean[],
      e: List<number>,
    ): number {
      let iterations = 0;
      for (;;) {
        if (xs[iterations]! > 0) {
          break;
        }
        switch (e.tag) {
          case "Cons": {
            xs[iterations] = 1;
            break;
          }
          case "Nil": {
            if (isOdd[iterations]!) {
            } else {
              xs[iterations] = 2;
            }
            break;
          }
        }
        iterations += 1;
      }
      return g(xs.subarray(0, iterations), iterations);
    }
    "
  `);
});

test("not where one is stepped alone, or read between, or left between", () => {
  const text = (iteration: string, first = "0"): string => `function f(xs: Float64Array): number {
  let iterations = ${first};
  let count = 0;
  for (;;) {
    if (xs[iterations]! > 0) {
      break;
    }
    ${iteration}
    iterations += 1;
  }
  return g(count, iterations);
}
`;
  const together = text("count += 1;");
  expect(after(together)).not.toBe(together);
  const apart = [
    text("count += 1;", "1"),
    text(`if (xs[iterations]! > 1) {
      count += 1;
    }`),
    text("count += 1;\n    xs[count] = 1;"),
    text(`count += 1;
    if (xs[iterations]! > 1) {
      break;
    }`),
    text("count += 1;\n    count = g(count);"),
    text("count += 1;\n    count += 1;"),
  ];
  for (const one of apart) expect(after(one)).toBe(one);
});

test("nor where a function from before the loop reads it in an iteration", () => {
  const text = `function f(xs: Float64Array): () => number {
  let iterations = 0;
  let count = 0;
  const seen = () => g(count);
  while (seen() < 10) {
    iterations += 1;
    xs[iterations] = seen();
    count += 1;
  }
  return seen;
}
`;
  expect(after(text)).toBe(text);
});
