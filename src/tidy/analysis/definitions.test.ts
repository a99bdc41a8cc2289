import { expect, test } from "vitest";
import { functionsIn } from "../../../test/support/typescript-tree.js";
import { definitionsIn } from "./definitions.js";

/** How many values `m` may have in a function with these statements; null where it may change once it is there. */
function valuesOf(stmts: string): number | null {
  const [fn] = functionsIn(`function f(c: boolean, n: number): number { ${stmts} return n; }`);
  return fn === undefined ? null : (definitionsIn(fn).get("m")?.length ?? null);
}

test("constants, and what a choice right behind it gives a value on each way", () => {
  expect(valuesOf("const m = n;")).toBe(1);
  expect(valuesOf("let m: number; if (c) { m = 0; } else { m = n; }")).toBe(2);
  expect(valuesOf("let m: number; if (c) { m = 0; } else if (n > 1) { m = n; } else { m = 1; }")).toBe(3);
});

test("not what changes later, is added to, or has a value before", () => {
  expect(valuesOf("let m: number; if (c) { m = 0; } else { m = n; } m = 2;")).toBeNull();
  expect(valuesOf("let m: number; if (c) { m = 0; } else { m = n; } m += 2;")).toBeNull();
  expect(valuesOf("let m = 1; if (c) { m = 0; } else { m = n; }")).toBeNull();
});
