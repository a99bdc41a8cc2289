import { expect, test } from "vitest";
import { mapBlocks } from "../../typescript/traverse.js";
import { afterPass } from "../../../test/support/tidied.js";
import { withWaysOutJoined } from "./ways-out.js";

const joined = (text: string): string => afterPass(text, (fn) => mapBlocks(fn, withWaysOutJoined));

test("what all ways out do last stands behind the loop", () => {
  expect(
    joined(
      `function f(n: number): number {
        let i = n;
        let result: number;
        let rest: number;
        for (;;) {
          if (i === 0) {
            rest = 1;
            result = i;
            break;
          }
          const more = g(i);
          if (more) {
            i = i - 1;
          } else {
            rest = 2;
            result = i;
            break;
          }
        }
        return result + rest;
      }`,
    ),
  ).toMatchInlineSnapshot(`
    "function f(n: number): number {
      let i = n;
      let result: number;
      let rest: number;
      for (;;) {
        if (i === 0) {
          rest = 1;
          break;
        }
        const more = g(i);
        if (more) {
          i = i - 1;
        } else {
          rest = 2;
          break;
        }
      }
      result = i;
      return result + rest;
    }
    "
  `);
});

test("not what they do with variables of the loop, or what one of them does not do", () => {
  for (const exit of [
    "const x = g(i); if (x > 0) { r = x; break; } if (i > 9) { r = x; break; }",
    "if (g(i)) { r = i; break; } if (i > 9) { r = n; break; }",
    "if (g(i)) { r = i; break; } if (i > 9) { break; }",
    "if (g(i)) { r = i; break; }",
  ]) {
    const text = `function f(n: number): number { let i = n; let r = 0; for (;;) { ${exit} i = i + 1; } return r; }`;
    expect(joined(text)).toBe(afterPass(text, (fn) => fn));
  }
});

test("jumps out of loops inside are others, those with a label are not", () => {
  expect(
    joined(
      `function f(n: number): number {
        let i = n;
        let r = 0;
        outer: for (;;) {
          for (let k = 0; k < n; k++) {
            if (k > i) {
              break;
            }
            if (g(k)) {
              r = i;
              break outer;
            }
          }
          if (i > 9) {
            r = i;
            break;
          }
          i = i + 1;
        }
        return r;
      }`,
    ),
  ).toMatchInlineSnapshot(`
    "function f(n: number): number {
      let i = n;
      let r = 0;
      outer: for (;;) {
        for (let k = 0; k < n; k++) {
          if (k > i) {
            break;
          }
          if (g(k)) {
            break outer;
          }
        }
        if (i > 9) {
          break;
        }
        i = i + 1;
      }
      r = i;
      return r;
    }
    "
  `);
});
