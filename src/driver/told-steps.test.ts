// A run step by step, as data.

import { expect, test } from "vitest";
import { toldRun, toldSteps } from "./told-run.js";

const source = { name: "model.lam", text: "def f (x : R) (y : R) : R =\n  let z = x * y in\n  z * sin z\n" };

function told(args: object, cotangent?: number): ReturnType<typeof toldSteps> {
  const found = toldRun(source, "f", args, cotangent === undefined ? {} : { cotangent });
  if (!found.ok) throw new Error("no run");
  return toldSteps(found.value);
}

test("forward: inputs first, then each operation with a call for each operand by its partial derivative", () => {
  const { steps } = told({ x: 2, y: 3 });
  const forward = steps.filter(({ phase }) => phase === "forward");
  expect(forward.map(({ id, value, calls }) => [id, value, calls.map((call) => [call.id, call.partial, call.gives])])).toEqual([
    [0, 2, []],
    [1, 3, []],
    [2, 6, [[0, 3, null], [1, 2, null]]],
    [3, Math.sin(6), [[2, Math.cos(6), null]]],
    [4, 6 * Math.sin(6), [[2, Math.sin(6), null], [3, 6, null]]],
  ]); // prettier-ignore
  expect(forward.map(({ title }) => title.split(" ")[0]).slice(0, 2)).toEqual(["x", "y"]);
  expect(forward.map(({ position }) => position)).toEqual([
    null,
    null,
    "model.lam:2:13",
    "model.lam:3:7",
    "model.lam:3:5",
  ]);
});

test("resolving: from the highest ID down, each once, with the sum of what has come", () => {
  const { steps, start } = told({ x: 2, y: 3 }, 10);
  expect(start).toEqual([{ id: 4, gives: 10 }]);
  const resolving = steps.filter(({ phase }) => phase === "resolve");
  const come = new Map(start.map(({ id, gives }) => [id, gives]));
  for (const { id, value, calls } of resolving) {
    expect([id, value]).toEqual([id, come.get(id)]);
    for (const call of calls) {
      expect(call.gives).toBe(value * call.partial);
      come.set(call.id, (come.get(call.id) ?? 0) + (call.gives ?? NaN));
    }
  }
  expect(resolving.map(({ id }) => id)).toEqual([4, 3, 2]);
  const slope = 10 * (Math.sin(6) + 6 * Math.cos(6));
  expect(come.get(0)).toBeCloseTo(3 * slope, 12);
  expect(come.get(1)).toBeCloseTo(2 * slope, 12);
});

test("a result that depends on no input has nothing to resolve", () => {
  const found = toldRun({ name: "model.lam", text: "def f (_x : R) : R = 3\n" }, "f", { _x: 1 });
  if (!found.ok) throw new Error("no run");
  const { steps, start } = toldSteps(found.value);
  expect([start, steps.filter(({ phase }) => phase === "resolve")]).toEqual([[], []]);
});
