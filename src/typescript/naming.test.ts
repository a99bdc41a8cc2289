import { describe, expect, it } from "vitest";
import { identifier, Scope } from "./naming.js";

describe("identifier", () => {
  it.each([
    ["sum", "sum"],
    ["sum'", "sumPrime"],
    ["f''", "fPrimePrime"],
    ["class", "class_"],
    ["eval", "eval_"],
    ["await", "await_"],
    ["of", "of"],
    ["λ", "λ"],
    ["θ₁", "θ1"],
    ["x̂", "x̂"],
    ["1x", "_1x"],
    ["__proto__", "__proto__"],
    ["constructor", "constructor"],
    ["+", "Plus"],
    ["(*)", "_Times_"],
  ])("%s becomes %s", (name, expected) => {
    expect(identifier(name)).toBe(expected);
  });
});

describe("Scope", () => {
  it("numbers what clashes", () => {
    const scope = Scope.values(["used"]);
    expect(["x", "x", "x'", "xPrime", "used", "Math", "NaN", "Infinity"].map((name) => scope.fresh(name))).toEqual([
      "x",
      "x1",
      "xPrime",
      "xPrime1",
      "used1",
      "Math1",
      "NaN1",
      "Infinity1",
    ]);
  });

  it("avoids the names around it, and not those beside it", () => {
    const scope = Scope.values();
    scope.fresh("f");
    const [left, right] = [scope.inner(), scope.inner()];
    expect([left.fresh("f"), left.fresh("x"), right.fresh("x")]).toEqual(["f1", "x", "x"]);
  });

  it("keeps types apart from the global ones", () => {
    const types = Scope.types();
    expect(["List", "Map", "Float64Array", "A"].map((name) => types.fresh(name))).toEqual([
      "List",
      "Map1",
      "Float64Array1",
      "A",
    ]);
  });
});
