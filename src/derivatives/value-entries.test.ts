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

// The rule of `help0` is unused where texts stand for values, and its name is free again: that of the copy of `help1`
const withFreeName = `
data Tree a = Leaf | Node (Tree a) a (Tree a)

def help0Text n3 p2 =
  1.5

def help0 n3 p2 = help0Text n3 p2

rule derivative help0 n3 p2 dn3 dp2 = snd (jvp (\\(n3, p2). help0Text n3 p2) (n3, p2) (dn3, dp2))

def help1Text (n43 : Z) (v41 : (Tree [R])) (xs42 : [[Z]]) : R =
  if n43 <= 0 || n43 > 3 then help0 0 (0, [], 0.75) else let x44 = help1Other (n43 - 1) Leaf [] in 1.5

def help1 n43 v41 xs42 = help1Text n43 v41 xs42

rule pullback help1 n43 v41 xs42 whelp1 = snd (vjp (\\(n43, v41, xs42). help1Text n43 v41 xs42) (n43, v41, xs42)) whelp1

def help1OtherText (n65 : Z) (v63 : (Tree [R])) (xs64 : [[Z]]) : R =
  if n65 <= 0 || n65 > 3 then 1.5 else let x66 = help1 (n65 - 1) Leaf [] in 1.5

def help1Other n65 v63 xs64 = help1OtherText n65 v63 xs64

rule derivative help1Other n65 v63 xs64 dn65 dv63 dxs64 = snd (jvp (\\(n65, v63, xs64). help1OtherText n65 v63 xs64) (n65, v63, xs64) (dn65, dv63, dxs64))

def entry (xs108 : [R]) : (R, [R]) =
  (help1 (-2) Leaf [], [])
`;

test("a copy of a definition is called as nothing else is that has a rule", () => {
  const source = { name: "model.lam", text: withFreeName };
  expect(compile(source, { entries: ["entry"], verify: true })).toMatchObject({ ok: true });
});
