import { readdirSync, readFileSync } from "node:fs";
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
    expect(["List", "Map", "Float64Array", "A", "Parameters"].map((name) => types.fresh(name))).toEqual([
      "List",
      "Map1",
      "Float64Array1",
      "A",
      "Parameters",
    ]);
  });

  it("leaves to the program the global types that the runtime does not mention", () => {
    const types = Scope.types();
    const files = readdirSync(new URL("../runtime/", import.meta.url)).filter(
      (file) => !/fragments|embedded|test/.test(file),
    );
    for (const file of files) {
      const text = readFileSync(new URL(`../runtime/${file}`, import.meta.url), "utf8");
      const mentioned = [
        ...text.matchAll(/\b(Exclude|Extract|Omit|Parameters|Partial|Pick|Promise|Readonly|Record|Required)</g),
      ];
      for (const [, name = ""] of mentioned) expect([file, name, types.has(name)]).toEqual([file, name, true]);
    }
  });
});
