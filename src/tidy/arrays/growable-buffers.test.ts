import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withBuffersShared } from "./growable-buffers.js";

const after = (text: string): string =>
  afterPass(text, (fn, bindings) => withBuffersShared(fn, bindings, surroundings));

test("iterations collect numbers in one place, also from within branches", () => {
  expect(
    after(`function f(n: number, m: number): number {
      let sum = 0;
      for (let j = 0; j < n; j++) {
        for (;;) {
          if (j > 1) {
            let tBuffer: Float64Array = new Float64Array(8);
            let count = 0;
            while (count < m + j) {
              if (count === tBuffer.length) {
                tBuffer = grown(tBuffer);
              }
              tBuffer[count] = Math.sin(count);
              count += 1;
            }
            const t = tBuffer.subarray(0, count);
            const t_ = new Float64Array(t.length);
            for (let i = t.length - 1; i >= 0; i--) {
              sum += t[i]!;
              t_[i]! += t[i]! * sum;
            }
          }
          break;
        }
      }
      return sum;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(n: number, m: number): number {
      let sum = 0;
      let t: Float64Array = new Float64Array(8);
      for (let j = 0; j < n; j++) {
        for (;;) {
          if (j > 1) {
            let count = 0;
            while (count < m + j) {
              if (count === t.length) {
                t = grown(t);
              }
              t[count] = Math.sin(count);
              count += 1;
            }
            const t_ = new Float64Array(count);
            for (let i = count - 1; i >= 0; i--) {
              sum += t[i]!;
              t_[i]! += t[i]! * sum;
            }
          }
          break;
        }
      }
      return sum;
    }
    "
  `);
});

const collecting = `
  let tBuffer: Float64Array = new Float64Array(8);
  let count = 0;
  while (count < n) {
    if (count === tBuffer.length) {
      tBuffer = grown(tBuffer);
    }
    tBuffer[count] = Math.sin(count);
    count += 1;
  }`.trim();

test("outside of loops numbers stay where they are, too", () => {
  expect(
    after(`function f(n: number): number {
      ${collecting}
      const t = tBuffer.subarray(0, count);
      return t.length === 0 ? 0 : t[0]!;
    }`),
  ).toMatchInlineSnapshot(`
    "function f(n: number): number {
      let t: Float64Array = new Float64Array(8);
      let count = 0;
      while (count < n) {
        if (count === t.length) {
          t = grown(t);
        }
        t[count] = Math.sin(count);
        count += 1;
      }
      return count === 0 ? 0 : t[0]!;
    }
    "
  `);
});

test.each([
  ["that somebody else is given", "return t;"],
  ["that is copied", "return t.slice();"],
  ["that a function looks at later", "return () => t[0]!;"],
  ["whose count changes", "count += 1;\n  return t[0]!;"],
  ["whose buffer is looked at again", "return t[0]! + tBuffer[1]!;"],
])("an array %s keeps its own memory", (_, rest) => {
  const text = `function f(n: number): unknown {
  ${collecting}
  const t = tBuffer.subarray(0, count);
  ${rest}
}
`;
  expect(after(text)).toBe(text.replace("tBuffer.subarray(0, count)", "collected(tBuffer, count)"));
});
