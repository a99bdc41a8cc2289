import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";
import { exportOf, loadModule } from "../driver/evaluate.js";

test.each(["adjoint", "tape", "d1"] as const)(
  "what a stopped function captures is constant in derivatives of derivatives: %s",
  (stage) => {
    const text = "def f (x : R) : R = derivative (\\z. stopGradient (\\y. y * y * z) z) x";
    const compiled = compile({ name: "model.lam", text }, { target: "js", stage });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
    expect(exportOf(loadModule(compiled.value.code), "fGrad")(3)).toMatchObject({ value: 18, grad: { x: 6 } });
  },
);
