import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withoutSameCounters } from "./same-counters.js";

const after = (text: string): string => afterPass(text, (fn) => withoutSameCounters(fn, surroundings));

test("variables that are stepped together, on each way through a round", () => {
  expect(
    after(`function f(xs: Float64Array, isOdd: readonly boolean[], e: List<number>): number {
      let rounds = 0;
      let count = 0;
      for (;;) {
        if (xs[rounds]! > 0) {
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
        rounds += 1;
      }
      return g(xs.subarray(0, count), rounds);
    }`),
  ).toMatchInlineSnapshot(`
    "function f(
      xs: Float64Array,
      isOdd: readonly boolean[],
      e: List<number>,
    ): number {
      let rounds = 0;
      for (;;) {
        if (xs[rounds]! > 0) {
          break;
        }
        switch (e.tag) {
          case "Cons": {
            xs[rounds] = 1;
            break;
          }
          case "Nil": {
            if (isOdd[rounds]!) {
            } else {
              xs[rounds] = 2;
            }
            break;
          }
        }
        rounds += 1;
      }
      return g(xs.subarray(0, rounds), rounds);
    }
    "
  `);
});

test("not where one is stepped alone, or read between, or left between", () => {
  const text = (round: string, first = "0"): string => `function f(xs: Float64Array): number {
  let rounds = ${first};
  let count = 0;
  for (;;) {
    if (xs[rounds]! > 0) {
      break;
    }
    ${round}
    rounds += 1;
  }
  return g(count, rounds);
}
`;
  const together = text("count += 1;");
  expect(after(together)).not.toBe(together);
  const apart = [
    text("count += 1;", "1"),
    text(`if (xs[rounds]! > 1) {
      count += 1;
    }`),
    text("count += 1;\n    xs[count] = 1;"),
    text(`count += 1;
    if (xs[rounds]! > 1) {
      break;
    }`),
    text("count += 1;\n    count = g(count);"),
    text("count += 1;\n    count += 1;"),
  ];
  for (const one of apart) expect(after(one)).toBe(one);
});

test("nor where a function from before the loop reads it in a round", () => {
  const text = `function f(xs: Float64Array): () => number {
  let rounds = 0;
  let count = 0;
  const seen = () => g(count);
  while (seen() < 10) {
    rounds += 1;
    xs[rounds] = seen();
    count += 1;
  }
  return seen;
}
`;
  expect(after(text)).toBe(text);
});
