import { expect, test } from "vitest";
import { afterPass } from "../../../test/support/tidied.js";
import { withPlainLoops, withUpdates } from "./plain-loops.js";

test("a loop that begins with its way out", () => {
  expect(
    afterPass(
      `function f(n: number): number {
        let i = n;
        let result: number;
        for (;;) {
          if (i === 0) {
            result = i;
            break;
          } else {
            i = g(i);
          }
        }
        return result;
      }`,
      withPlainLoops,
    ),
  ).toMatchInlineSnapshot(`
    "function f(n: number): number {
      let i = n;
      let result: number;
      while (i !== 0) {
        i = g(i);
      }
      result = i;
      return result;
    }
    "
  `);
});

test("a loop with two ways out, or with none in front", () => {
  expect(
    afterPass(
      `function f(n: number): number {
        let i = n;
        for (;;) {
          if (i === 0) {
            break;
          } else {
            if (g(i)) {
              i = i - 1;
            } else {
              break;
            }
          }
        }
        for (;;) {
          if (i === 1) {
            break;
          }
          if (g(i)) {
            i = i - 1;
          } else {
            if (g(n)) {
              break;
            }
            i = i - 2;
          }
        }
        loop: for (;;) {
          const t = g(i);
          switch (t.tag) {
            case "A": {
              break loop;
            }
            default: {
              i = i - 1;
            }
          }
        }
        return i;
      }`,
      withPlainLoops,
    ),
  ).toMatchInlineSnapshot(`
    "function f(n: number): number {
      let i = n;
      while (i !== 0) {
        if (!g(i)) {
          break;
        }
        i = i - 1;
      }
      while (i !== 1) {
        if (g(i)) {
          i = i - 1;
        } else {
          if (g(n)) {
            break;
          }
          i = i - 2;
        }
      }
      loop: for (;;) {
        const t = g(i);
        switch (t.tag) {
          case "A": {
            break loop;
          }
          default: {
            i = i - 1;
          }
        }
      }
      return i;
    }
    "
  `);
});

test("updates", () => {
  expect(
    afterPass(
      `function f(n: number): number {
        let i = n;
        i = i + 2;
        i = i - n * n;
        i = 2 + i;
        i = i * 2;
        return i;
      }`,
      withUpdates,
    ),
  ).toMatchInlineSnapshot(`
    "function f(n: number): number {
      let i = n;
      i += 2;
      i -= n * n;
      i = 2 + i;
      i = i * 2;
      return i;
    }
    "
  `);
});
