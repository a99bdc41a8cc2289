import { expect, test } from "vitest";
import { compile } from "../../driver/compile.js";
import { exportOf, functionOf, loadModule, propertyOf, type EmittedFunction } from "../../driver/evaluate.js";
import { stageNamed, stageNames } from "../../stages/index.js";

const model = `data P = P { x : R, y : R }
def c : R = 2 * 1
def f (p : P) : R = c * p.x * p.y
def g (x : R) : R = c * x
def h (p : P) : P = P { x = p.x * p.y, y = p.x }
`;

const reverseStages = stageNames.filter((stage) => stageNamed(stage).mode === "reverse");

test.each(reverseStages)("properties of arguments and cotangents may call the module, in stage %s", (stage) => {
  const compiled = compile({ name: "model.lam", text: model }, { stage, target: "js" });
  if (!compiled.ok) throw new Error("the model does not compile");
  const module = loadModule(compiled.value.code);
  const named = (name: string): EmittedFunction => exportOf(module, name);
  const p = {
    x: 3,
    get y(): unknown {
      return propertyOf(named("gGrad")(2), "value");
    },
  };
  expect(named("fGrad")(p)).toEqual({ value: 24, grad: { p: { x: 8, y: 6 } } });
  expect(propertyOf(named("fVjp")(p), "value")).toBe(24);
  const pullback = functionOf(propertyOf(named("hVjp")({ x: 3, y: 4 }), "pullback"));
  const cotangent = {
    x: 1,
    get y(): unknown {
      return propertyOf(propertyOf(pullback({ x: 1, y: 1 }), "p"), "y");
    },
  };
  expect(pullback(cotangent)).toEqual({ p: { x: 7, y: 3 } });
});

test.each(reverseStages)("what an object has besides its fields is not looked at, in stage %s", (stage) => {
  const text = `data T = Leaf R | Node T T
data P = P { x : R, y : R }
def f (t : T) (ps : [P]) : R = case t of { Leaf r -> r * r; Node l k -> f l ps * f k ps + sum (map (\\p. p.x * p.y) ps) }
`;
  const compiled = compile({ name: "model.lam", text }, { stage, target: "js" });
  if (!compiled.ok) throw new Error("the model does not compile");
  const child = (value: number): object => ({ tag: "Leaf", _0: value });
  const [left, right] = [child(3), child(2)];
  const t = { tag: "Node", _0: left, _1: right };
  const p = { x: 5, y: 7 };
  const owner = { t, p };
  for (const part of [left, right, p]) Object.assign(part, { owner });
  const gradient = exportOf(loadModule(compiled.value.code), "fGrad")(t, [p]);
  expect(gradient).toEqual({
    value: 71,
    grad: {
      t: { tag: "Node", _0: { tag: "Leaf", _0: 24 }, _1: { tag: "Leaf", _0: 36 } },
      ps: [{ x: 7, y: 5 }],
    },
  });
});
