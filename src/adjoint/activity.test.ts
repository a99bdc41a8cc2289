// What has no cotangent.

import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";

function gradientOf(text: string): string {
  const compiled = compile({ name: "model.lam", text }, { stage: "adjoint", target: "js" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return compiled.value.code.slice(compiled.value.code.indexOf("export function fGrad"));
}

test("what a loop carries for its tests alone", () => {
  const body = (next: string): string =>
    gradientOf(
      `def f (xs : [R]) : R = let (s, _) = foldl (\\(s, last) x. (if x > last then s * x else s + x, ${next})) (1, 0) xs in s`,
    );
  expect(body("x + last / 2")).not.toContain("last_");
  expect(body("x + last * s / 2")).not.toContain("last_");
});

test("not so what reaches a number", () => {
  const code = gradientOf(
    "def f (xs : [R]) : R = let (s, last) = foldl (\\(s, last) x. (if x > last then s * x else s + x, x + last / 2)) (1, 0) xs in s + last",
  );
  expect(code).toContain("last_");
});
