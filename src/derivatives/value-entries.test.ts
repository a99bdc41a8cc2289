import { describe, expect, test } from "vitest";
import { compile } from "../driver/compile.js";
import { exportOf, loadModule } from "../driver/evaluate.js";

const model = `
def half (x : R) : R = 0.5 * x * x

rule derivative half x dx = slope x * dx

def slope (x : R) : R = if x > 0 then x else fail "no slope"

def alone (x : R) : R = half x

def ofData (x : R) (y : R) : R = half x + half y * x

def constant : R = half (-1)
`;

function named(name: string, options: Parameters<typeof compile>[1]): (...args: readonly unknown[]) => unknown {
  const compiled = compile({ name: "model.lam", text: model }, { target: "js", ...options });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return exportOf(loadModule(compiled.value.code), name);
}

describe("a rule that fails", () => {
  test.each(["adjoint", "tape", "primal"] as const)("is no part of a value: %s", (stage) => {
    expect(named("alone", { stage })(-2)).toBe(2);
    expect(named("constant", { stage })()).toBe(0.5);
  });

  test("is no part of a gradient in something else", () => {
    const gradient = named("ofDataGrad", { wrt: ["ofData.x"] });
    expect(gradient(3, -2)).toMatchObject({ value: 10.5, grad: { x: 5 } });
    expect(() => gradient(-3, 2)).toThrow("slope (model.lam:6:46): no slope");
  });
});
