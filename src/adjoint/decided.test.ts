// What the reverse sweep need not know of the way that the forward sweep went.

import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";
import { exportOf, functionOf, loadModule } from "../driver/evaluate.js";

function code(text: string): string {
  const compiled = compile({ name: "model.lam", text }, { stage: "adjoint", target: "js" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return compiled.value.code;
}

const saved = (text: string): readonly string[] =>
  [...code(text).matchAll(/\/\/ (.*) of each iteration/g)].map(([, name = ""]) => name);

const wrap = (down: string): string =>
  `def wrap (a : R) : R = if a > pi then wrap (${down}) else if a <= -pi then wrap (a + 2 * pi) else a`;

test("whichever way leads to a next iteration, where all do the same to cotangents", () => {
  expect(saved(wrap("a - 2 * pi"))).toEqual([]);
  expect(saved(wrap("a / 2"))).not.toEqual([]);
  const grad = functionOf(exportOf(loadModule(code(wrap("a - 2 * pi"))), "wrapGrad"));
  expect(grad(1)).toEqual({ value: 1, grad: { a: 1 } });
  expect(grad(-7)).toEqual({ value: -7 + 2 * Math.PI, grad: { a: 1 } });
  const halved = functionOf(exportOf(loadModule(code(wrap("a / 2"))), "wrapGrad"));
  expect(halved(8)).toEqual({ value: 2, grad: { a: 0.25 } });
});

test("nor whichever way out it is", () => {
  const search = (found: string): string =>
    `def f (x : R) (y : R) : R = if y > 9 then x * x else if y < -9 then ${found} else f (x * 2) (y * y - 11)`;
  expect(saved(search("x * x"))).toEqual([]);
  const grad = functionOf(exportOf(loadModule(code(search("x * 3"))), "fGrad"));
  expect(grad(1, 1)).toEqual({ value: 6, grad: { x: 6, y: 0 } });
  expect(grad(1, 10)).toEqual({ value: 1, grad: { x: 2, y: 0 } });
});

test("a test that changes numbers in one way to the derivative", () => {
  const sum = (other: string): string =>
    `def f (xs : [R]) : R = foldl (\\s x. if x > 1 then s + 2 * x + 1 else s + ${other}) 0 xs`;
  expect(saved(sum("2 * x - 1"))).toEqual([]);
  expect(code(sum("2 * x - 1"))).not.toMatch(/xs_\[i\].*\?/);
  const grad = functionOf(exportOf(loadModule(code(sum("2 * x - 1"))), "fGrad"));
  expect(grad(Float64Array.of(0, 2))).toEqual({ value: 4, grad: { xs: Float64Array.of(2, 2) } });
});
