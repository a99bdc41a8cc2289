// What the deep versions of recursive functions look like in the stage adjoint, and who has them.

import prettier from "prettier";
import { describe, expect, test } from "vitest";
import { compile } from "../src/driver/compile.js";
import { exportOf, functionOf, loadModule, propertyOf } from "../src/driver/evaluate.js";
import { fixtureNames, readFixture } from "./support/fixture.js";
import { typeErrors } from "./support/typecheck.js";

function emitted(text: string, target: "ts" | "js" = "ts"): string {
  const compiled = compile({ name: "model.lam", text }, { stage: "adjoint", target });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return compiled.value.code;
}

const tree = "data Tree = Leaf R | Node Tree R Tree\n";
const recursive = "def weigh (t : Tree) : R = case t of { Leaf x -> x; Node l x r -> weigh l + x * weigh r }\n";

describe("deep versions", () => {
  test("are strict TypeScript that prettier leaves alone", async () => {
    const files: Record<string, string> = {};
    for (const name of fixtureNames("deep")) {
      const compiled = compile(readFixture("deep", name).source, { stage: "adjoint" });
      if (!compiled.ok) throw new Error(`${name} does not compile`);
      files[`/${name}.ts`] = compiled.value.code;
      expect(await prettier.format(compiled.value.code, { parser: "typescript" }), name).toBe(compiled.value.code);
    }
    expect(typeErrors("export {};", files)).toEqual([]);
  }, 120_000);

  test("are there for what recurses, and for nothing else", () => {
    const code = emitted(`${tree}${recursive}def f (t : Tree) (k : R) : R = k * weigh t * toReal (twice 3)\ndef twice (n : Z) : Z = n + n`);
    const deep = [...code.matchAll(/function\* (\w+)/g)].map(([, name]) => name);
    expect(deep).toHaveLength(3);
    expect(deep.every((name) => name?.startsWith("weigh"))).toBe(true);
    const plain = emitted("def f (x : R) : R = let g = \\y. y * x in g (g x)\ndef h (xs : [R]) : R = sum (map exp xs)");
    expect(plain).not.toMatch(/function\*|depth|runDeep|stackLimit/);
  }); // prettier-ignore

  test("are there for functions as values whose type may recurse", () => {
    const code = emitted("def f (n : Z) (x : R) : R = let rec g h k = if k == 0 then h else g (\\a. 1 + h (a * x)) (k - 1) in g (\\a. a * a) n 0.5");
    expect(code).toMatch(/callDeep/);
    expect(code).toMatch(/backDeep/);
  }); // prettier-ignore

  test("go on where deep recursion calls other deep recursion, at any depth", () => {
    const model = `def down (n : Z) (x : R) : R = if n == 0 then x else 1 + pong (n - 1) x
def pong (n : Z) (x : R) : R = if n == 0 then x else 0.5 * down (n - 1) x + 0.25 * down 0 x
def outer (n : Z) (x : R) : R = if n == 0 then down 20000 x else 1 + other (n - 1) x
def other (n : Z) (x : R) : R = if n == 0 then down 20001 x else outer (n - 1) x + 0 * down 0 x
def f (n : Z) (x : R) : R = if n == 0 then outer 30000 x else 1 + g (n - 1) x
def g (n : Z) (x : R) : R = if n == 0 then outer 30001 x else f (n - 1) x + 0 * outer 0 0`.replace("outer 0 0", "down 3 x");
    const { exports } = loadModule(emitted(model, "js"));
    const gradient = exportOf({ exports, counters: null }, "fGrad")(40000, 0.5);
    const shallow = exportOf({ exports, counters: null }, "downGrad")(20000, 0.5);
    expect(propertyOf(gradient, "value")).toBeCloseTo(Number(propertyOf(shallow, "value")) + 15000 + 20000, 6);
    expect(propertyOf(propertyOf(gradient, "grad"), "x")).toBeCloseTo(Number(propertyOf(propertyOf(shallow, "grad"), "x")), 9);
  }); // prettier-ignore

  test("leave a module as it was after an error", () => {
    const model = `def down (n : Z) (x : R) : R = if n == 0 then [x] ! (floor x) else 1 + pong (n - 1) x
def pong (n : Z) (x : R) : R = if n == 0 then x else down (n - 1) x + 0 * down 0 0`;
    const { exports } = loadModule(emitted(model, "js"));
    const gradient = exportOf({ exports, counters: null }, "downGrad");
    for (let i = 0; i < 3; i += 1) {
      expect(() => gradient(100000, 2.5)).toThrow(/index 2 is outside an array of length 1/);
      expect(gradient(100000, 0.5)).toEqual({ value: 50000.5, grad: { n: 0, x: 1 } });
    }
  });
});

test.each(["primal", "tape", "adjoint"] as const)("recursion that has no end is an error, not a crash: %s", (stage) => {
  const text = "def f (x : R) (n : Z) : R = if n == 0 then x else sin (f (f x (n + 1)) (n + 1))\n";
  const compiled = compile({ name: "model.lam", text }, { stage, target: "js" });
  if (!compiled.ok) throw new Error("the model does not compile");
  const f = functionOf(exportOf(loadModule(compiled.value.code), stage === "primal" ? "f" : "fGrad"));
  expect(() => f(0.5, 1)).toThrow(/^recursion is more than \d+ calls deep$/);
}, 120_000); // prettier-ignore
