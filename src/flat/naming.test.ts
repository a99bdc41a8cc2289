import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";
import { isTemporary, temporaryBeside } from "./naming.js";

test("the compiler's own variables have a stem that no author's name has", () => {
  expect(temporaryBeside(new Set(["x", "time", "total"]))).toBe("t");
  expect(temporaryBeside(new Set(["t2", "v"]))).toBe("w");
  expect(temporaryBeside(new Set(["t_"]))).toBe("v");
  const all = temporaryBeside(new Set(["t", "u", "v", "w", "tmp"]));
  expect(all).toMatch(/^tmp_+$/);
});

test("of a stem are its numbers, parts and cotangents", () => {
  for (const name of ["t", "t12", "t_", "t3_", "t1_2"]) expect(isTemporary(name, "t"), name).toBe(true);
  for (const name of ["total", "t2Saved", "v1"]) expect(isTemporary(name, "t"), name).toBe(false);
});

test("a name of the author's stays, whatever it is", () => {
  for (const name of ["speed", "t2", "t_", "v", "size"]) {
    const text = `def f (x : R) : R = let ${name} = -x in exp ${name} * x * ${name}\n`;
    const result = compile({ name: "m.lam", text }, { with: ["grad"] });
    expect(result.ok && result.value.code).toContain(`const ${name} = -x;`);
  }
});
