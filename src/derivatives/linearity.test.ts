// A rule's partial derivative may be infinite where its tangent is 0: nothing comes of that, as in derivatives that the compiler makes.

import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";
import { exportOf, functionOf, loadModule } from "../driver/evaluate.js";
import { stageNames } from "../stages/index.js";

const text = `
def root (x : R) : R = exp (0.5 * log x)
rule derivative root x dx = dx * 0.5 / sqrt x

def back (x : R) : R = exp (0.5 * log x)
rule pullback back x w = 0.5 * w * sqrt (1 / x)

def square (x : R) : R = root x * root x
def squareBack (x : R) : R = back x * back x
def steep (x : R) : R = root x + x
def nothing (x : R) : R = 0 * root x + x * root x
`;

const derived = {
  entries: ["square", "squareBack", "steep", "nothing"],
  with: ["grad", "hvp", "hessian"] as const,
  target: "js" as const,
};

test.each(stageNames.filter((stage) => stage !== "primal" && stage !== "forward"))(
  "%s: values and gradients where a second derivative is infinite",
  (stage) => {
    const compiled = compile({ name: "model.lam", text }, { ...derived, stage });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
    const module = loadModule(compiled.value.code);
    const called = (name: string, ...args: readonly number[]): unknown => functionOf(exportOf(module, name))(...args);
    expect(called("squareHvp", 0, 1)).toMatchObject({ value: 0, grad: { x: 0 } });
    expect(called("squareHessian", 0)).toMatchObject({ value: 0, grad: { x: 0 } });
    expect(called("steepHvp", 0, 1)).toEqual({ value: 0, grad: { x: Infinity }, hvp: { x: -Infinity } });
    expect(called("nothingGrad", 0)).toEqual({ value: 0, grad: { x: 0 } });
    expect(called("steepGrad", 0)).toEqual({ value: 0, grad: { x: Infinity } });
  },
);
