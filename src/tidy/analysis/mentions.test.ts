import { expect, test } from "vitest";
import { functionsIn } from "../../../test/support/typescript-tree.js";
import { jumps } from "./mentions.js";

const doesJump = (body: string): boolean =>
  jumps(functionsIn(`function f(n: number, x: T): number { ${body} }`)[0]?.body ?? []);

test("what ends a loop within statements is no jump out of them", () => {
  expect(doesJump("for (;;) { if (n > 2) { break; } n += 1; }")).toBe(false);
  expect(doesJump("while (n > 2) { if (n > 3) { continue; } n -= 1; }")).toBe(false);
  expect(doesJump('switch (x.tag) { case "A": { n = 1; break; } case "B": { n = 2; break; } }')).toBe(false);
  expect(doesJump("const g = () => { return n; };")).toBe(false);
});

test("what ends the loop around them is", () => {
  for (const body of ["break;", "continue;", "return n;", "if (n > 2) { break; }", "for (;;) { return n; }"])
    expect(doesJump(body)).toBe(true);
  expect(doesJump('switch (x.tag) { case "A": { continue; } case "B": { n = 2; break; } }')).toBe(true);
});
