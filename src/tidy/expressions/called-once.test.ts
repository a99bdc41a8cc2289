import { expect, test } from "vitest";
import { afterPass } from "../../../test/support/tidied.js";
import { functionsIn } from "../../../test/support/typescript-tree.js";
import { calledOnce, withOnceCalled } from "./called-once.js";

const pullback = `function pullback(x: number, w: number): readonly [number, number] {
  const y = x * x;
  return [2 * x * w, y];
}`;

function after(text: string): string {
  const declarations = functionsIn(`${pullback}\n${text}`).map((fn) => ({ kind: "function", doc: "", exported: fn.name !== "pullback", fn }) as const); // prettier-ignore
  const once = calledOnce(declarations, new Set(["pullback"]));
  return afterPass(text, (fn, bindings) => withOnceCalled(fn, bindings, once));
}

test("its variables are those of nobody else", () => {
  expect(
    after(`function slope(y: number): number {
      const [x, z] = pullback(y + 1, 1);
      return x + y * z;
    }`),
  ).toMatchInlineSnapshot(`
    "function slope(y: number): number {
      const x = y + 1;
      const w = 1;
      const y1 = x * x;
      const x1 = 2 * x * w;
      const z = y1;
      return x1 + y * z;
    }
    "
  `);
});

test("a call in a loop is one place, too", () => {
  const text = `function slope(y: number): number {
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      const [x] = pullback(y + i, 1);
      sum += x;
    }
    return sum;
  }`;
  expect(after(text)).toContain("const x1 = 2 * x * w;");
});

test("one of two calls stays", () => {
  const text = `function twice(y: number): number {
    const [x] = pullback(y, 1);
    const [z] = pullback(y, 2);
    return x + z;
  }`;
  expect(after(text)).toContain("= pullback(y, 2)");
});

test("what calls itself alone stays", () => {
  const text = `function pullback(x: number, w: number): readonly [number, number] {
    const [y, z] = pullback(x, w);
    return [y, z];
  }`;
  const declarations = functionsIn(text).map((fn) => ({ kind: "function", doc: "", exported: false, fn }) as const);
  const once = calledOnce(declarations, new Set(["pullback"]));
  expect(afterPass(text, (fn, bindings) => withOnceCalled(fn, bindings, once))).toContain("= pullback(x, w);");
});
